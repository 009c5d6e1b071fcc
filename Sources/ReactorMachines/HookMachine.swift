/// The input of a hook: many producers, one consumer, in order.
///
/// Elements are numbered in the order in which they are pushed. A hook has passed an element on
/// when it requests the next one. Each task that requests elements has a number, so that a task
/// that was replaced by another cannot end the other's waiting.
///
/// ```
///            pull, nothing there                     push
///   busy ───────────────────────▶ asking ─────────────────────────▶ busy(current)
///     │ finish                       │ finish
///     └─────────▶ finished ◀─────────┘
/// ```
///
/// | event | busy | asking | finished |
/// |---|---|---|---|
/// | `claim` | whether it is the first | the same | the same |
/// | `push` | enqueued | delivered | refused |
/// | `pull` | the next, or asking | replaces the task that asks | end |
/// | `pull`, cancelled | the next, or end | end | end |
/// | `withdraw` | whether it waited | false | false |
/// | `cancel` | false | busy, if that task asks: resumed with the end | false |
/// | `finish` | what is dropped | what asks is resumed with the end | – |
@usableFromInline
package struct HookMachine: Sendable, Hashable {
  private enum State: Sendable, Hashable {
    /// The hook has this element, if any.
    case busy(current: UInt64?)
    /// The hook has passed everything on, and the task with this number waits for the next element.
    case asking(UInt64)
    case finished
  }

  private var state = State.busy(current: nil)
  private var queue = NumberQueue()
  private var pushed: UInt64 = 0
  private var isClaimed = false

  @usableFromInline
  package init() {}

  package var current: UInt64? { if case .busy(let current) = state { current } else { nil } }
  package var count: Int { queue.count }
  package var isFinished: Bool { state == .finished }
  /// Whether the hook has no element, and none is queued for it.
  package var isIdle: Bool { queue.isEmpty && current == nil }

  /// Whether the hook has passed on or dropped everything it was given.
  ///
  /// A hook that has not begun is at rest only if nothing is queued for it.
  @usableFromInline package var isAtRest: Bool {
    switch state {
    case .busy: !isClaimed && isIdle
    case .asking, .finished: true
    }
  }

  /// - Returns: True for the first iterator, which gets the elements.
  package mutating func claim() -> Bool {
    defer { isClaimed = true }
    return !isClaimed
  }

  @usableFromInline
  package enum Push: Sendable, Hashable {
    /// The task that waits has to be resumed with the element.
    case deliver(UInt64)
    case enqueued(UInt64)
    case refused
  }

  @usableFromInline
  package mutating func push() -> Push {
    guard state != .finished else { return .refused }
    let number = pushed
    pushed += 1
    guard case .asking = state else {
      queue.append(number)
      return .enqueued(number)
    }
    state = .busy(current: number)
    return .deliver(number)
  }

  @usableFromInline
  package enum Answer: Sendable, Hashable {
    case deliver(UInt64)
    case wait
    case end
  }

  @usableFromInline
  package struct Pull: Sendable, Hashable {
    /// The element that the hook passes on by this request.
    @usableFromInline package let passed: UInt64?
    @usableFromInline package let answer: Answer
    /// Whether another task was waiting, which has to be resumed with the end.
    @usableFromInline package let replaces: Bool
  }

  /// A task requests the next element.
  ///
  /// - Parameters:
  ///   - task: Its number.
  ///   - isCancelled: Whether it is cancelled, and so does not wait.
  /// - Returns: What happens to the task, to the one that waited before it, and to the element
  ///   before.
  @usableFromInline
  package mutating func pull(by task: UInt64, isCancelled: Bool = false) -> Pull {
    let passed = current
    if let next = queue.popFirst() {
      state = .busy(current: next)
      return Pull(passed: passed, answer: .deliver(next), replaces: false)
    }
    switch state {
    case .busy where isCancelled:
      state = .busy(current: nil)
      return Pull(passed: passed, answer: .end, replaces: false)
    case .busy:
      state = .asking(task)
      return Pull(passed: passed, answer: .wait, replaces: false)
    case .asking where !isCancelled:
      state = .asking(task)
      return Pull(passed: nil, answer: .wait, replaces: true)
    case .asking, .finished: return Pull(passed: nil, answer: .end, replaces: false)
    }
  }

  /// Removes an element that the hook has not got yet.
  package mutating func withdraw(_ number: UInt64) -> Bool { queue.remove(number) }

  /// A task is cancelled.
  ///
  /// - Returns: Whether it waits, and has to be resumed with the end.
  @usableFromInline
  package mutating func cancel(_ task: UInt64) -> Bool {
    guard state == .asking(task) else { return false }
    state = .busy(current: nil)
    return true
  }

  /// Ends the input: the hook's element counts as passed on, and a task that waits has to be
  /// resumed with the end.
  ///
  /// - Returns: The elements that the hook never got.
  package mutating func finish() -> [UInt64] {
    let dropped = queue.all
    queue.removeAll()
    state = .finished
    return dropped
  }
}
