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
}

/// The effect behind a mutation that waits to enter a hook.
@usableFromInline
protocol HookPassenger: AnyObject, Sendable {
  /// The action whose effect it is.
  var number: UInt64 { get }
  var isCancelled: Bool { get }
}

/// What a ``HookChannel`` holds, and what is decided about it.
@usableFromInline
struct HookContents<Element: Sendable>: Sendable {
  @usableFromInline typealias Item = (element: Element, ticket: HookTicket)
  @usableFromInline typealias Consumer = Resumption<Element?>

  /// An element that waits, or only its ticket, where it has been withdrawn.
  @usableFromInline
  struct Waiting: Sendable {
    @usableFromInline var element: Element?
    @usableFromInline let ticket: HookTicket

    @inlinable
    init(_ element: Element, _ ticket: HookTicket) {
      (self.element, self.ticket) = (element, ticket)
    }
  }

  /// What waits for the hook; what it has had is not kept.
  ///
  /// The first has not been withdrawn.
  @usableFromInline var waiting = FIFO<Waiting>()
  /// How many of them have been withdrawn.
  @usableFromInline var withdrawn = 0
  /// The element that the hook has, until it asks for the next.
  @usableFromInline var current: HookTicket?
  @usableFromInline var consumer: Consumer?
  @usableFromInline var isClaimed = false
  /// Whether the hook's own task has asked for the current element.
  @usableFromInline var isPulledByOwner = false
  @usableFromInline var isFinished = false
  /// Whether a turn's mutation was here at the end, which the hook never saw.
  @usableFromInline var hasDroppedTurn = false
  @usableFromInline var idleWaiters: [Latch] = []

  @inlinable
  init() {}

  /// Whether everything has been passed on; a hook that has yet to begin has been given nothing
  /// then.
  @inlinable var isIdle: Bool {
    (consumer != nil || !isClaimed) && current == nil && waiting.isEmpty
  }

  /// How many wait.
  @usableFromInline var count: Int { waiting.count - withdrawn }

  @inlinable
  mutating func append(_ element: Element, _ ticket: HookTicket) {
    waiting.append(Waiting(element, ticket))
  }

  /// Takes out the first that waits.
  @inlinable
  mutating func popFirst() -> Item? {
    guard let first = waiting.popFirst(keepingRoomFor: .max), let element = first.element else {
      return nil
    }
    if withdrawn > 0 { dropWithdrawn() }
    return (element, first.ticket)
  }

  /// Takes all out that wait.
  @usableFromInline
  mutating func removeAll() -> [Item] {
    withdrawn = 0
    return waiting.removeAll().compactMap { one in one.element.map { ($0, one.ticket) } }
  }

  /// The next that waits and has not been cancelled.
  ///
  /// - Parameter skipped: Gets the latches of those that were cancelled, for the caller to open: a
  ///   latch runs what waits for it, and that may come back here.
  /// - Returns: The next, taken out; `nil` where there is none.
  @inlinable
  mutating func nextItem(skipping skipped: inout [Latch]) -> Item? {
    while let item = popFirst() {
      if case .mutation(let latch, let effect, _) = item.ticket, effect?.isCancelled == true {
        skipped.append(latch)
        continue
      }
      return item
    }
    return nil
  }

  /// Takes an action out that the hook has not seen yet.
  @usableFromInline
  mutating func withdraw(_ number: UInt64) -> HookTicket? {
    guard let place = place(of: number), let item = waiting.places[place], item.element != nil
    else { return nil }
    waiting.places[place]?.element = nil
    withdrawn += 1
    dropWithdrawn()
    return item.ticket
  }

  /// Where an action waits; their numbers ascend, and something from outside may be in between.
  private func place(of number: UInt64) -> Int? {
    var (low, high) = (waiting.head, waiting.places.count)
    while low < high {
      let middle = (low + high) / 2
      var place = middle
      while place < high {
        if case .action(let found, _) = waiting.places[place]?.ticket {
          if found == number { return place }
          if found < number { low = place + 1 } else { high = middle }
          break
        }
        place += 1
      }
      if place == high { high = middle }
    }
    return nil
  }

  /// Drops the tickets of those that have been withdrawn, at the head, and all once they are many.
  @usableFromInline
  mutating func dropWithdrawn() {
    while let first = waiting.first, first.element == nil {
      _ = waiting.popFirst(keepingRoomFor: .max)
      withdrawn -= 1
    }
    guard withdrawn > 16, withdrawn > count else { return }
    waiting.keep { $0.element != nil }
    withdrawn = 0
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
    @usableFromInline let passed: HookTicket?
    /// What the one who asks gets at once; `nil` if it waits.
    @usableFromInline let answer: Element??
    /// A consumer whose place another has taken.
    @usableFromInline let replaced: Consumer?
    /// What is to be opened: of those who wait until the hook is idle, and of what was skipped.
    @usableFromInline let latches: [Latch]

    @inlinable
    init(passed: HookTicket?, answer: Element??, replaced: Consumer?, latches: [Latch]) {
      self.passed = passed
      self.answer = answer
      self.replaced = replaced
      self.latches = latches
    }
  }

  /// Passes the current element on, and takes the next or remembers who waits for it.
  @inlinable
  mutating func pull(_ newcomer: Consumer) -> Pull {
    let passed = current.take()
    var latches: [Latch] = []
    if let item = nextItem(skipping: &latches) {
      current = item.ticket
      return Pull(passed: passed, answer: item.element, replaced: nil, latches: latches)
    }
    guard !isFinished, !Task.isCancelled else {
      return Pull(
        passed: passed, answer: .some(nil), replaced: nil, latches: latches + takeIdleWaiters())
    }
    let replaced = consumer
    // First: only with a consumer who waits it is idle.
    consumer = newcomer
    return Pull(
      passed: passed, answer: nil, replaced: replaced, latches: latches + takeIdleWaiters())
  }
}
