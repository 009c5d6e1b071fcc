import ReactorMachines
public import ReactorRuntime
import Synchronization

/// An observer's place among the subscribers of states: when it is released, the place is given up.
///
/// It holds the owner, which holds no subscription: so neither has to hold the other weakly.
@usableFromInline
final class StateSubscription<State: Sendable>: Sendable {
  @usableFromInline let broadcast: Broadcast<State>
  @usableFromInline let slot: Int
  @usableFromInline let owner: (any StateOwner<State>)?
  @usableFromInline let policy: StateBuffering
  /// Whether an iterator has it, where it was taken beforehand.
  let isTaken = Atomic(false)
  /// Called when the observer asks for more than there is: with the version that it has seen last,
  /// and whether that was the last of all.
  @usableFromInline let hasSeenAll: SeenAll?

  @usableFromInline
  typealias SeenAll = @Sendable (_ version: UInt64, _ isEnd: Bool) -> Void

  init(
    _ broadcast: Broadcast<State>, of owner: (any StateOwner<State>)?,
    _ policy: StateBuffering = .everyState, asksFirst: Bool = false, hasSeenAll: SeenAll? = nil
  ) {
    self.broadcast = broadcast
    self.owner = owner
    self.policy = policy
    self.hasSeenAll = hasSeenAll
    slot = broadcast.subscribe(policy.policy, asksFirst: asksFirst)
    owner?.newcomer()
  }

  deinit {
    let isDeserted = broadcast.leave(slot, isReleased: true)
    if isDeserted { owner?.giveBack(broadcast) }
  }

  /// The version of the state that was read last; 0 before the first.
  @usableFromInline var version: UInt64 { broadcast.seen(slot) ?? 0 }

  /// The next state; `nil` at the end, or once the observer's task is cancelled, which also gives
  /// the place up.
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
        if let hasSeenAll { hasSeenAll(version, false) }
        if await owner?.workInPlace() == true {
          // Now and then it makes way for others that wait for the same executor.
          if id % 64 == 0 { await Task.yield() }
          step = broadcast.step(slot)
        } else {
          step = await broadcast.wait(slot, id)
        }
      case .ask:
        await owner?.answer(self)
        // The owner does not answer a task that is cancelled: it would be asked for ever.
        step = Task.isCancelled ? .end : broadcast.step(slot)
      }
    }
  }

  @usableFromInline
  func end() {
    if broadcast.isFinished { hasSeenAll?(version, true) }
    if Task.isCancelled { broadcast.leave(slot, isReleased: false) }
  }
}

/// What knows the current state: an observer's way to the pipeline, which it does not know.
@usableFromInline
protocol StateOwner<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  /// Offers the current state, where there is one, to an observer that asks for it.
  nonisolated(nonsending) func answer(_ subscription: StateSubscription<State>) async
  /// Does now, on the caller's executor, what the caller would wait for, where that is the owner's
  /// executor too.
  ///
  /// - Returns: Whether anything was done.
  nonisolated(nonsending) func workInPlace() async -> Bool
  /// An observer has come that has not seen a state yet; from any thread.
  func newcomer()
  /// The last observer has gone, as far as it knew; from any thread.
  func giveBack(_ deserted: Broadcast<State>)
}

extension StateOwner {
  /// An owner that has no executor.
  @usableFromInline
  nonisolated(nonsending) func workInPlace() async -> Bool { false }
}

/// Where a stream finds its states, when an observer comes.
@usableFromInline
protocol StateSource<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  /// Takes a place among the observers.
  func subscribe(_ policy: StateBuffering) -> StateSubscription<State>
}

/// A place taken before anything iterates, so that the hook over the states sees the first of them.
///
/// The first iterator has it; once the hook has ended, the pipeline goes on from where that
/// iterator came to.
extension StateSubscription: StateSource {
  /// A place beside it.
  @usableFromInline
  func subscribe(_ policy: StateBuffering) -> StateSubscription {
    StateSubscription(broadcast, of: owner, policy, hasSeenAll: hasSeenAll)
  }

  /// The place, for the first that asks.
  func take() -> StateSubscription? {
    isTaken.exchange(true, ordering: .relaxed) ? nil : self
  }
}
