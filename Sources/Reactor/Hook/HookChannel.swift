public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// The input of a hook: many producers, one consumer, first in, first out.
///
/// It is the shell of a ``HookMachine``, which orders the elements by their numbers.
///
/// Contains `contents`, guarded by its own lock; continuations and callbacks run outside it.
@usableFromInline
final class HookChannel<Element: Sendable>: Sendable {
  @usableFromInline typealias Item = (element: Element, ticket: HookTicket)
  @usableFromInline typealias Consumer = Resumption<Element?>

  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var machine = HookMachine()
    /// The elements that wait for the hook; those that it has had are not kept.
    @usableFromInline var waiting: [UInt64: Item] = [:]
    /// The actions that wait, each with its number in `waiting`.
    @usableFromInline var actions = IdentityList<Numbered<UInt64>>()
    /// The element that the hook has, until it requests the next.
    @usableFromInline var current: HookTicket?
    /// The task that waits for an element.
    @usableFromInline var consumer: Consumer?
    /// The number of the last wait; the number of the hook's own task is none of them.
    @usableFromInline var lastTask: UInt64 = 0
    /// Whether the hook's own task requested the current element.
    @usableFromInline var isPulledByOwner = false
    /// Whether a turn's mutation was still queued when the input ended, and so never reached the
    /// hook.
    var hasDroppedTurn = false
    var idleWaiters: [Latch] = []
  }

  @usableFromInline let contents = Guarded(Contents())
  @usableFromInline let passedOn: @Sendable (UInt64) -> Void
  private let claimedAgain: @Sendable () -> Void

  /// The address of the task that iterates the hook, while there is one; it is cancelled only after
  /// the input has ended.
  @usableFromInline let ownerTask = Atomic<UInt>(0)

  /// The number of the hook's own task; each wait of another task has its own number.
  @usableFromInline static var owner: UInt64 { 0 }

  /// - Parameters:
  ///   - passedOn: Called with the number of each action that the hook has passed on.
  ///   - claimedAgain: Called when the hook iterates its input again.
  @usableFromInline
  init(
    passedOn: @escaping @Sendable (UInt64) -> Void = { _ in },
    claimedAgain: @escaping @Sendable () -> Void = {}
  ) {
    self.passedOn = passedOn
    self.claimedAgain = claimedAgain
  }

  /// The number of the action that the hook has now.
  @usableFromInline var currentAction: UInt64? {
    if case .action(let number, _) = contents.withLock(\.current) { number } else { nil }
  }

  /// Whether the hook has no element, and none waits for it.
  var isEmpty: Bool { contents.withLock { $0.machine.isIdle } }

  /// How many elements wait for the hook.
  var count: Int { contents.withLock { $0.machine.count } }

  /// The context of the element that the hook has now.
  ///
  /// `nil` if the origin of the hook's next element is unknown, because another task than the
  /// hook's own has requested it, reading ahead.
  @usableFromInline var currentContext: ActionContext? { currentOwned?.context }

  /// The element that the hook has now; `nil` as above.
  @usableFromInline var currentOwned: HookTicket? {
    contents.withLock { $0.isPulledByOwner ? $0.current : nil }
  }

  /// Whether a turn's mutation was dropped at the end.
  @usableFromInline var hasDroppedTurn: Bool { contents.withLock { $0.hasDroppedTurn } }

  @usableFromInline var isFinished: Bool { contents.withLock { $0.machine.isFinished } }

  /// Returns true for the first iterator, which gets the elements.
  func claim() -> Bool {
    let isFirst = contents.withLock { $0.machine.claim() }
    if !isFirst { claimedAgain() }
    return isFirst
  }

  /// Enqueues an element; if the channel is closed, its ticket is used immediately.
  ///
  /// - Returns: Whether the hook will get the element.
  @inlinable
  @discardableResult
  func push(_ element: Element, ticket: HookTicket) -> Bool {
    let (isRefused, consumer) = contents.withLock { contents -> (Bool, Consumer?) in
      switch contents.machine.push() {
      case .deliver:
        contents.current = ticket
        return (false, contents.consumer.take())
      case .enqueued(let number): contents.add((element, ticket), number)
      case .refused: return (true, nil)
      }
      return (false, nil)
    }
    consumer?.resume(returning: element)
    if isRefused { complete(ticket) }
    return !isRefused
  }

  /// Removes an action that the hook has not seen yet.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - hasFound: Called if the action was there, before it is passed on.
  func withdraw(_ number: UInt64, hasFound: () -> Void = {}) {
    let item = contents.withLock { contents -> Item? in
      guard let action = contents.actions.remove(number) else { return nil }
      return contents.machine.withdraw(action.element) ? contents.take(action.element) : nil
    }
    if item != nil { hasFound() }
    complete(item?.ticket)
  }

  /// Opens a latch once the hook has passed everything on and requests more, or at the end.
  func openWhenIdle(_ latch: Latch) {
    let isAtRest = contents.withLock { contents in
      if !contents.machine.isAtRest { contents.idleWaiters.append(latch) }
      return contents.machine.isAtRest
    }
    if isAtRest { latch.open() }
  }

  /// Returns whether the hook has an action with a lower number than this one, or one is queued for
  /// it.
  func holdsAction(before number: UInt64) -> Bool {
    contents.withLock { contents in
      if case .action(let one, _) = contents.current, one < number { return true }
      // The numbers ascend.
      return contents.actions.first.map { $0.number < number } ?? false
    }
  }

  // MARK: The consumer

  /// Passes the current element on, and waits for the next.
  @inlinable
  func next() async -> Element? {
    // Cancelling the hook's own task ends the input first, so it needs no cancellation handler.
    if isOwner { return await Resumption.suspend { request($0, by: Self.owner) } }
    let task = contents.withLock { contents in
      contents.lastTask += 1
      return contents.lastTask
    }
    return await withTaskCancellationHandler {
      await Resumption.suspend { request($0, by: task) }
    } onCancel: {
      let consumer = contents.withLock { $0.machine.cancel(task) ? $0.consumer.take() : nil }
      consumer?.resume(returning: nil)
    }
  }

  @inlinable
  func request(_ consumer: Consumer, by task: UInt64) {
    let pull = contents.withLock { contents in
      contents.isPulledByOwner = task == Self.owner
      return contents.pull(consumer, by: task)
    }
    complete(pull.passed)
    pull.replaced?.resume(returning: nil)
    if let answer = pull.answer { consumer.resume(returning: answer) }
    for latch in pull.latches { latch.open() }
  }

  // MARK: The hook's task

  /// The caller is the task that iterates the hook, until it calls ``end()``.
  func begin() { ownerTask.store(TaskAddress.current ?? 0, ordering: .relaxed) }

  func end() { ownerTask.store(0, ordering: .relaxed) }

  /// Whether the caller is the task that iterates the hook, not one that the hook has created.
  @inlinable var isOwner: Bool {
    guard let task = TaskAddress.current else { return false }
    return ownerTask.load(ordering: .relaxed) == task
  }

  /// Creates the task that iterates what the hook returned; if that ends early, the task iterates
  /// the input itself.
  ///
  /// - Parameters:
  ///   - output: What the hook returned.
  ///   - endedEarly: Called if the output ends before its input does.
  ///   - body: Receives an element; returns false to end the iteration.
  /// - Returns: The task.
  @usableFromInline
  func iterate(
    _ output: TransferredSequence<Element>, endedEarly: @escaping @Sendable () -> Void,
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

  // MARK: The end

  /// Ends the input.
  ///
  /// - Parameters:
  ///   - willPassOn: Called for the element that the hook has, if any, before its ticket is used.
  ///   - willDrop: Called for each element that never reached the hook, before its ticket is used.
  /// - Returns: The elements that never reached the hook and come from the reactor itself.
  @discardableResult
  func finish(
    willPassOn: (HookTicket) -> Void = { _ in }, willDrop: (Item) -> Void = { _ in }
  ) -> [Item] {
    let (current, consumer, dropped, latches) = contents.withLock { contents in
      let dropped = contents.machine.finish().compactMap { contents.take($0) }
      // The input may be ended twice, and the turn may read this only after the second time.
      if dropped.contains(where: { if case .turn = $0.ticket { true } else { false } }) {
        contents.hasDroppedTurn = true
      }
      return (
        contents.current.take(), contents.consumer.take(), dropped, contents.takeIdleWaiters()
      )
    }
    for latch in latches { latch.open() }
    consumer?.resume(returning: nil)
    if let current { willPassOn(current) }
    complete(current)
    for item in dropped {
      willDrop(item)
      complete(item.ticket)
    }
    return dropped.filter { if case .outside = $0.ticket { false } else { true } }
  }

  @usableFromInline
  func complete(_ ticket: HookTicket?) {
    switch ticket {
    case .action(let number, _): passedOn(number)
    case .turn(let turn, _): turn.resume()
    case .mutation(let latch, _, _), .outside(let latch): latch.open()
    case nil: break
    }
  }
}

