/// One lane: which of its actions run, which wait, and which are evicted or dropped.
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
/// | `arrive` | what becomes of the newcomer, and of those it moves |
/// | `end` | those that start in the slot that is free |
/// | `timerFired` | what becomes of the held action |
/// | `withdraw` | – |
/// | `adopt` | those that start, or are superseded, by new rules |
///
/// A lane runs at most `limit` actions, those that unwind included, unless a rule with a smaller
/// limit has arrived since they started.
@usableFromInline
package struct LaneMachine: Sendable, Hashable {
  @usableFromInline
  package struct Rules: Sendable, Hashable {
    @usableFromInline
    package enum Overflow: Sendable, Hashable {
      /// A newcomer waits; beyond so many places, it is refused, or the oldest is superseded.
      case wait(places: UInt32, dropsOldest: Bool)
      case drop
      /// A newcomer evicts the oldest; it starts at once, or when that has ended.
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

  /// What follows for other actions of the lane.
  @usableFromInline
  package struct Consequences: Sendable, Hashable {
    /// Actions that ran: to be cancelled.
    @usableFromInline package var evicted: [UInt64] = []
    /// Actions that waited, and will never start: newer ones arrived.
    @usableFromInline package var superseded: [UInt64] = []
    /// Actions that waited, have a slot now, and are to be started.
    @usableFromInline package var starting: [UInt64] = []
    /// The timer is to be started anew.
    @usableFromInline package var startsTimer = false

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool {
      evicted.isEmpty && superseded.isEmpty && starting.isEmpty && !startsTimer
    }
  }

  private enum Timer: Hashable {
    case off
    /// A debounce, a throttle's window, or the distance after a start; with the action it holds.
    case on(held: UInt64?)
  }

  /// The newest rules.
  package private(set) var rules: Rules
  private var running = NumberQueue()
  private var unwinding = NumberQueue()
  private var line = NumberQueue()
  private var timer = Timer.off

  package init(_ rules: Rules) { self.rules = rules }

  // MARK: Looking

  private var held: UInt64? { if case .on(let held) = timer { held } else { nil } }
  private var isTimerOn: Bool { timer != .off }

  /// Whether nothing is left: the lane can go.
  @usableFromInline package var isIdle: Bool {
    running.isEmpty && unwinding.isEmpty && line.isEmpty && !isTimerOn
  }

  /// How many have a slot.
  package var occupied: Int { running.count + unwinding.count }
  /// Those that have a slot and may still emit, oldest first.
  package var active: [UInt64] { running.all }
  /// Those that wait, the held one first.
  package var waiting: [UInt64] { (held.map { [$0] } ?? []) + line.all }
  package var waitingCount: Int { line.count + (held == nil ? 0 : 1) }
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

  /// New rules, without a newcomer: those that wait stay where the line would refuse them.
  package mutating func adopt(_ newRules: Rules, _ consequences: inout Consequences) {
    rules = newRules
    letIn(&consequences)
    shortenLine(&consequences)
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
    if case .evict(let waits) = rules.overflow { makeRoom(waits: waits, &consequences) }
    if line.isEmpty, hasRoom {
      enter(number, &consequences)
      return .start
    }
    if case .drop = rules.overflow, !hasRoom { return .drop }
    // The rules of the newcomer may leave more room than there was.
    letIn(&consequences)
    if case .wait(let places, false) = rules.overflow, !hasRoom, line.count >= Int(places) {
      return .refuse
    }
    line.append(number)
    letIn(&consequences)
    shortenLine(&consequences)
    return .wait
  }

  private mutating func shortenLine(_ consequences: inout Consequences) {
    guard case .wait(let places, true) = rules.overflow else { return }
    while line.count > Int(places), let oldest = line.popFirst() {
      consequences.superseded.append(oldest)
    }
  }

  /// Evicts the oldest, first of those that run, then of those that wait.
  private mutating func makeRoom(waits: Bool, _ consequences: inout Consequences) {
    // A held action arrived before the newcomer, which did not have to wait.
    if let held {
      consequences.superseded.append(held)
      if case .throttle = rules.timing { timer = .on(held: nil) } else { timer = .off }
    }
    while running.count + line.count >= rules.limit, let oldest = running.popFirst() {
      consequences.evicted.append(oldest)
      if waits { unwinding.append(oldest) }
    }
    while line.count >= rules.limit, let oldest = line.popFirst() {
      consequences.superseded.append(oldest)
    }
  }

  private mutating func enter(_ number: UInt64, _ consequences: inout Consequences) {
    running.append(number)
    if rules.timing == .spacing { startTimer(&consequences) }
  }

  private mutating func letIn(_ consequences: inout Consequences) {
    while hasRoom, let number = line.popFirst() {
      enter(number, &consequences)
      consequences.starting.append(number)
    }
  }

  // MARK: Leaving

  /// An action that had a slot has ended.
  @usableFromInline
  package mutating func end(_ number: UInt64, _ consequences: inout Consequences) {
    if !running.remove(number) { _ = unwinding.remove(number) }
    letIn(&consequences)
  }

  /// The time is up.
  ///
  /// - Returns: What becomes of the held action, if there is one.
  package mutating func timerFired(
    _ consequences: inout Consequences
  ) -> (number: UInt64, admission: Admission)? {
    let held = held
    timer = .off
    letIn(&consequences)
    guard let number = held else { return nil }
    if case .throttle = rules.timing { startTimer(&consequences) }
    return (number, admit(number, &consequences))
  }

  /// Takes out an action that waits.
  @usableFromInline
  package mutating func withdraw(_ number: UInt64) {
    if held == number {
      timer = rules.timing == .debounce ? .off : .on(held: nil)
    } else {
      _ = line.remove(number)
    }
  }

  /// Takes out every action that waits; the timer stops.
  package mutating func withdrawAll() {
    line.removeAll()
    timer = .off
  }
}
