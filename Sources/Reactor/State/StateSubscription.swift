import ReactorMachines
public import ReactorRuntime
import Synchronization

/// A subscription to states, which ends when it is released.
///
/// It retains the owner, which retains no subscription, so neither needs a weak reference to the
/// other.
@usableFromInline
final class StateSubscription<State: Sendable>: Sendable {
  @usableFromInline let broadcast: Broadcast<State>
  @usableFromInline let slot: Int
  @usableFromInline let owner: (any StateOwner<State>)?
  @usableFromInline let policy: StateBuffering
  /// Whether an iterator uses it, if it was made in advance.
  let isTaken = Atomic(false)
  /// Called when the subscriber has read all states and requests one more: with the version that it
  /// has read last, and whether that was the last of all.
  @usableFromInline let onAllRead: AllReadHandler?

  @usableFromInline
  typealias AllReadHandler = @Sendable (_ version: UInt64, _ isEnd: Bool) -> Void

  init(
    _ broadcast: Broadcast<State>, of owner: (any StateOwner<State>)?,
    _ policy: StateBuffering = .everyState, beginsAtSource: Bool = false,
    onAllRead: AllReadHandler? = nil
  ) {
    self.broadcast = broadcast
    self.owner = owner
    self.policy = policy
    self.onAllRead = onAllRead
    slot = broadcast.subscribe(policy.policy, beginsAtSource: beginsAtSource)
    owner?.subscriberAdded()
  }

  deinit {
    let isUnneeded = broadcast.unsubscribe(slot, isReleased: true)
    if isUnneeded { owner?.lastSubscriberReleased(broadcast) }
  }

  /// The version of the state that was read last; 0 before the first.
  @usableFromInline var version: UInt64 { broadcast.seen(slot) ?? 0 }

  /// Returns the next state; `nil` at the end, or once the subscriber's task is cancelled, which
  /// also ends the subscription.
  @inlinable
  nonisolated(nonsending) func next() async -> State? {
    var step = Task.isCancelled ? .end : broadcast.step(slot)
    while true {
      switch step {
      case .deliver(let state, let skipped):
        if skipped > 0 { policy.skipped?(skipped) }
        return state.element
      case .end:
        end()
        return nil
      case .wait(let id):
        if let onAllRead { onAllRead(version, false) }
        if await owner?.drainInPlace() == true {
          // It yields now and then to other tasks that wait for the same executor.
          if id % 64 == 0 { await Task.yield() }
          step = broadcast.step(slot)
        } else {
          step = await broadcast.wait(slot, id)
        }
      case .ask:
        await owner?.offerCurrentState(to: self)
        // The owner does not answer a task that is cancelled, so this would ask for ever.
        step = Task.isCancelled ? .end : broadcast.step(slot)
      }
    }
  }

  @usableFromInline
  func end() {
    if broadcast.isFinished { onAllRead?(version, true) }
    if Task.isCancelled { broadcast.unsubscribe(slot, isReleased: false) }
  }
}

/// The owner of the current state, as a subscription sees the pipeline.
@usableFromInline
protocol StateOwner<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  /// Offers the current state, if there is one, to a subscriber that requests it.
  nonisolated(nonsending) func offerCurrentState(to subscription: StateSubscription<State>) async
  /// Does now the work that the caller would wait for, if the caller's executor is the owner's,
  /// too.
  ///
  /// - Returns: Whether anything was done.
  nonisolated(nonsending) func drainInPlace() async -> Bool
  /// Called when a subscriber was added that has not read a state yet; on any thread.
  func subscriberAdded()
  /// Called when the last subscriber was released, as far as the broadcast could know; on any
  /// thread.
  func lastSubscriberReleased(_ broadcast: Broadcast<State>)
}

extension StateOwner {
  /// For an owner without an executor.
  @usableFromInline
  nonisolated(nonsending) func drainInPlace() async -> Bool { false }
}

/// The source of a stream's states, for new subscribers.
@usableFromInline
protocol StateSource<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  /// Adds a subscriber.
  func subscribe(_ policy: StateBuffering) -> StateSubscription<State>
}

/// A subscription made before there is an iterator, so that the hook over the states receives the
/// first of them.
///
/// The first iterator uses it. Once the hook has ended, the pipeline continues from that iterator's
/// position.
extension StateSubscription: StateSource {
  /// Adds a further subscriber.
  @usableFromInline
  func subscribe(_ policy: StateBuffering) -> StateSubscription {
    StateSubscription(broadcast, of: owner, policy, onAllRead: onAllRead)
  }

  /// The subscription itself, for the first caller.
  func take() -> StateSubscription? {
    isTaken.exchange(true, ordering: .relaxed) ? nil : self
  }
}