extension HookChannel.Contents {
  /// What has to be done, outside the lock, when a task has requested the next element.
  ///
  /// - passed: The element that was passed on.
  /// - answer: What the consumer gets immediately; `nil` if it waits.
  /// - replaced: A consumer that another one replaces.
  /// - latches: The latches to open: those that wait until the hook is idle, and those of skipped
  ///   elements. Opening a latch runs code that may call this channel again.
  @usableFromInline
  typealias Pull = (
    passed: HookTicket?, answer: Element??, replaced: HookChannel.Consumer?, latches: [Latch]
  )

  @inlinable
  mutating func add(_ item: HookChannel.Item, _ number: UInt64) {
    waiting[number] = item
    guard case .action(let action, _) = item.ticket else { return }
    actions.append(Numbered(action, number))
  }

  /// Removes a waiting element.
  @inlinable
  mutating func take(_ number: UInt64) -> HookChannel.Item? {
    let item = waiting.removeValue(forKey: number)
    if case .action(let action, _) = item?.ticket { actions.remove(action) }
    // Memory that a burst needed is freed.
    if waiting.isEmpty, waiting.capacity > 64 { (waiting, actions) = ([:], IdentityList()) }
    return item
  }

  @usableFromInline
  mutating func takeIdleWaiters() -> [Latch] {
    guard !idleWaiters.isEmpty, machine.isAtRest else { return [] }
    defer { idleWaiters = [] }
    return idleWaiters
  }

  /// Passes the current element on, and returns the next or stores the consumer.
  @inlinable
  mutating func pull(_ arriving: HookChannel.Consumer, by task: UInt64) -> Pull {
    var pull: Pull = (nil, nil, nil, [])
    while true {
      let next = machine.pull(by: task, isCancelled: Task.isCancelled)
      if next.passed != nil, let ticket = current.take() { pull.passed = ticket }
      switch next.answer {
      case .deliver(let number):
        guard let item = take(number) else { preconditionFailure("an element is missing") }
        if case .mutation(let latch, let effect, _) = item.ticket, effect?.isCancelled == true {
          pull.latches.append(latch)
          continue
        }
        current = item.ticket
        pull.answer = item.element
        return pull
      case .wait:
        if next.replaces { pull.replaced = consumer }
        consumer = arriving
      case .end: pull.answer = .some(nil)
      }
      pull.latches += takeIdleWaiters()
      return pull
    }
  }
}
