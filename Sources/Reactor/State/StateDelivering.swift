/// The observer's side: the next state, at once where there is one, or when it comes.
extension StateBroadcaster {
  /// The next state for an observer; `nil` at the end, or once the observer's task is cancelled.
  ///
  /// - Parameters:
  ///   - cursor: The observer.
  ///   - owner: Who knows the current state.
  /// - Returns: The state.
  @inlinable
  nonisolated(nonsending) func next(
    _ cursor: Cursor, of owner: (any StateOwner<State>)?
  ) async -> State? {
    var step = Task.isCancelled ? abandon(cursor) : fanOut.withLock { $0.step(cursor) }
    while true {
      switch step {
      case .deliver(let state, let released):
        withExtendedLifetime(released) {}
        return state
      case .end:
        if isFinished, let hasSeenAll { hasSeenAll(version(at: cursor), true) }
        return nil
      case .wait:
        if let hasSeenAll { hasSeenAll(version(at: cursor), false) }
        if await owner?.workInPlace() == true {
          step = await stepInPlace(cursor)
        } else {
          step = await wait(cursor)
        }
      case .askOwner:
        let isOrphan = await owner?.answer(cursor, of: self) != true
        // The owner does not answer a task that is cancelled: it would be asked for ever.
        if Task.isCancelled { _ = abandon(cursor) }
        step = fanOut.withLock { fanOut in
          cursor.place.isOrphan = isOrphan
          return fanOut.step(cursor)
        }
      }
    }
  }

  /// What there is for an observer that has let the owner work instead of waiting.
  ///
  /// Now and then it lets others have their turn, who wait for the same executor.
  @usableFromInline
  nonisolated(nonsending) func stepInPlace(_ cursor: Cursor) async -> StateFanOut<State>.Step {
    let isLong = fanOut.withLock { _ in
      cursor.place.stepsInPlace &+= 1
      return cursor.place.stepsInPlace % 64 == 0
    }
    if isLong { await Task.yield() }
    return fanOut.withLock { $0.step(cursor) }
  }

  @inlinable
  nonisolated(nonsending) func wait(_ cursor: Cursor) async -> StateFanOut<State>.Step {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let step = change { fanOut in
          let step = fanOut.step(cursor)
          if case .wait = step {
            cursor.place.continuation = continuation
            fanOut.arm(cursor)
          }
          return step
        }
        if case .wait = step { return }
        continuation.resume(returning: step)
      }
    } onCancel: {
      leave(cursor)
    }
  }

  @inlinable
  func abandon(_ cursor: Cursor) -> StateFanOut<State>.Step {
    leave(cursor)
    return .end
  }

  /// Answers one observer that asked; see ``StateFanOut/answer(_:with:version:)``.
  @inlinable
  func answer(_ cursor: Cursor, with state: @autoclosure () -> State, version: UInt64) {
    change { fanOut in
      fanOut.attachPending(to: state(), version: version)
      fanOut.answer(cursor, with: state(), version: version)
    }
  }
}

extension StateFanOut {
  @inlinable
  mutating func step(_ cursor: Cursor) -> Step {
    switch cursor.place.position {
    case .gone: return .end
    case .before where cursor.place.asksFirst, .waitingForFirst where cursor.place.asksFirst:
      cursor.place.asksFirst = false
      return .askOwner
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
}
