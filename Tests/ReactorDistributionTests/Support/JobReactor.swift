import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestSupport

@testable import ReactorDistribution

/// Does work that takes time, records when it begins and ends, and asks others of its kind.
actor JobReactor: Reactor, JournaledReactor {
  enum Action: Codable, Sendable {
    /// Adds, and answers with how many there are then.
    case append(Int, Reply<Int>)
    /// Adds after some milliseconds, and answers with the same number.
    case work(Int, milliseconds: Int, Reply<Int>)
    /// Fails after some milliseconds, and adds nothing.
    case fail(milliseconds: Int, Reply<Int>)
    /// Waits for ever.
    case hang(Reply<Int>)
    /// Adds, and waits for ever.
    case begin(Int, Reply<Int>)
    /// Has another one work after some milliseconds, and answers with what that has answered.
    case consult(String, after: Int, milliseconds: Int, Reply<Int>)
  }

  struct Failed: ExpectedError, CustomStringConvertible {
    var description: String { "it has failed" }
  }

  typealias Mutation = Int
  typealias State = [Int]

  static let journalName = "job"
  static let journalVersion = 1
  static let initialState: [Int] = []
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>
  private let jobLog: JobLog
  private let other: @Sendable (String) -> ClusteredReactor<JobReactor>?

  init(
    _ clock: any Clock<Duration> = ContinuousClock(), _ jobLog: JobLog = JobLog(),
    other: @escaping @Sendable (String) -> ClusteredReactor<JobReactor>? = { _ in nil }
  ) { (self.clock, self.jobLog, self.other) = (clock, jobLog, other) }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .append(let item, let reply):
      reply(currentState.count + 1)
      return .just(item)
    case .work(let item, let milliseconds, let reply):
      return run(milliseconds) { emit in
        await emit(item)
        reply(item)
      }
    case .fail(let milliseconds, _): return run(milliseconds) { _ in throw Failed() }
    case .hang(let reply): return run(100_000_000) { _ in reply(0) }
    case .begin(let item, let reply):
      return .run { [clock] emit in
        await emit(item)
        try await clock.sleep(for: .seconds(100_000))
        reply(0)
      }
    case .consult(let id, let pause, let milliseconds, let reply):
      return run(pause) { [other] _ in
        guard let other = other(id) else { return }
        reply(try await other.ask { .work(1, milliseconds: milliseconds, $0) })
      }
    }
  }

  private nonisolated func run(
    _ milliseconds: Int, _ body: @escaping @Sendable (MutationEmitter<Int>) async throws -> Void
  ) -> MutationStream<Int> {
    .run { [clock, jobLog] emit in
      jobLog.begun.append(milliseconds)
      defer { jobLog.ended.append(milliseconds) }
      try await clock.sleep(for: .milliseconds(milliseconds))
      try await body(emit)
    }
  }

  static func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) {}
}

/// Which jobs have begun, and which have ended, by how many milliseconds they take.
struct JobLog: Sendable {
  let begun = Log<Int>()
  let ended = Log<Int>()
}

extension SimulatedMachine {
  /// The machine's registry of jobs; call it once.
  ///
  /// - Parameters:
  ///   - jobLog: Records what they do.
  ///   - before: Called before one is made.
  /// - Returns: The registry.
  @discardableResult
  func jobs(
    _ jobLog: JobLog = JobLog(),
    before: @escaping @Sendable (MachineClock) async throws -> Void = { _ in }
  ) -> ClusterRegistry<JobReactor> {
    let clock = MachineClock(machine: self)
    let place = Guarded<ClusterRegistry<JobReactor>?>(nil)
    let made = ReactorCluster(node: node).registry(of: JobReactor.self, idle: nil) { _ in
      try await before(clock)
      return JobReactor(clock, jobLog) { id in place.withLock { $0 }.map { $0[id] } }
    }
    place.withLock { $0 = made }
    return made
  }

  /// Identifiers of jobs that belong to this machine.
  func jobIDs(_ count: Int) -> [String] {
    let own = node.incarnation?.id
    let all = (0...).lazy.map { "k\($0)" }
    return Array(all.filter { self.node.incarnation?.place("job", $0)?.id == own }.prefix(count))
  }
}
