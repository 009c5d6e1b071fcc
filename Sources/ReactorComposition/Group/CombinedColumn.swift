import Reactor
import ReactorRuntime

/// The states of one reactor among several, as they come and are shown.
///
/// Guard: the lock of the book.
protocol CombinedColumn: AnyObject, Sendable {
  /// The member whose turns are looked at; `nil` where the states are not those that an engine
  /// reduces: behind a `transform(state:)`, or made of others.
  var member: GroupMember? { get }
  /// The version of the next state that has come.
  var nextVersion: UInt64? { get }
  /// Shows the next state.
  func take()
  /// Releases, outside the lock, what is shown no more.
  func release(under book: CombinedBook)
  /// Notes which state the reactor has now.
  func mark(_ progress: RelayProgress) -> RelayMark
  /// Begins to observe.
  ///
  /// - Parameter received: Called with what puts a state into the column, or nothing at the end;
  ///   returns whether to go on.
  /// - Returns: The task that does.
  func observe(
    _ received: @escaping @Sendable (_ news: () -> UInt64?) -> Bool
  ) -> Task<Void, Never>
}

/// The states of a reactor.
///
/// `@unchecked`. Guard of every field that varies: the lock of the book.
final class StateColumn<State: Sendable>: CombinedColumn, @unchecked Sendable {
  private let states: Nested<StateStream<State>>
  /// What has come and is not shown yet.
  private var coming = FIFO<(state: State, version: UInt64)>()
  /// What is shown; there, once the book has begun.
  private(set) var current: State?
  private var past: [State] = []

  init(_ states: StateStream<State>) { self.states = Nested(states) }

  var member: GroupMember? { states.value.engine.map { $0.member } }

  var nextVersion: UInt64? { coming.first?.version }

  func take() {
    if let current { past.append(current) }
    current = coming.popFirst()?.state
  }

  func release(under book: CombinedBook) {
    let past = book.contents.withLock { _ in
      defer { self.past = [] }
      return self.past
    }
    withExtendedLifetime(past) {}
  }

  func mark(_ progress: RelayProgress) -> RelayMark { progress.mark(states.value) }

  func observe(
    _ received: @escaping @Sendable (_ news: () -> UInt64?) -> Bool
  ) -> Task<Void, Never> {
    let iterator = states.value.everyState()
    return PipelineTasks.make { [weak self] in
      var iterator = iterator
      while let state = await iterator.next() {
        let version = iterator.version ?? 0
        let isWanted = received {
          self?.coming.append((state, version))
          return version
        }
        guard isWanted else { return }
      }
      _ = received { nil }
    }
  }
}
