public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// Carries elements into a hook: many producers, one consumer, first in, first out.
///
/// Holds: `contents`, guarded by its own lock; continuations and callbacks run outside it.
@usableFromInline
final class HookChannel<Element: Sendable>: Sendable {
  @usableFromInline let contents: Guarded<HookContents<Element>>
  @usableFromInline let passedOn: @Sendable (UInt64) -> Void
  @usableFromInline let claimedAgain: @Sendable () -> Void

  /// The task that iterates the hook, while there is one; it is cancelled only after the input has
  /// ended.
  @usableFromInline let owner = Atomic<UInt>(0)

  /// - Parameters:
  ///   - passedOn: Told the number of each action that the hook is done with.
  ///   - claimedAgain: Told when the hook iterates its input again.
  @inlinable
  init(
    passedOn: @escaping @Sendable (UInt64) -> Void, claimedAgain: @escaping @Sendable () -> Void
  ) {
    contents = Guarded(HookContents())
    self.passedOn = passedOn
    self.claimedAgain = claimedAgain
  }

  /// The number of the action that the hook has now.
  @inlinable var currentAction: UInt64? {
    contents.withLock {
      guard case .action(let number, _) = $0.current else { return nil }
      return number
    }
  }

  /// Whether the hook has nothing, nor is anything on its way there.
  @inlinable var isEmpty: Bool {
    contents.withLock { $0.machine.isIdle }
  }

  /// How many wait for the hook.
  var count: Int { contents.withLock { $0.count } }

  /// What the element that the hook has now brings along; `nil` where it may not be known whose
  /// the hook's next element is: another task than the hook's own has asked for it, reading ahead.
  @inlinable var currentContext: ActionContext? { currentOwned?.context }

  /// The element that the hook has now; `nil` as above.
  @inlinable var currentOwned: HookTicket? {
    contents.withLock { $0.isPulledByOwner ? $0.current : nil }
  }

  /// Whether a turn's mutation was dropped at the end.
  @inlinable var hasDroppedTurn: Bool { contents.withLock { $0.hasDroppedTurn } }

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
    switch contents.withLock({ $0.push(element, ticket) }) {
    case .deliver(let consumer): consumer.resume(returning: element)
    case .enqueued: break
    case .refused:
      use(ticket)
      return false
    }
    return true
  }

  /// Takes an action back that the hook has not seen yet.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - hasFound: Called if it was there, before it is passed on.
  @inlinable
  func withdraw(_ number: UInt64, hasFound: () -> Void = {}) {
    let ticket = contents.withLock { $0.withdraw(number) }
    if ticket != nil { hasFound() }
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

  // MARK: The consumer

  /// Passes the current element on, and waits for the next.
  @inlinable
  func next() async -> Element? {
    // What cancels the hook's own task ends the input first, so it needs no handler for that.
    if isOwner { return await Resumption.suspend { ask($0, asOwner: true) } }
    return await withTaskCancellationHandler {
      await Resumption.suspend { ask($0) }
    } onCancel: {
      contents.withLock { $0.cancel() }?.resume(returning: nil)
    }
  }

  @inlinable
  func ask(_ consumer: HookContents<Element>.Consumer, asOwner: Bool = false) {
    let pull = contents.withLock { contents in
      contents.isPulledByOwner = asOwner
      return contents.pull(consumer)
    }
    use(pull.passed)
    pull.replaced?.resume(returning: nil)
    if let answer = pull.answer { consumer.resume(returning: answer) }
    for latch in pull.latches { latch.open() }
  }

  // MARK: The hook's task

  /// The caller is the task that iterates the hook, until it says that it has ended.
  @inlinable
  func begin() { owner.store(TaskAddress.current ?? 0, ordering: .relaxed) }

  @inlinable
  func end() { owner.store(0, ordering: .relaxed) }

  /// Whether the caller is the task that iterates the hook, rather than one that the hook has made.
  @inlinable var isOwner: Bool {
    guard let task = TaskAddress.current else { return false }
    return owner.load(ordering: .relaxed) == task
  }

  /// Makes the task that iterates what the hook returned, and when that ends early, what goes in.
  ///
  /// - Parameters:
  ///   - output: What the hook returned.
  ///   - endedEarly: Called if that ends before its input does.
  ///   - body: Takes an element; returns false once there is to be no other.
  /// - Returns: The task.
  @inlinable
  func iterate(
    _ output: HandedOver<Element>, endedEarly: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (Element) async -> Bool
  ) -> Task<Void, Never> {
    PipelineTasks.make {
      self.begin()
      defer { self.end() }
      guard await output.forEach(body), !self.isFinished else { return }
      endedEarly()
      while let element = await self.next() {
        guard await body(element) else { return }
      }
    }
  }

  /// Whether an action from before this one is in the hook's hands, or on its way there.
  func holdsAction(before number: UInt64) -> Bool {
    contents.withLock { contents in
      if case .action(let one, _) = contents.current, one < number { return true }
      // They ascend.
      return contents.waitingActions.first().map { $0 < number } ?? false
    }
  }

  // MARK: The end

  /// Ends the input.
  ///
  /// - Parameters:
  ///   - willPassOn: Called for what the hook has, if anything, before its ticket is used up.
  ///   - willDrop: The same for each element that the hook never saw.
  /// - Returns: Those that the hook never saw and that are the reactor's own.
  @inlinable
  @discardableResult
  func finish(
    willPassOn: (HookTicket) -> Void = { _ in },
    willDrop: (HookContents<Element>.Item) -> Void = { _ in }
  ) -> [HookContents<Element>.Item] {
    let end = contents.withLock { $0.finish() }
    for latch in end.latches { latch.open() }
    end.consumer?.resume(returning: nil)
    if let current = end.current { willPassOn(current) }
    use(end.current)
    for item in end.dropped {
      willDrop(item)
      use(item.ticket)
    }
    return end.dropped.filter { item in
      if case .outside = item.ticket { false } else { true }
    }
  }

  @inlinable
  func use(_ ticket: HookTicket?) {
    switch ticket {
    case .action(let number, _): passedOn(number)
    case .turn(let turn, _): turn.resume()
    case .mutation(let latch, _, _), .outside(let latch): latch.open()
    case nil: break
    }
  }
}
