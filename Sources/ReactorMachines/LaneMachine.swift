/// One lane: decides which of its actions run, which wait, and which are evicted or dropped.
///
/// An action of a lane is in one of these states:
///
/// ```
///              arrive, a slot is free            end
///   (none) ───────────────────────────▶ running ─────▶ (none)
///     │  arrive                           │ evicted by a newer one, which waits for it
///     ├──────────▶ waiting ──────────────▶│
///     │               │  a slot is free   ▼           end
///     │               └──────────────▶ unwinding ──────────▶ (none)
///     │  arrive: debounce, throttle          the timer fires
///     └──────────▶ held ───────────────────────────────────▶ as if it arrived
/// ```
///
/// | event | returns |
/// |---|---|
/// | `arrive` | what happens to the new action, and to the others because of it |
/// | `end` | the actions that start in the free slot |
/// | `timerFired` | what happens to the held action |
/// | `withdraw` | – |
/// | `adopt` | the actions that start, or are superseded, under new rules |
///
/// A lane runs at most `limit` actions, including those that unwind, unless a rule with a smaller
/// limit has arrived since they started.
@usableFromInline
package struct LaneMachine: Sendable, Hashable {
  @usableFromInline
  package struct Rules: Sendable, Hashable {
    @usableFromInline
    package enum Overflow: Sendable, Hashable {
      /// A new action waits.
      ///
      /// Beyond this number of places, it is refused, or the oldest action is superseded.
      case wait(places: UInt32, dropsOldest: Bool)
      case drop
      /// A new action evicts the oldest.
      ///
      /// It starts at once, or when the oldest has ended.
      case evict(waits: Bool)
    }

    @usableFromInline
    package enum Timing: Sendable, Hashable {
      case debounce
      case throttle(keepsFirst: Bool)
      case spacing
    }

    @usableFromInline package var limit: Int
    @usableFromInline package var overflow: Overflow
    @usableFromInline package var timing: Timing?

    @inlinable
    package init(limit: Int, overflow: Overflow, timing: Timing? = nil) {
      self.limit = limit
      self.overflow = overflow
      self.timing = timing
    }
  }

  @usableFromInline
  package enum Admission: Sendable, Hashable {
    case start
    case wait
    case drop
    case refuse
  }

  /// What happens to other actions of the lane.
  @usableFromInline
  package struct Consequences: Sendable, Hashable {
    /// Actions that ran and have to be cancelled.
    @usableFromInline package var evicted: [UInt64] = []
    /// Actions that waited and will never start, because newer ones arrived.
    @usableFromInline package var superseded: [UInt64] = []
    /// Actions that waited, have a slot now, and have to be started.
    @usableFromInline package var starting: [UInt64] = []
    /// Whether the timer has to be restarted.
    @usableFromInline package var startsTimer = false

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool {
      evicted.isEmpty && superseded.isEmpty && starting.isEmpty && !startsTimer
    }
  }

  private enum Timer: Hashable {
    case off
    /// A debounce, the window of a throttle, or the distance after a start; contains the held
    /// action.
    case on(held: UInt64?)
  }

  /// The newest rules.
  package private(set) var rules: Rules
  private var running = NumberQueue()
  private var unwinding = NumberQueue()
  private var queue = NumberQueue()
  private var timer = Timer.off

  package init(_ rules: Rules) { self.rules = rules }

  // MARK: Reading

  private var held: UInt64? { if case .on(let held) = timer { held } else { nil } }
  private var isTimerOn: Bool { timer != .off }

  /// Whether nothing is left, so that the lane can be removed.
  @usableFromInline package var isIdle: Bool {
    running.isEmpty && unwinding.isEmpty && queue.isEmpty && !isTimerOn
  }

  /// How many actions have a slot.
  package var occupied: Int { running.count + unwinding.count }
  /// The actions that have a slot and may still emit, oldest first.
  package var active: [UInt64] { running.all }
  /// The actions that wait, the held one first.
  package var waiting: [UInt64] { (held.map { [$0] } ?? []) + queue.all }
  package var waitingCount: Int { queue.count + (held == nil ? 0 : 1) }
  @usableFromInline
  package func isUnwinding(_ number: UInt64) -> Bool { unwinding.contains(number) }

  private var hasRoom: Bool {
    if isTimerOn, rules.timing == .spacing { return false }
    return occupied < rules.limit
  }

  // MARK: Arriving

  /// An action arrives, with its rules.
  package mutating func arrive(
    _ number: UInt64, _ newRules: Rules, _ consequences: inout Consequences
  ) -> Admission {
    rules = newRules
    switch rules.timing {
    case .debounce:
      hold(number, &consequences)
      consequences.startsTimer = true
      return .wait
    case .throttle(let keepsFirst) where isTimerOn:
      if keepsFirst, held != nil { return .drop }
      hold(number, &consequences)
      return .wait
    case .throttle:
      startTimer(&consequences)
      return admit(number, &consequences)
    case .spacing, nil:
      return admit(number, &consequences)
    }
  }

  /// Applies new rules without a new action.
  ///
  /// Actions that wait stay, even where the rules would refuse them.
  package mutating func adopt(_ newRules: Rules, _ consequences: inout Consequences) {
    rules = newRules
    startWaiting(&consequences)
    trimQueue(&consequences)
  }

  private mutating func hold(_ number: UInt64, _ consequences: inout Consequences) {
    if let held { consequences.superseded.append(held) }
    timer = .on(held: number)
  }

  private mutating func startTimer(_ consequences: inout Consequences) {
    consequences.startsTimer = true
    timer = .on(held: held)
  }

  private mutating func admit(_ number: UInt64, _ consequences: inout Consequences) -> Admission {
    if case .evict(let waits) = rules.overflow { evictOldest(waits: waits, &consequences) }
    if queue.isEmpty, hasRoom {
      enter(number, &consequences)
      return .start
    }
    if case .drop = rules.overflow, !hasRoom { return .drop }
    // The rules of the new action may leave more free slots than before.
    startWaiting(&consequences)
    if case .wait(let places, false) = rules.overflow, !hasRoom, queue.count >= Int(places) {
      return .refuse
    }
    queue.append(number)
    startWaiting(&consequences)
    trimQueue(&consequences)
    return .wait
  }

  private mutating func trimQueue(_ consequences: inout Consequences) {
    guard case .wait(let places, true) = rules.overflow else { return }
    while queue.count > Int(places), let oldest = queue.popFirst() {
      consequences.superseded.append(oldest)
    }
  }

  /// Evicts the oldest actions: first those that run, then those that wait.
  private mutating func evictOldest(waits: Bool, _ consequences: inout Consequences) {
    // A held action arrived before the new action, which did not have to wait.
    if let held {
      consequences.superseded.append(held)
      if case .throttle = rules.timing { timer = .on(held: nil) } else { timer = .off }
    }
    while running.count + queue.count >= rules.limit, let oldest = running.popFirst() {
      consequences.evicted.append(oldest)
      if waits { unwinding.append(oldest) }
    }
    while queue.count >= rules.limit, let oldest = queue.popFirst() {
      consequences.superseded.append(oldest)
    }
  }

  private mutating func enter(_ number: UInt64, _ consequences: inout Consequences) {
    running.append(number)
    if rules.timing == .spacing { startTimer(&consequences) }
  }

  private mutating func startWaiting(_ consequences: inout Consequences) {
    while hasRoom, let number = queue.popFirst() {
      enter(number, &consequences)
      consequences.starting.append(number)
    }
  }

  // MARK: Leaving

  /// An action that had a slot has ended.
  @usableFromInline
  package mutating func end(_ number: UInt64, _ consequences: inout Consequences) {
    if !running.remove(number) { _ = unwinding.remove(number) }
    startWaiting(&consequences)
  }

  /// The timer has fired.
  ///
  /// - Returns: What happens to the held action, if there is one.
  package mutating func timerFired(
    _ consequences: inout Consequences
  ) -> (number: UInt64, admission: Admission)? {
    let held = held
    timer = .off
    startWaiting(&consequences)
    guard let number = held else { return nil }
    if case .throttle = rules.timing { startTimer(&consequences) }
    return (number, admit(number, &consequences))
  }

  /// Removes an action that waits.
  @usableFromInline
  package mutating func withdraw(_ number: UInt64) {
    if held == number {
      timer = rules.timing == .debounce ? .off : .on(held: nil)
    } else {
      _ = queue.remove(number)
    }
  }

  /// Removes every action that waits, and stops the timer.
  package mutating func withdrawAll() {
    queue.removeAll()
    timer = .off
  }
}
