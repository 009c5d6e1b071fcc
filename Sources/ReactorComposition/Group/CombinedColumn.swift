import Reactor
import ReactorRuntime

/// The states of one reactor among several, received and shown one by one.
///
/// Guard: the lock of the combination.
protocol CombinedColumn: AnyObject, Sendable {
  /// The member whose turns are followed.
  ///
  /// It is `nil` if the states are not the ones that an engine reduces: behind a
  /// `transform(state:)`, or derived from other states.
  var member: GroupMember? { get }
  /// The version of the next state that was received.
  var nextVersion: UInt64? { get }
  /// Shows the next state.
  func take()
  /// Releases, outside the lock, the states that are no longer shown.
  func release(under combination: CombinationState)
  /// Marks the reactor's current state.
  func mark(_ progress: RelayProgress) -> RelayMark
  /// Starts to observe.
  ///
  /// - Parameter received: Called with a closure that appends a state to the column and returns its
  ///   version, or returns `nil` at the end. It returns whether to continue.
  /// - Returns: The task that observes.
  func observe(
    _ received: @escaping @Sendable (_ append: () -> UInt64?) -> Bool
  ) -> Task<Void, Never>
}

/// The states of a reactor.
///
/// `@unchecked`. Guard of every mutable field: the lock of the combination.
final class StateColumn<State: Sendable>: CombinedColumn, @unchecked Sendable {
  private let states: Nested<StateStream<State>>
  /// The states that were received and are not shown yet.
  private var pending = FIFO<(state: State, version: UInt64)>()
  /// The state that is shown; set as soon as the combination has begun.
  private(set) var current: State?
  private var replaced: [State] = []

  init(_ states: StateStream<State>) { self.states = Nested(states) }

  var member: GroupMember? { states.value.engine.map { $0.member } }

  var nextVersion: UInt64? { pending.first?.version }

  func take() {
    if let current { replaced.append(current) }
    current = pending.popFirst()?.state
  }

  func release(under combination: CombinationState) {
    let replaced = combination.contents.withLock { _ in
      defer { self.replaced = [] }
      return self.replaced
    }
    withExtendedLifetime(replaced) {}
  }

  func mark(_ progress: RelayProgress) -> RelayMark { progress.mark(states.value) }

  func observe(
    _ received: @escaping @Sendable (_ append: () -> UInt64?) -> Bool
  ) -> Task<Void, Never> {
    let iterator = states.value.everyState()
    return PipelineTasks.make { [weak self] in
      var iterator = iterator
      while let state = await iterator.next() {
        let version = iterator.version ?? 0
        let isWanted = received {
          self?.pending.append((state, version))
          return version
        }
        guard isWanted else { return }
      }
      _ = received { nil }
    }
  }
}
