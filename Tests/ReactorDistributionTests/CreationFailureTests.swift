import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Reactors that cannot be made, or whose journals cannot be read, on another host.
@Suite(.bounded) struct CreationFailureTests {
  struct NoSuchJob: Error, CustomStringConvertible {
    var description: String { "there is no such job" }
  }

  /// The answer to a call from another host, and how long that takes.
  private func answer(
    _ world: SimulatedWorld, _ call: () async throws -> some Sendable
  ) async -> (text: String, time: Duration) {
    let start = world.now
    do {
      return ("\(try await call())", world.now - start)
    } catch {
      return ("\(error)", world.now - start)
    }
  }

  @Test func `what making a reactor throws is reported at once, also to another host`() async throws
  {
    try await simulatedWorld(seeds: 0..<3) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (here, _) = (one.jobs(), two.jobs { _ in throw NoSuchJob() })
      try await world.sleep(.seconds(3))
      let id = two.jobIDs(1)[0]
      for answer in [
        await answer(world) { try await here[id].ask { .append(1, $0) } },
        await answer(world) { try await here[id].send(.append(1, Reply { _ in })) },
        await answer(world) { try await here[id].outcome(of: .append(1, Reply { _ in })) },
        await answer(world) { try await here[id].currentState() },
      ] {
        #expect(answer.text.contains("there is no such job"))
        #expect(answer.time < .seconds(1))
      }
    }
  }

  @Test func `a journal that cannot be read is reported at once, also to another host`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<3) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (here, _) = (one.jobs(), two.jobs())
      try await world.sleep(.seconds(3))
      let id = two.jobIDs(1)[0]
      try await corrupt(JournalKey(name: "job", id: id), by: one, in: world)
      let answer = await answer(world) { try await here[id].ask { .append(1, $0) } }
      #expect(answer.text.contains("entry 1"))
      #expect(answer.time < .seconds(1))
    }
  }

  /// Has a host that is gone by now have written an entry that cannot be read.
  private func corrupt(
    _ key: JournalKey, by machine: SimulatedMachine, in world: SimulatedWorld
  ) async throws {
    let store = SimulatedConnection(machine: machine)
    let host = ClusterHost(id: HostID(world.makeID()), address: "old")
    _ = try await store.join(host, lease: .seconds(60))
    let taking = try await store.take(key, for: host.id, version: 1, limit: 5)
    guard case .taken(let epoch, _) = taking else { throw NoSuchJob() }
    let entry = JournalEntry(sequence: 1, version: 1, payload: Data("{}".utf8), time: Date())
    try await store.append(
      ClusterBatch(entries: [entry], isFirst: true), to: key, by: host.id, epoch: epoch)
    try await store.release(key, by: host.id, epoch: epoch)
    try await store.leave(host.id)
    try await world.sleep(.seconds(3))
  }

  @Test func `an action that cannot be encoded is refused in one line`() async throws {
    try await simulatedWorld(seeds: 0..<1) { world in
      let (one, two) = (try await world.start("a"), try await world.start("b"))
      let (here, _) = (one.numbers(), two.numbers())
      try await world.sleep(.seconds(3))
      let own = two.node.incarnation?.id
      let id = (0...).lazy.map { "\($0)" }.first {
        two.node.incarnation?.place("number", $0)?.id == own
      }
      await #expect(throws: ClusterError.self) { try await here[id ?? ""].send(.nan) }
    }
  }
}

/// Takes a number that JSON has no word for.
private actor NumberReactor: Reactor, JournaledReactor {
  typealias Action = Double
  typealias Mutation = Double
  typealias State = Double
  static let journalName = "number"
  static let journalVersion = 1
  static let initialState = 0.0
  let pipeline = Pipeline()
  static func reduce(state: inout Double, mutation: Double) { state = mutation }
}

extension SimulatedMachine {
  fileprivate func numbers() -> ClusterRegistry<NumberReactor> {
    ReactorCluster(node: node).registry(of: NumberReactor.self, idle: nil) { _ in NumberReactor() }
  }
}
