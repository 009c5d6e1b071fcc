/// The writer's side: a new state goes to those who wait for it, and into the list for the others.
extension StateBroadcaster {
  /// Gives observers that came since the last state the current one to begin with.
  @inlinable
  func attachPending(to state: @autoclosure () -> State, version: UInt64) {
    change { $0.attachPending(to: state(), version: version) }
  }

  /// Shows a new state to everybody; returns before anybody has looked.
  @inlinable
  func publish(_ state: State, version: UInt64) {
    let (told, released) = change { $0.publish(state, version: version) }
    for observer in told { observer.resume(returning: .deliver(state, releasing: nil)) }
    withExtendedLifetime(released) {}
  }

  /// Shows a new state to everybody, where the states are counted here and not by the owner.
  @inlinable
  func publishNext(_ state: State) {
    publish(state, version: latestVersion + 1)
  }

  /// Keeps the newest state here from now on, for late observers.
  @inlinable
  func keepLatest() {
    change { $0.keepsLatest = true }
  }

  /// Ends every sequence after what it has yet to see.
  ///
  /// - Parameters:
  ///   - last: The last state, for observers that have not seen it; it is kept for late ones.
  ///   - version: Its version.
  @inlinable
  func finish(with last: State? = nil, version: UInt64 = 0) {
    for (observer, step) in change({ $0.finish(with: last, version: version) }) {
      observer.resume(returning: step)
    }
  }
}

extension StateFanOut {
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
    let (told, offers) = tellWaiting(state, version: version, node: node)
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
  mutating func tellWaiting(
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
