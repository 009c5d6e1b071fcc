/// Decides who in a lane runs, waits, or goes: a plain value, without time and without tasks.
///
/// Actions are known by their numbers here. Whoever is let in has a slot until ``end(_:)``.
@usableFromInline
struct LaneState: ~Copyable, Sendable {
  /// What becomes of a newcomer.
  @usableFromInline
  enum Admission: Sendable {
    /// It has a slot, and starts now.
    case start
    /// It waits in line, or is held until the time is up.
    case wait
    /// It goes, and never starts: the lane is taken.
    case drop
    /// It goes, and never starts: as many wait as may.
    case refuse
  }

  /// What a decision means for others.
  @usableFromInline
  struct Consequences: Sendable {
    /// They ran, and are to be cancelled: newer ones came.
    @usableFromInline var evicted = Few<UInt64>()
    /// They waited, and will never start: newer ones came.
    @usableFromInline var superseded = Few<UInt64>()
    /// They waited, have a slot now, and are to be started.
    @usableFromInline var starting = Few<UInt64>()
    /// The time begins anew.
    @usableFromInline var startsTimer = false

    @inlinable
    init() {}

    @inlinable var areNone: Bool {
      evicted.isEmpty && superseded.isEmpty && starting.isEmpty && !startsTimer
    }
  }

  /// The newest rules.
  @usableFromInline private(set) var rules: Lane
  /// Who has a slot, and is not evicted; oldest first.
  private var running = NumberQueue()
  /// Who is evicted, and keeps a slot until the end.
  private var unwinding = NumberQueue()
  /// Who waits for a slot.
  private var line = NumberQueue()
  /// Who waits for the time to be up.
  private var held: UInt64?
  /// Whether a debounce, a throttle's window, or the distance after a start lasts.
  private(set) var isTimeRunning = false

  init(_ rules: Lane) { self.rules = rules }

  @usableFromInline
  var isIdle: Bool {
    running.isEmpty && unwinding.isEmpty && line.isEmpty && held == nil && !isTimeRunning
  }

  /// How many are here.
  var depth: LaneDepth {
    LaneDepth(
      running: running.count + unwinding.count, waiting: line.count + (held == nil ? 0 : 1))
  }

  /// Whether one that is evicted keeps its slot until it has ended.
  @usableFromInline
  func isUnwinding(_ number: UInt64) -> Bool { unwinding.contains(number) }

  /// Who has a slot and may still emit.
  var active: [UInt64] { running.all }

  /// Whether there is room for one more right now.
  private var hasRoom: Bool {
    if isTimeRunning, case .spacing = rules.timing?.kind { return false }
    return running.count + unwinding.count < rules.limit
  }

  // MARK: Coming

  /// An action has come, with the rules it brings.
  @usableFromInline
  mutating func arrive(_ number: UInt64, _ lane: Lane, _ consequences: inout Consequences)
    -> Admission
  {
    rules = lane
    switch lane.timing?.kind {
    case .debounce:
      hold(number, &consequences)
      consequences.startsTimer = true
      isTimeRunning = true
      return .wait
    case .throttle(let keepsFirst) where isTimeRunning:
      if keepsFirst, held != nil { return .drop }
      hold(number, &consequences)
      return .wait
    case .throttle:
      consequences.startsTimer = true
      isTimeRunning = true
      return admit(number, &consequences)
    case .spacing, nil:
      return admit(number, &consequences)
    }
  }

  /// New rules, without a newcomer.
  mutating func adopt(_ lane: Lane, _ consequences: inout Consequences) {
    rules = lane
    letIn(&consequences)
    // A line that refuses newcomers keeps those it has accepted.
    shortenLine(&consequences)
  }

  private mutating func hold(_ number: UInt64, _ consequences: inout Consequences) {
    if let held { consequences.superseded.append(held) }
    held = number
  }

  private mutating func admit(_ number: UInt64, _ consequences: inout Consequences) -> Admission {
    if case .evict(let waits) = rules.overflow { makeRoom(waits: waits, &consequences) }
    if line.isEmpty, hasRoom {
      enter(number, &consequences)
      return .start
    }
    if case .drop = rules.overflow, !hasRoom { return .drop }
    // The rules it brings may leave more room than there was.
    letIn(&consequences)
    if case .wait(let places, .refuse) = rules.overflow, !hasRoom, line.count >= places {
      return .refuse
    }
    line.append(number)
    letIn(&consequences)
    shortenLine(&consequences)
    return .wait
  }

  /// Lets those go who have waited longest, where the rules say so.
  private mutating func shortenLine(_ consequences: inout Consequences) {
    guard case .wait(let places, .dropOldest) = rules.overflow else { return }
    while line.count > places, let oldest = line.popFirst() {
      consequences.superseded.append(oldest)
    }
  }

  /// Lets the oldest go, first of those who run, then of those who wait.
  private mutating func makeRoom(waits: Bool, _ consequences: inout Consequences) {
    // One that is held came before the one that makes room, which did not have to wait.
    if let held = held.take() {
      consequences.superseded.append(held)
      if case .throttle = rules.timing?.kind {} else { isTimeRunning = false }
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
    guard case .spacing = rules.timing?.kind else { return }
    consequences.startsTimer = true
    isTimeRunning = true
  }

  private mutating func letIn(_ consequences: inout Consequences) {
    while hasRoom, let number = line.popFirst() {
      enter(number, &consequences)
      consequences.starting.append(number)
    }
  }

  // MARK: Going

  /// An action that had a slot has ended.
  @usableFromInline
  mutating func end(_ number: UInt64, _ consequences: inout Consequences) {
    if !running.remove(number) { _ = unwinding.remove(number) }
    letIn(&consequences)
  }

  /// The time is up.
  ///
  /// - Returns: What becomes of the one that was held, if any.
  mutating func timeIsUp(_ consequences: inout Consequences) -> (
    number: UInt64, admission: Admission
  )? {
    isTimeRunning = false
    letIn(&consequences)
    guard let number = held else { return nil }
    held = nil
    if case .throttle = rules.timing?.kind {
      consequences.startsTimer = true
      isTimeRunning = true
    }
    return (number, admit(number, &consequences))
  }

  /// Takes out one that waits.
  @usableFromInline
  mutating func withdraw(_ number: UInt64) {
    if held == number { held = nil } else { _ = line.remove(number) }
    if held == nil, case .debounce = rules.timing?.kind { isTimeRunning = false }
  }

  /// Takes out everybody who waits.
  mutating func withdrawAll() {
    line.removeAll()
    held = nil
  }

  /// Everybody who waits.
  var waiting: [UInt64] { (held.map { [$0] } ?? []) + line.all }
}
