/// The plain value that decides who gets which state when: no lock, no task.
///
/// One writer appends nodes to a list; each observer holds a place in it. Publishing costs the same
/// for any number of observers that are not waiting.
@usableFromInline
struct StateFanOut<State: Sendable>: Sendable {
  @usableFromInline typealias Cursor = StateCursor<State>
  @usableFromInline typealias Step = StateStep<State>
  @usableFromInline typealias Continuation = CheckedContinuation<Step, Never>

  /// The newest node, while there is somebody to see it or `keepsLatest` is set.
  @usableFromInline var tail: StateNode<State>?
  /// Everybody who has come and not gone.
  @usableFromInline var observers = 0
  /// Observers of every state that have a place in the list.
  @usableFromInline var followers = 0
  /// Observers whose first state is not known yet.
  @usableFromInline var pending: [Cursor] = []
  /// Those of them for whom only so many states are kept.
  @usableFromInline var limited: [Cursor] = []
  /// Observers to be told of the next state.
  @usableFromInline var waiting: [Cursor] = []
  @usableFromInline var isFinished = false
  /// Whether the newest state is kept for late observers, here rather than by the owner.
  @usableFromInline var keepsLatest = false

  /// Whether every state is needed beside those of observers: by a sink, or for children.
  @usableFromInline var showsEveryState = false

  @inlinable
  init() {}

  /// Whether nobody would miss this if it went.
  @inlinable
  var isDeserted: Bool { observers == 0 && !keepsLatest && !showsEveryState }

  /// Whether a new state would matter to anybody.
  @inlinable
  var isWatched: Bool {
    followers > 0 || !pending.isEmpty || !waiting.isEmpty || showsEveryState
  }

  // MARK: Coming and going

  @inlinable
  mutating func register(_ cursor: Cursor) {
    observers += 1
    guard !cursor.wantsNewestOnly else { return }
    if let tail {
      place(cursor, before: tail)
    } else {
      cursor.place.pendingIndex = pending.count
      pending.append(cursor)
    }
  }

  /// Gives every new observer the state it begins with.
  @inlinable
  mutating func attachPending(to state: @autoclosure () -> State, version: UInt64) {
    guard !pending.isEmpty else { return }
    let first = tail ?? StateNode(state: state(), version: version)
    tail = first
    for cursor in pending {
      cursor.place.pendingIndex = nil
      place(cursor, before: first)
    }
    pending.removeAll(keepingCapacity: pending.count <= 64)
  }

  @inlinable
  mutating func place(_ cursor: Cursor, before node: StateNode<State>) {
    cursor.place.position = .before(node)
    followers += 1
    guard cursor.limit != .max else { return }
    cursor.place.unseen = 1
    cursor.place.limitedIndex = limited.count
    limited.append(cursor)
  }

  /// Takes an observer out; what is returned must be released, and resumed, outside the lock.
  @inlinable
  mutating func leave(_ cursor: Cursor) -> (Continuation?, [StateNode<State>?], State?) {
    var released: [StateNode<State>?] = []
    if !cursor.place.hasLeft { observers -= 1 }
    cursor.place.hasLeft = true
    switch cursor.place.position {
    case .waitingForFirst:
      if let index = cursor.place.pendingIndex.take() {
        Self.remove(index, from: &pending)?.place.pendingIndex = index
      }
    case .before(let node), .at(let node):
      released.append(node)
      followers -= 1
    case .gone: break
    }
    if let index = cursor.place.waitingIndex.take() {
      Self.remove(index, from: &waiting)?.place.waitingIndex = index
    }
    if let index = cursor.place.limitedIndex.take() {
      Self.remove(index, from: &limited)?.place.limitedIndex = index
    }
    cursor.place.position = .gone
    if followers == 0, !keepsLatest { released.append(tail.take()) }
    return (cursor.place.continuation.take(), released, cursor.place.offer.take())
  }

  /// - Returns: Who has got its place, if somebody has.
  @inlinable
  static func remove(_ index: Int, from list: inout [Cursor]) -> Cursor? {
    let last = list.removeLast()
    guard index < list.count else { return nil }
    list[index] = last
    return last
  }
}
