import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// What becomes of a command that goes wrong.
@Suite(.bounded) struct CommandTests {
  @Test func `a command that crashes its host is tried at most twice`() async throws {
    try await simulatedWorld { world in
      var machines: [SimulatedMachine] = []
      for address in ["a", "b", "c", "d", "e", "f"] {
        machines.append(try await world.start(address))
      }
      _ = try await machines[0].lists["1"].ask { .append(0, $0) }
      let asker = try #require(machines.first { $0.lists.idsHere.isEmpty })
      _ = try? await asker.lists["1"].ask { .crash($0) }
      try await world.sleep(.seconds(30))
      #expect(machines.filter(\.isDead).count <= 2)
    }
  }

  @Test func `an outcome that another owner may improve is not stored as the answer`() {
    for kind in [ClusterFailure.Kind.ended, .neverBegun] {
      let command = RunningCommand(UUID())
      command.answer(.failure(ClusterFailure(kind, "the reactor ended")))
      #expect(command.record(at: 1)?.answer == nil)
    }
    let command = RunningCommand(UUID())
    command.answer(.failure(ClusterFailure(.failed, "sold out")))
    #expect(command.record(at: 1)?.answer != nil)
  }

  @Test func `if a repetition arrives first, the original is not run`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let one = try await world.start("a", idle: nil)
      var head = CallRequest.Head(verb: .ask, name: "list", id: "1", command: world.makeID())
      let payload = try JSONEncoder().encode(ListReactor.Action.append(7, Reply { _ in }))
      head.attempt = 2
      let frame = try CallRequest(head, payload: payload).encoded()
      _ = try await one.answer(frame, "secret")
      head.attempt = 1
      let late = try CallRequest(head, payload: payload).encoded()
      _ = try await one.answer(late, "secret")
      #expect(try await one.lists["1"].ask { .read($0) } == [7])
    }
  }

  @Test func `cancelling is accepted at the limit of calls`() async throws {
    try await simulatedWorld(seeds: 0..<3) { world in
      let one = try await world.start("a") { $0.callLimit = 0 }
      let head = CallRequest.Head(verb: .cancel, name: "list", id: "1", command: world.makeID())
      let frame = try CallRequest(head).encoded()
      let answer = try CallResponse(frame: try await one.answer(frame, "secret"))
      #expect(answer.head.word == .result)
    }
  }

  @Test(arguments: [true, false])
  func `a command behind a mutation hook is done once, also if its host is killed`(
    isAtOnce: Bool
  ) async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      let kinds = machines.map { machine in
        ReactorCluster(node: machine.node).registry(of: HookedReactor.self, idle: nil) { _ in
          HookedReactor(world.simulation.clock)
        }
      }
      try await world.sleep(.seconds(3))
      _ = try await kinds[0]["1"].ask { .append(0, $0) }
      let owner = try #require(kinds.indices.first { !kinds[$0].idsHere.isEmpty })
      let asking = RunningCall {
        try await kinds[1 - owner]["1"].ask {
          isAtOnce ? .appendAndHang(7, $0) : .appendInEffectAndHang(7, $0)
        }
      }
      let key = JournalKey(name: "hooked", id: "1")
      while world.database.contents.entries(of: key, after: 1, limit: 9).isEmpty {
        try await world.sleep(.milliseconds(100))
      }
      machines[owner].kill()
      // Done once more, it would hang there.
      try await world.sleep(.seconds(20))
      #expect(try await kinds[1 - owner]["1"].currentState() == [0, 7])
      asking.cancel()
      await #expect {
        try await asking.value
      } throws: { error in
        if case ClusterError.unfinished = error { true } else { false }
      }
    }
  }
}

/// Adds, through a hook, and may never answer.
private actor HookedReactor: Reactor, JournaledReactor {
  enum Action: Codable, Sendable {
    case append(Int, Reply<Int>)
    case appendAndHang(Int, Reply<Int>)
    case appendInEffectAndHang(Int, Reply<Int>)
  }

  typealias Mutation = Int
  typealias State = [Int]

  static let journalName = "hooked"
  static let journalVersion = 1
  static let initialState: [Int] = []
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>
  private var retained: [Reply<Int>] = []

  init(_ clock: any Clock<Duration>) { self.clock = clock }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .append(let item, let reply):
      reply(currentState.count + 1)
      return .just(item)
    case .appendAndHang(let item, let reply):
      retained.append(reply)
      return .just(item)
    case .appendInEffectAndHang(let item, let reply):
      return .run { [clock] emit in
        await emit(item)
        try await clock.sleep(for: .seconds(100_000))
        reply(item)
      }
    }
  }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(AsyncStream { _ in }).map { $0 }
  }

  static func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) {}
}
