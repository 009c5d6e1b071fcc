public import ReactorMachines
public import ReactorRuntime

/// Whose element is in a hook, so that the pipeline can tell when the hook has passed it on.
@usableFromInline
enum HookTicket: Sendable {
  /// An action, by its number, and what it brings along.
  case action(UInt64, in: ActionContext? = nil)
  /// A mutation that an action leads to at once: its turn waits on the reactor, and goes on however
  /// this is used up.
  case turn(Resumption<Void>, in: ActionContext? = nil)
  /// An effect's mutation: the effect waits at the latch, on the reactor; once it has been
  /// cancelled, the mutation is skipped.
  case mutation(Latch, of: (any HookPassenger)?, in: ActionContext? = nil)
  /// What the author merged in: the one who brought it waits at the latch.
  case outside(Latch)

  /// What the element brings along.
  @inlinable var context: ActionContext? {
    switch self {
    case .action(_, let context), .turn(_, let context), .mutation(_, _, let context): context
    case .outside: nil
    }
  }

  /// The number of the action that it is, or whose effect has emitted it.
  @inlinable var number: UInt64? {
    switch self {
    case .action(let number, _): number
    case .mutation(_, let effect, _): effect?.number
    case .turn, .outside: nil
    }
  }

  /// The effect that has emitted it, if one has.
  @inlinable var effect: (any HookPassenger)? {
    if case .mutation(_, let effect, _) = self { effect } else { nil }
  }
}

/// The effect behind a mutation that waits to enter a hook.
@usableFromInline
protocol HookPassenger: AnyObject, Sendable {
  /// The action whose effect it is.
  var number: UInt64 { get }
  var isCancelled: Bool { get }
}

/// What a ``HookChannel`` holds: the elements by their numbers, which a ``HookMachine`` orders.
@usableFromInline
struct HookContents<Element: Sendable>: Sendable {
  @usableFromInline typealias Item = (element: Element, ticket: HookTicket)
  @usableFromInline typealias Consumer = Resumption<Element?>

  @usableFromInline var machine = HookMachine()
  /// What waits for the hook; what it has had is not kept.
  @usableFromInline var waiting: [UInt64: Item] = [:]
  /// The actions that wait, and under which numbers each.
  @usableFromInline var waitingActions = NumberQueue()
  @usableFromInline var actions: [UInt64: UInt64] = [:]
  /// The element that the hook has, until it asks for the next.
  @usableFromInline var current: HookTicket?
  @usableFromInline var consumer: Consumer?
  @usableFromInline var isClaimed = false
  /// Whether the hook's own task has asked for the current element.
  @usableFromInline var isPulledByOwner = false
  /// Whether a turn's mutation was here at the end, which the hook never saw.
  @usableFromInline var hasDroppedTurn = false
  @usableFromInline var idleWaiters: [Latch] = []

  @inlinable
  init() {}

  @inlinable var isFinished: Bool { machine.isFinished }

  /// Whether everything has been passed on; a hook that has yet to begin has been given nothing
  /// then.
  @inlinable var isIdle: Bool { (consumer != nil || !isClaimed) && machine.isIdle }

  /// How many wait.
  @usableFromInline var count: Int { machine.count }

  /// What becomes of an element that is pushed.
  @usableFromInline
  enum Pushed {
    /// The consumer is to be resumed with it.
    case deliver(to: Consumer)
    case enqueued
    case refused
  }

  @inlinable
  mutating func push(_ element: Element, _ ticket: HookTicket) -> Pushed {
    switch machine.push() {
    case .refused: return .refused
    case .enqueued(let number):
      waiting[number] = (element, ticket)
      if case .action(let action, _) = ticket {
        waitingActions.append(action)
        actions[action] = number
      }
      return .enqueued
    case .deliver:
      current = ticket
      guard let consumer = consumer.take() else {
        preconditionFailure("a hook asks, and no task waits")
      }
      return .deliver(to: consumer)
    }
  }

  /// Takes an element out that waits.
  @inlinable
  mutating func take(_ number: UInt64) -> Item? {
    let item = waiting.removeValue(forKey: number)
    if case .action(let action, _) = item?.ticket {
      _ = waitingActions.remove(action)
      actions[action] = nil
    }
    // A burst gives its memory back.
    if waiting.isEmpty, waiting.capacity > 64 { (waiting, actions) = ([:], [:]) }
    return item
  }

  /// Takes an action out that the hook has not seen yet.
  @usableFromInline
  mutating func withdraw(_ action: UInt64) -> HookTicket? {
    guard let number = actions[action], machine.withdraw(number) else { return nil }
    return take(number)?.ticket
  }

  @inlinable
  mutating func takeIdleWaiters() -> [Latch] {
    guard !idleWaiters.isEmpty, isIdle || isFinished else { return [] }
    defer { idleWaiters = [] }
    return idleWaiters
  }

  /// What has to be done, outside the lock, when the hook has asked for the next element.
  @usableFromInline
  struct Pull {
    /// What was passed on.
    @usableFromInline var passed: HookTicket?
    /// What the consumer gets at once; `nil` if it waits.
    @usableFromInline var answer: Element??
    /// A consumer whose place another has taken.
    @usableFromInline var replaced: Consumer?
    /// What is to be opened: of those that wait until the hook is idle, and of what was skipped.
    ///
    /// A latch runs what waits for it, and that may come back here.
    @usableFromInline var latches: [Latch] = []

    @inlinable
    init(passed: HookTicket?) { self.passed = passed }
  }

  /// Passes the current element on, and takes the next or remembers the consumer.
  @inlinable
  mutating func pull(_ newcomer: Consumer) -> Pull {
    var pull = Pull(passed: current.take())
    while true {
      switch machine.pull().answer {
      case .deliver(let number):
        guard let item = take(number) else { preconditionFailure("an element is missing") }
        if case .mutation(let latch, let effect, _) = item.ticket, effect?.isCancelled == true {
          pull.latches.append(latch)
          continue
        }
        current = item.ticket
        pull.answer = item.element
        return pull
      case .wait where !Task.isCancelled:
        pull.replaced = consumer
        // First: only with a consumer that waits it is idle.
        consumer = newcomer
      case .wait:
        if consumer == nil { _ = machine.cancel() }
        pull.answer = .some(nil)
      case .end: pull.answer = .some(nil)
      }
      pull.latches += takeIdleWaiters()
      return pull
    }
  }

  /// The task that waits is cancelled.
  @inlinable
  mutating func cancel() -> Consumer? {
    guard machine.cancel() else { return nil }
    return consumer.take()
  }

  /// What has to be done, outside the lock, when the input has ended.
  @usableFromInline
  struct End {
    @usableFromInline let consumer: Consumer?
    @usableFromInline let current: HookTicket?
    @usableFromInline let dropped: [Item]
    @usableFromInline let latches: [Latch]

    @inlinable
    init(consumer: Consumer?, current: HookTicket?, dropped: [Item], latches: [Latch]) {
      (self.consumer, self.current) = (consumer, current)
      (self.dropped, self.latches) = (dropped, latches)
    }
  }

  /// Ends the input.
  @inlinable
  mutating func finish() -> End {
    var dropped: [Item] = []
    for number in machine.finish().dropped {
      guard let item = take(number) else { continue }
      // It may be ended twice, and the turn may look only after the second time.
      if case .turn = item.ticket { hasDroppedTurn = true }
      dropped.append(item)
    }
    return End(
      consumer: consumer.take(), current: current.take(), dropped: dropped,
      latches: takeIdleWaiters())
  }
}
