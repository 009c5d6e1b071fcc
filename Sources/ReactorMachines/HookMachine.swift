/// The input of a hook: many producers, one consumer, in order.
///
/// Elements are numbered in the order in which they are pushed. The hook has passed an element on
/// when it asks for the next.
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
/// | `push` | enqueued | delivered | refused |
/// | `pull` | the next, or asking | replaces the task that asks | end |
/// | `withdraw` | whether it waited | false | false |
/// | `cancel` | false | busy: resumed with the end | false |
/// | `finish` | what is dropped | resumed with the end | – |
@usableFromInline
package struct HookMachine: Sendable, Hashable {
  private enum State: Sendable, Hashable {
    /// The hook has this element, if any.
    case busy(current: UInt64?)
    /// The hook has passed everything on, and a task waits for the next.
    case asking
    case finished
  }

  private var state = State.busy(current: nil)
  private var queue = NumberQueue()
  private var pushed: UInt64 = 0

  @usableFromInline
  package init() {}

  @usableFromInline package var current: UInt64? {
    if case .busy(let current) = state { current } else { nil }
  }
  @usableFromInline package var count: Int { queue.count }
  @usableFromInline package var isFinished: Bool { state == .finished }
  /// Whether the hook holds nothing, and nothing waits for it.
  @usableFromInline package var isIdle: Bool { queue.isEmpty && current == nil }

  @usableFromInline
  package enum Push: Sendable, Hashable {
    /// The task that asks is to be resumed with it.
    case deliver(UInt64)
    case enqueued(UInt64)
    case refused
  }

  @usableFromInline
  package mutating func push() -> Push {
    let number = pushed
    switch state {
    case .finished: return .refused
    case .asking:
      pushed += 1
      state = .busy(current: number)
      return .deliver(number)
    case .busy:
      pushed += 1
      queue.append(number)
      return .enqueued(number)
    }
  }

  @usableFromInline
  package enum Answer: Sendable, Hashable {
    case deliver(UInt64)
    case wait
    case end
  }

  @usableFromInline
  package struct Pull: Sendable, Hashable {
    /// The element that the hook has passed on with this.
    @usableFromInline package let passed: UInt64?
    @usableFromInline package let answer: Answer
    /// Whether another task asked already: it is to be resumed with the end.
    @usableFromInline package let replaces: Bool
    /// Whether the hook is idle now: those that wait for that are to be resumed.
    @usableFromInline package let isIdle: Bool
  }

  @usableFromInline
  package mutating func pull() -> Pull {
    let passed = current
    switch state {
    case .finished: return Pull(passed: nil, answer: .end, replaces: false, isIdle: true)
    case .asking: return Pull(passed: nil, answer: .wait, replaces: true, isIdle: true)
    case .busy: break
    }
    if let next = queue.popFirst() {
      state = .busy(current: next)
      return Pull(passed: passed, answer: .deliver(next), replaces: false, isIdle: false)
    }
    state = .asking
    return Pull(passed: passed, answer: .wait, replaces: false, isIdle: true)
  }

  /// Takes back an element that the hook has not got yet.
  @usableFromInline
  package mutating func withdraw(_ number: UInt64) -> Bool { queue.remove(number) }

  /// The task that asks is cancelled.
  ///
  /// - Returns: Whether it asked, and is to be resumed with the end.
  @usableFromInline
  package mutating func cancel() -> Bool {
    guard state == .asking else { return false }
    state = .busy(current: nil)
    return true
  }

  @usableFromInline
  package struct Finish: Sendable, Hashable {
    /// The element that the hook has: it counts as passed on.
    @usableFromInline package let passed: UInt64?
    /// Elements that the hook never got.
    @usableFromInline package let dropped: [UInt64]
    /// Whether a task asks, and is to be resumed with the end.
    @usableFromInline package let resumes: Bool
  }

  /// The input ends.
  @usableFromInline
  package mutating func finish() -> Finish {
    let end = Finish(passed: current, dropped: queue.all, resumes: state == .asking)
    queue.removeAll()
    state = .finished
    return end
  }
}
