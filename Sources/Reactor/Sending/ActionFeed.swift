import ReactorRuntime

/// A sequence whose elements are sent to a reactor as actions, for as long as this value is
/// retained.
///
/// ```swift
/// let feed = counter.send(contentsOf: taps)  // release it, or call `cancel()`, to end it
/// ```
///
/// Made by ``Reactor/Reactor/send(contentsOf:)`` and
/// ``Reactor/Reactor/send(contentsOf:catching:)``. It does not keep the reactor alive.
///
/// **Ends** when the sequence ends or fails, when the reactor is stopped or released, and when this
/// value is released or cancelled; whichever is first. Then the task that iterates the sequence is
/// cancelled. A reactor that is restarted needs a new feed.
public final class ActionFeed: Sendable {
  /// Why a feed has ended.
  public enum End: Sendable {
    /// The sequence has ended.
    case finished
    /// The sequence has thrown this error.
    case failed(any Error)
    /// The reactor has been stopped or released.
    case reactorEnded
    /// The feed was cancelled; or the task that waited for its end was.
    case cancelled
  }

  private enum Life: Sendable {
    case running([Task<Void, Never>], waiting: IdentityList<Latch>)
    case ended(End)

    /// - Returns: The tasks to cancel: these, if the feed has already ended.
    mutating func add(_ tasks: [Task<Void, Never>]) -> [Task<Void, Never>] {
      guard case .running(let others, let waiting) = self else { return tasks }
      self = .running(others + tasks, waiting: waiting)
      return []
    }

    /// - Returns: The tasks to cancel, and the latches to open; none if the feed had already ended.
    mutating func finish(_ end: End) -> ([Task<Void, Never>], [Latch]) {
      guard case .running(let tasks, let waiting) = self else { return ([], []) }
      self = .ended(end)
      return (tasks, waiting.all)
    }

    /// - Returns: Whether there is something to wait for.
    mutating func wait(at latch: Latch) -> Bool {
      guard case .running(let tasks, var waiting) = self else { return false }
      waiting.append(latch)
      self = .running(tasks, waiting: waiting)
      return true
    }

    /// - Returns: The end, if it is known.
    mutating func stopWaiting(at latch: Latch) -> End? {
      switch self {
      case .ended(let end): return end
      case .running(let tasks, var waiting):
        waiting.remove(latch.id)
        self = .running(tasks, waiting: waiting)
        return nil
      }
    }
  }

  /// Guard: its own lock; tasks are cancelled and latches opened outside it.
  private let life = Guarded(Life.running([], waiting: IdentityList()))

  init() {}

  deinit { finish(.cancelled) }

  /// Ends the feed: no further element is sent.
  ///
  /// **Runs on** any thread. An element that the sequence has already delivered may still be sent
  /// while this is called, but not after it has returned and the feed's task has ended.
  public func cancel() { finish(.cancelled) }

  /// Waits until the feed has ended, and returns why.
  ///
  /// Actions that were sent may still have work. **If the waiting task is cancelled**, it returns
  /// ``End/cancelled`` early, and the feed continues.
  public var end: End {
    get async {
      let latch = Latch()
      if life.withLock({ $0.wait(at: latch) }) { await latch.wait() }
      return life.withLock { $0.stopWaiting(at: latch) } ?? .cancelled
    }
  }

  func add(_ tasks: [Task<Void, Never>]) {
    for task in life.withLock({ $0.add(tasks) }) { task.cancel() }
  }

  func finish(_ end: End) {
    let (tasks, waiting) = life.withLock { $0.finish(end) }
    for task in tasks { task.cancel() }
    for latch in waiting { latch.open() }
  }
}
