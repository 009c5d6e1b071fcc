/// Whose element is in a hook, so that the pipeline can tell when the hook has passed it on.
@usableFromInline
enum HookTicket: Sendable {
  /// An action, by its number.
  case action(UInt64)
  /// A mutation: its emitter waits at the latch; a cancelled effect's mutation is skipped. It is part
  /// of what its action is tracked by, if anything.
  case mutation(Latch, of: (any HookPassenger)?, in: ActionChain? = nil)
  /// What the author merged in: the one who brought it waits at the latch.
  case outside(Latch)
}

/// The effect behind a mutation that waits to enter a hook.
@usableFromInline
protocol HookPassenger: AnyObject, Sendable {
  var isCancelled: Bool { get }
}

/// Carries elements into a hook: many producers, one consumer, first in, first out.
///
/// Holds: `contents`, guarded by its own lock; continuations and callbacks run outside it.
@usableFromInline
final class HookChannel<Element: Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var waiting: [(element: Element, ticket: HookTicket)] = []
    @usableFromInline var head = 0
    /// The element that the hook has, until it asks for the next.
    @usableFromInline var current: HookTicket?
    @usableFromInline var consumer: CheckedContinuation<Element?, Never>?
    /// A consumer whose place another has taken.
    @usableFromInline var replaced: CheckedContinuation<Element?, Never>?
    @usableFromInline var isClaimed = false
    @usableFromInline var isFinished = false
    @usableFromInline var idleWaiters: [Latch] = []

    @inlinable
    init() {}

    /// Whether everything has been passed on; a hook that has yet to begin has been given nothing then.
    @inlinable var isIdle: Bool {
      (consumer != nil || !isClaimed) && current == nil && head == waiting.count
    }

    @inlinable
    mutating func next() -> (element: Element, ticket: HookTicket)? {
      while head < waiting.count {
        let item = waiting[head]
        head += 1
        if head == waiting.count || head >= 512 {
          waiting.removeFirst(head)
          head = 0
        }
        if case .mutation(let latch, let effect, _) = item.ticket, effect?.isCancelled == true {
          latch.open()
          continue
        }
        return item
      }
      return nil
    }

    @inlinable
    mutating func takeIdleWaiters() -> [Latch] {
      guard isIdle || isFinished else { return [] }
      defer { idleWaiters = [] }
      return idleWaiters
    }

    @usableFromInline
    enum Pull: Sendable {
      case wait
      case resume(Element?)
    }

    @inlinable
    mutating func pull(_ continuation: CheckedContinuation<Element?, Never>) -> Pull {
      if let item = next() {
        current = item.ticket
        return .resume(item.element)
      }
      guard !isFinished, !Task.isCancelled else { return .resume(nil) }
      replaced = consumer
      consumer = continuation
      return .wait
    }
  }

  @usableFromInline let contents: Guarded<Contents>
  @usableFromInline let passedOn: @Sendable (UInt64) -> Void
  @usableFromInline let claimedAgain: @Sendable () -> Void

  /// - Parameters:
  ///   - passedOn: Told the number of each action that the hook is done with.
  ///   - claimedAgain: Told when the hook iterates its input again.
  @inlinable
  init(
    passedOn: @escaping @Sendable (UInt64) -> Void, claimedAgain: @escaping @Sendable () -> Void
  ) {
    contents = Guarded(Contents())
    self.passedOn = passedOn
    self.claimedAgain = claimedAgain
  }

  /// The number of the action that the hook has now.
  @inlinable var currentAction: UInt64? {
    contents.withLock {
      guard case .action(let number) = $0.current else { return nil }
      return number
    }
  }

  /// Whether the hook has nothing, nor is anything on its way there.
  @inlinable var isEmpty: Bool {
    contents.withLock { $0.current == nil && $0.head == $0.waiting.count }
  }

  /// What the mutation that the hook has now is tracked by.
  @inlinable var currentChain: ActionChain? {
    contents.withLock {
      guard case .mutation(_, _, let chain) = $0.current else { return nil }
      return chain
    }
  }

  @inlinable var isFinished: Bool { contents.withLock { $0.isFinished } }

  /// True for the first iterator, which gets the elements.
  @inlinable
  func claim() -> Bool {
    let isFirst = contents.withLock { contents -> Bool in
      defer { contents.isClaimed = true }
      return !contents.isClaimed
    }
    if !isFirst { claimedAgain() }
    return isFirst
  }

  /// Offers an element; the ticket is used up at once where the channel has been closed.
  ///
  /// - Returns: Whether the hook will see it.
  @inlinable
  @discardableResult
  func push(_ element: Element, ticket: HookTicket) -> Bool {
    let (consumer, isRefused) = contents.withLock {
      contents -> (CheckedContinuation<Element?, Never>?, Bool) in
      guard !contents.isFinished else { return (nil, true) }
      guard let consumer = contents.consumer else {
        contents.waiting.append((element, ticket))
        return (nil, false)
      }
      contents.consumer = nil
      contents.current = ticket
      return (consumer, false)
    }
    consumer?.resume(returning: element)
    if isRefused { use(ticket) }
    return !isRefused
  }

  /// Takes an action back that the hook has not seen yet.
  @inlinable
  func withdraw(_ number: UInt64) {
    let ticket = contents.withLock { contents -> HookTicket? in
      let place = contents.waiting[contents.head...].firstIndex { item in
        if case .action(number) = item.ticket { true } else { false }
      }
      return place.map { contents.waiting.remove(at: $0).ticket }
    }
    use(ticket)
  }

  /// Opens a latch once the hook has passed everything on and asks for more, or at the end.
  @inlinable
  func whenIdle(_ latch: Latch) {
    let isThere = contents.withLock { contents in
      guard !contents.isFinished, !contents.isIdle else { return true }
      contents.idleWaiters.append(latch)
      return false
    }
    if isThere { latch.open() }
  }

  /// Passes the current element on, and waits for the next.
  @inlinable
  func next() async -> Element? {
    use(contents.withLock { $0.current.take() })
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (pull, earlier, idle) = contents.withLock { contents in
          (contents.pull(continuation), contents.replaced.take(), contents.takeIdleWaiters())
        }
        earlier?.resume(returning: nil)
        if case .resume(let element) = pull { continuation.resume(returning: element) }
        for latch in idle { latch.open() }
      }
    } onCancel: {
      contents.withLock { $0.consumer.take() }?.resume(returning: nil)
    }
  }

  /// Ends the input; returns the elements of the reactor's own that the hook never saw.
  @inlinable
  func finish() -> [(element: Element, ticket: HookTicket)] {
    let (consumer, current, dropped, idle) = contents.withLock { contents in
      contents.isFinished = true
      let dropped = contents.waiting[contents.head...]
      contents.waiting = []
      contents.head = 0
      return (
        contents.consumer.take(), contents.current.take(), Array(dropped),
        contents.takeIdleWaiters()
      )
    }
    for latch in idle { latch.open() }
    consumer?.resume(returning: nil)
    use(current)
    for item in dropped { use(item.ticket) }
    return dropped.filter { item in
      if case .outside = item.ticket { false } else { true }
    }
  }

  @inlinable
  func use(_ ticket: HookTicket?) {
    switch ticket {
    case .action(let number): passedOn(number)
    case .mutation(let latch, _, _), .outside(let latch): latch.open()
    case nil: break
    }
  }
}
