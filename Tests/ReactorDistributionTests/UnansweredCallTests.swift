import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Calls without a response, since one direction of the connection is cut.
@Suite(.bounded) struct UnansweredCallTests {
  /// Two hosts, of which one has the list "1".
  private func pair(
    _ body:
      @escaping @Sendable (
        _ world: SimulatedWorld, _ owner: SimulatedMachine, _ other: SimulatedMachine
      ) async throws -> Void
  ) async throws {
    try await simulatedWorld { world in
      let machines = [try await world.start("a", idle: nil), try await world.start("b", idle: nil)]
      #expect(try await machines[0].lists["1"].ask { .append(0, $0) } == 1)
      let owner = try #require(machines.first { !$0.lists.idsHere.isEmpty })
      let other = try #require(machines.first { $0.lists.idsHere.isEmpty })
      try await body(world, owner, other)
    }
  }

  private func isLate(_ error: any Error) -> Bool {
    if case ClusterError.failed(_, let failure) = error { failure.kind == .late } else { false }
  }

  /// The outcome of a call in a task of its own; the call may never end.
  private func call(
    _ body: @escaping @Sendable () async throws -> Int
  ) -> Log<Result<Int, any Error>> {
    let log = Log<Result<Int, any Error>>()
    PipelineTasks.inheriting {
      do { log.append(.success(try await body())) } catch { log.append(.failure(error)) }
    }
    return log
  }

  @Test func `a deadline applies though the answer never arrives`() async throws {
    try await pair { world, owner, other in
      owner.cut { $0.to = [other.address] }
      let asked = call {
        try await other.lists["1"].ask(within: .seconds(2)) { .append(1, $0) }
      }
      try await world.sleep(.seconds(3))
      guard case .failure(let error)? = asked.entries.first else {
        Issue.record("it waits without end")
        return
      }
      #expect(isLate(error))
    }
  }

  @Test func `a deadline applies though the store never answers`() async throws {
    try await pair { world, owner, _ in
      owner.cut { $0.toDatabase = true }
      for id in ["1", "2"] {
        let asked = call {
          try await owner.lists[id].ask(within: .seconds(1)) { .append(1, $0) }
        }
        try await world.sleep(.milliseconds(1_100))
        guard case .failure(let error)? = asked.entries.first else {
          Issue.record("it waits for longer")
          return
        }
        #expect(isLate(error))
      }
    }
  }

  @Test func `an answer that never arrives is requested again, and nothing is done twice`()
    async throws
  {
    try await pair { world, owner, other in
      owner.cut { $0.to = [other.address] }
      let asked = call { try await other.lists["1"].ask { .append(1, $0) } }
      try await world.sleep(.seconds(4))
      owner.heal()
      try await world.sleep(.seconds(12))
      guard case .success(2)? = asked.entries.first else {
        Issue.record("\(asked.entries)")
        return
      }
      let key = JournalKey(name: "list", id: "1")
      #expect(world.database.contents.entries(of: key, after: 0, limit: 9).count == 2)
    }
  }

  @Test func `long work is waited for, and done once`() async throws {
    try await pair { world, _, other in
      let place = try await other.lists["1"].ask {
        .appendSlowly(1, milliseconds: 90_000, $0)
      }
      #expect(place == 2)
      #expect(try await other.lists["1"].ask { .read($0) } == [0, 1])
    }
  }

  @Test func `an ask ends at its retry timeout, though no statement has begun`()
    async throws
  {
    try await pair { world, owner, _ in
      owner.cut { $0.beforeDatabase = true }
      let asked = call { try await owner.lists["1"].ask { .append(1, $0) } }
      try await world.sleep(owner.node.options.retryTimeout + .seconds(25))
      guard case .failure(ClusterError.unfinished)? = asked.entries.first else {
        Issue.record("\(asked.entries)")
        return
      }
      owner.heal()
    }
  }

  @Test func `the store is queried for the owner for no longer than the retry timeout`()
    async throws
  {
    try await pair { world, owner, _ in
      owner.cut { $0.beforeDatabase = true }
      let asked = call { try await owner.lists["another"].ask { .append(1, $0) } }
      try await world.sleep(owner.node.options.retryTimeout + .seconds(10))
      guard case .failure(ClusterError.unreachable)? = asked.entries.first else {
        Issue.record("\(asked.entries)")
        return
      }
      owner.heal()
    }
  }
}
