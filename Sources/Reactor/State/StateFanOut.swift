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

  /// Whether a test looks at every state, or whoever keeps the reactor's children.
  @usableFromInline var showsEveryState = false
  /// Whether every state is told to observers of the reactor.
  @usableFromInline var isTold = false

  @inlinable
  init() {}

  /// Whether nobody would miss this if it went.
  @inlinable
  var isDeserted: Bool { observers == 0 && !keepsLatest && !showsEveryState && !isTold }

  /// Whether a new state would matter to anybody.
  @inlinable
  var isWatched: Bool {
    followers > 0 || !pending.isEmpty || !waiting.isEmpty || showsEveryState || isTold
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
    case .waitingForFirst: remove(cursor, from: \.pending, at: \.place.pendingIndex)
    case .before(let node), .at(let node):
      released.append(node)
      followers -= 1
    case .gone: break
    }
    remove(cursor, from: \.waiting, at: \.place.waitingIndex)
    remove(cursor, from: \.limited, at: \.place.limitedIndex)
    cursor.place.position = .gone
    if followers == 0, !keepsLatest { released.append(tail.take()) }
    return (cursor.place.continuation.take(), released, cursor.place.offer.take())
  }

  @inlinable
  mutating func remove(
    _ cursor: Cursor, from list: WritableKeyPath<Self, [Cursor]>,
    at index: ReferenceWritableKeyPath<Cursor, Int?>
  ) {
    guard let place = cursor[keyPath: index] else { return }
    let last = self[keyPath: list].removeLast()
    if last !== cursor {
      self[keyPath: list][place] = last
      last[keyPath: index] = place
    }
    cursor[keyPath: index] = nil
  }

  // MARK: Delivering

  @inlinable
  mutating func step(_ cursor: Cursor) -> Step {
    switch cursor.place.position {
    case .gone: return .end
    case .before(let node):
      cursor.place.position = .at(node)
      cursor.place.markSeen()
      return .deliver(node.state, releasing: nil)
    case .at(let node):
      guard let next = node.next else { return isFinished ? .end : .wait }
      cursor.place.position = .at(next)
      cursor.place.markSeen()
      return .deliver(next.state, releasing: node)
    case .waitingForFirst:
      return cursor.wantsNewestOnly ? stepToNewest(cursor) : askOnce(cursor, else: .wait)
    }
  }

  @inlinable
  mutating func stepToNewest(_ cursor: Cursor) -> Step {
    if let offer = cursor.place.offer.take() { return .deliver(offer, releasing: nil) }
    if cursor.place.waitingIndex != nil { return .wait }
    guard keepsLatest || cursor.place.isOrphan else { return .askOwner }
    guard let tail, cursor.place.seen != tail.version else { return askOnce(cursor, else: .wait) }
    cursor.place.seen = tail.version
    return .deliver(tail.state, releasing: nil)
  }

  @inlinable
  func askOnce(_ cursor: Cursor, else step: Step) -> Step {
    guard cursor.place.hasAsked else {
      cursor.place.hasAsked = true
      return .askOwner
    }
    return isFinished ? .end : step
  }

  /// The owner's answer to an observer of the newest state.
  @inlinable
  mutating func answer(_ cursor: Cursor, with state: @autoclosure () -> State, version: UInt64) {
    guard cursor.wantsNewestOnly, case .waitingForFirst = cursor.place.position else { return }
    if cursor.place.seen != version {
      cursor.place.seen = version
      cursor.place.offer = state()
    } else if isFinished {
      cursor.place.position = .gone
    } else {
      arm(cursor)
    }
  }

  /// Puts an observer among those to be told of the next state.
  @inlinable
  mutating func arm(_ cursor: Cursor) {
    guard cursor.place.waitingIndex == nil else { return }
    cursor.place.waitingIndex = waiting.count
    waiting.append(cursor)
  }

  /// Publishes a state; outside the lock, the continuations are to be resumed with it and the rest
  /// let go, which may run anybody's `deinit`.
  @inlinable
  mutating func publish(
    _ state: State, version: UInt64
  ) -> (told: [Continuation], released: (StateNode<State>?, [State], [StateNode<State>])) {
    guard !isFinished else { return ([], (nil, [], [])) }
    let old = tail
    var node: StateNode<State>?
    if followers > 0 || !pending.isEmpty || keepsLatest {
      let new = StateNode(state: state, version: version)
      tail?.next = new
      tail = new
      node = new
    }
    // Those who are new begin with this state: for them it is not one more.
    let skipped = limited.isEmpty ? [] : letLimitedSkip()
    attachPending(to: state, version: version)
    let (told, offers) = observeWaiting(state, version: version, node: node)
    return (told, (old, offers, skipped))
  }

  /// Moves those on for whom too many states would be kept.
  ///
  /// - Returns: The nodes they leave, to be let go outside the lock.
  @usableFromInline
  mutating func letLimitedSkip() -> [StateNode<State>] {
    var left: [StateNode<State>] = []
    for cursor in limited {
      cursor.place.unseen += 1
      guard cursor.place.unseen > cursor.limit else { continue }
      switch cursor.place.position {
      case .before(let node): cursor.place.position = .at(node)
      case .at(let node):
        guard let next = node.next else { continue }
        left.append(node)
        cursor.place.position = .at(next)
      case .waitingForFirst, .gone: continue
      }
      cursor.place.unseen -= 1
      cursor.place.skipped += 1
    }
    return left
  }

  @inlinable
  mutating func observeWaiting(
    _ state: State, version: UInt64, node: StateNode<State>?
  ) -> (told: [Continuation], replaced: [State]) {
    guard !waiting.isEmpty else { return ([], []) }
    var told: [Continuation] = []
    var replaced: [State] = []
    for cursor in waiting {
      cursor.place.waitingIndex = nil
      let continuation = cursor.place.continuation.take()
      if cursor.wantsNewestOnly {
        cursor.place.seen = version
        if continuation == nil {
          if let offer = cursor.place.offer.take() { replaced.append(offer) }
          cursor.place.offer = state
        }
      } else if let node, continuation != nil {
        cursor.place.position = .at(node)
        cursor.place.markSeen()
      }
      if let continuation { told.append(continuation) }
    }
    waiting.removeAll(keepingCapacity: waiting.count <= 64)
    return (told, replaced)
  }

  /// Ends every observer's sequence, after what it has yet to see; the continuations are to be
  /// resumed outside the lock.
  @inlinable
  mutating func finish(with last: State?, version: UInt64) -> [(Continuation, Step)] {
    guard !isFinished else { return [] }
    isFinished = true
    keepsLatest = true
    if let last, tail == nil { tail = StateNode(state: last, version: version) }
    if let tail { attachPending(to: tail.state, version: tail.version) }
    let told = waiting
    waiting = []
    return told.compactMap { cursor in
      cursor.place.waitingIndex = nil
      guard let continuation = cursor.place.continuation.take() else { return nil }
      return (continuation, step(cursor))
    }
  }
}
