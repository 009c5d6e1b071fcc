/// One published state, and the way to the one after it.
///
/// A chain of nodes is kept alive by the observers that still stand before it, and by nothing else:
/// a state lives exactly as long as the slowest observer that has yet to see it.
///
/// `@unchecked`. Guard of `next`: the lock of the broadcaster that made the node; in `deinit`,
/// nobody else is left.
@usableFromInline
final class StateNode<State: Sendable>: @unchecked Sendable {
  @usableFromInline let state: State
  @usableFromInline let version: UInt64

  @exclusivity(unchecked) @usableFromInline var next: StateNode?

  @inlinable
  init(state: State, version: UInt64) {
    self.state = state
    self.version = version
  }

  /// Lets a long chain go one node at a time: the default would recurse once per node.
  ///
  /// Without generic functions, as `take` of an optional is: a `deinit` would have to look their
  /// types up.
  @inlinable
  deinit {
    var link = next
    next = nil
    while isKnownUniquelyReferenced(&link) {
      let node = link.unsafelyUnwrapped
      link = node.next
      node.next = nil
    }
  }
}

/// One observer of a ``StateBroadcaster``.
///
/// `@unchecked`. Guard of `place`: the lock of the broadcaster it belongs to.
@usableFromInline
final class StateCursor<State: Sendable>: @unchecked Sendable {
  @usableFromInline let wantsNewestOnly: Bool
  /// How many states that have yet to be seen are kept.
  @usableFromInline let limit: Int
  /// Where it stands.
  ///
  /// Exclusivity is not checked at run time, which would cost more than all else here.
  @exclusivity(unchecked) @usableFromInline var place = StatePlace<State>()

  @inlinable
  init(wantsNewestOnly: Bool, limit: Int = .max) {
    self.wantsNewestOnly = wantsNewestOnly
    self.limit = limit
  }
}

/// Where an observer stands among the states, and in which of the broadcaster's lists.
@usableFromInline
struct StatePlace<State: Sendable>: Sendable {
  @usableFromInline
  enum Position: Sendable {
    /// Registered; the state to begin with is not known yet.
    case waitingForFirst
    /// Next comes this node.
    case before(StateNode<State>)
    /// This node has been delivered.
    case at(StateNode<State>)
    case gone
  }

  @usableFromInline var position = Position.waitingForFirst
  /// What the observer's task waits with, while it waits.
  @usableFromInline var continuation: CheckedContinuation<StateStep<State>, Never>?
  /// Whether it is gone for good.
  @usableFromInline var hasLeft = false
  /// Whether the owner has to be asked before the first state is delivered, also if that is there.
  @usableFromInline var asksFirst = false
  /// Whether the owner of the state has been asked for the first one.
  @usableFromInline var hasAsked = false
  /// Whether the owner turned out to be gone: the end is all that can come.
  @usableFromInline var isOrphan = false
  /// How often it has let the owner work instead of waiting.
  @usableFromInline var stepsInPlace: UInt8 = 0
  /// The version last delivered to an observer of the newest state.
  @usableFromInline var seen: UInt64?
  /// A state set aside for an observer of the newest state that is about to wait.
  @usableFromInline var offer: State?
  /// Its index in each list that it is in, so that leaving costs the same however long the list is.
  @usableFromInline var waitingIndex: Int?
  @usableFromInline var pendingIndex: Int?
  @usableFromInline var limitedIndex: Int?
  /// How many states it has yet to see, and how many were left out since the last one it saw; kept
  /// only where there is a limit.
  @usableFromInline var unseen = 0
  @usableFromInline var skipped = 0
  /// How many were left out before the last one it saw.
  @usableFromInline var skippedBefore = 0

  @inlinable
  init() {}

  /// It is given a state.
  @inlinable
  mutating func markSeen() {
    unseen -= 1
    skippedBefore = skipped
    skipped = 0
  }
}

/// What an observer that asks for its next state should do.
@usableFromInline
enum StateStep<State: Sendable>: Sendable {
  case deliver(State, releasing: StateNode<State>?)
  /// Ask the owner of the state first: it alone knows the current one.
  case askOwner
  case wait
  case end
}
