import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import TestSupport

/// A list that is only added to: its journal is its state, so that a history of it can be checked.
actor ListReactor: Reactor, JournaledReactor {
  enum Action: Codable, Sendable {
    case add(Int)
    /// Adds, and answers with how many there are then.
    case append(Int, Reply<Int>)
    /// The same, after some milliseconds.
    case appendSlowly(Int, milliseconds: Int, Reply<Int>)
    case read(Reply<[Int]>)
    /// Waits for ever.
    case hang(Reply<Int>)
    /// Waits for ever, and does not heed being cancelled.
    case ignore(Reply<Int>)
    /// Takes its host with it.
    case crash(Reply<Int>)
    /// Releases its reply.
    case forget(Reply<Int>)
    case refuse(Reply<Int>)
    /// Asks another reactor, which has been stopped.
    case consult(Reply<Int>)
    /// Fails with the error of this number; see ``Secret``.
    case fail(Int, Reply<Int>)
  }

  struct SoldOut: ExpectedError, CustomStringConvertible {
    var description: String { "sold out" }
  }

  typealias Mutation = Int
  typealias State = [Int]

  static let journalName = "list"
  static let journalVersion = 1
  static let initialState: [Int] = []
  let pipeline = Pipeline()
  let clock: any Clock<Duration>
  /// Called with each action before it is done.
  let onAction: @Sendable (Action) -> Void

  init(
    _ clock: any Clock<Duration> = ContinuousClock(),
    onAction: @escaping @Sendable (Action) -> Void = { _ in }
  ) { (self.clock, self.onAction) = (clock, onAction) }

  func mutate(action: Action) -> MutationStream<Int> {
    onAction(action)
    switch action {
    case .add(let item): return .just(item)
    case .append(let item, let reply):
      reply(currentState.count + 1)
      return .just(item)
    case .appendSlowly(let item, let milliseconds, let reply):
      return .run { [clock] emit in
        try await clock.sleep(for: .milliseconds(milliseconds))
        await emit(item)
        // What a cancelled effect emits is not reduced, and then there is nothing to tell.
        try Task.checkCancellation()
        reply(self.place(of: item))
      }
    case .read(let reply):
      reply(currentState)
      return .empty
    case .hang(let reply):
      return .run { [clock] _ in
        try await clock.sleep(for: .seconds(100_000))
        reply(0)
      }
    case .ignore:
      return .run { [clock] _ in
        await PipelineTasks.inheriting { try? await clock.sleep(for: .seconds(100_000)) }.value
      }
    case .crash, .forget: return .empty
    case .refuse(let reply):
      reply(throwing: SoldOut())
      return .empty
    case .consult(let reply):
      return .run { [clock] _ in
        let other = ListReactor(clock)
        await other.stop().settled
        reply(try await other.ask { .append(1, $0) })
      }
    case .fail(let number, _): return .run { _ in throw Secret.errors[number].value }
    }
  }

  private func place(of item: Int) -> Int { (currentState.firstIndex(of: item) ?? -1) + 1 }

  static func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) {}
}
