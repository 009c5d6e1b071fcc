import ReactorMachines
import TestLimits
import Testing

/// A lane, and where each of its actions is.
private struct LaneWorld: ExploredWorld {
  enum Event: Hashable {
    case arrive(Int)
    case end(UInt64)
    case withdraw(UInt64)
    case timer
    case adopt(Int)
  }

  enum Place: Hashable { case waiting, running, unwinding, gone }

  let rules: [LaneMachine.Rules]
  let arrivals: UInt64
  var machine: LaneMachine
  var places: [UInt64: Place] = [:]
  var isTimerOn = false
  /// The largest limit since the lane was last within its limit.
  var allowed: Int

  init(_ rules: [LaneMachine.Rules], arrivals: UInt64) {
    self.rules = rules
    self.arrivals = arrivals
    machine = LaneMachine(rules[0])
    allowed = rules[0].limit
  }

  var next: UInt64 { UInt64(places.count) }
  func numbers(_ place: Place) -> [UInt64] { places.keys.filter { places[$0] == place }.sorted() }

  var events: [Event] {
    var events: [Event] = next < arrivals ? rules.indices.map { .arrive($0) } : []
    events += (numbers(.running) + numbers(.unwinding)).map { .end($0) }
    events += numbers(.waiting).map { .withdraw($0) }
    if isTimerOn { events.append(.timer) }
    if rules.count > 1 { events += rules.indices.map { .adopt($0) } }
    return events
  }

  mutating func apply(_ event: Event) -> String? {
    var consequences = LaneMachine.Consequences()
    var fault: String?
    switch event {
    case .arrive(let index):
      let number = next
      let isInWindow = rules.count == 1 && isTimerOn
      let admission = machine.arrive(number, rules[index], &consequences)
      if isInWindow, case .throttle = rules[0].timing, admission == .start {
        return "\(number) starts inside the window"
      }
      allowed = max(allowed, rules[index].limit)
      places[number] = .waiting
      fault = move(consequences) ?? admit(number, admission)
    case .end(let number):
      machine.end(number, &consequences)
      places[number] = .gone
      fault = move(consequences)
    case .withdraw(let number):
      machine.withdraw(number)
      places[number] = .gone
    case .timer:
      isTimerOn = false
      let held = machine.timerFired(&consequences)
      fault = move(consequences)
      if let held { fault = fault ?? admit(held.number, held.admission) }
    case .adopt(let index):
      machine.adopt(rules[index], &consequences)
      allowed = max(allowed, rules[index].limit)
      fault = move(consequences)
    }
    return fault ?? check()
  }

  private mutating func admit(
    _ number: UInt64, _ admission: LaneMachine.Admission
  ) -> String? {
    switch admission {
    case .start:
      if places[number] == .running { return "\(number) starts twice" }
      places[number] = .running
    case .wait: break
    case .drop, .refuse: places[number] = .gone
    }
    return nil
  }

  private mutating func move(_ consequences: LaneMachine.Consequences) -> String? {
    if consequences.startsTimer { isTimerOn = true }
    for number in consequences.evicted {
      guard places[number] == .running else { return "\(number) is evicted, and did not run" }
      places[number] = machine.rules.overflow == .evict(waits: true) ? .unwinding : .gone
    }
    for number in consequences.superseded {
      guard places[number] == .waiting else { return "\(number) is superseded, and did not wait" }
      places[number] = .gone
    }
    for number in consequences.starting {
      guard places[number] == .waiting else { return "\(number) starts, and did not wait" }
      places[number] = .running
    }
    return nil
  }

  private mutating func check() -> String? {
    if machine.active != numbers(.running) { return "the machine runs \(machine.active)" }
    if machine.waiting.sorted() != numbers(.waiting) { return "\(machine.waiting) wait" }
    if machine.occupied != numbers(.running).count + numbers(.unwinding).count {
      return "\(machine.occupied) have a slot"
    }
    if machine.occupied > allowed { return "\(machine.occupied) run, of \(allowed)" }
    if machine.occupied <= machine.rules.limit { allowed = machine.rules.limit }
    if machine.isIdle, places.values.contains(where: { $0 != .gone }) { return "not idle" }
    let waits = machine.waitingCount
    if waits > 0, machine.occupied < machine.rules.limit, !isTimerOn {
      return "\(machine.waiting) wait, and a slot is free"
    }
    return nil
  }
}

@Suite(.bounded)
struct LaneMachineTests {
  private static func wait(
    _ limit: Int, places: UInt32 = .max, dropsOldest: Bool = false,
    _ timing: LaneMachine.Rules.Timing? = nil
  ) -> LaneMachine.Rules {
    .init(limit: limit, overflow: .wait(places: places, dropsOldest: dropsOldest), timing: timing)
  }

  private static let latest = LaneMachine.Rules(limit: 1, overflow: .evict(waits: false))
  private static let careful = LaneMachine.Rules(limit: 1, overflow: .evict(waits: true))
  private static let leading = LaneMachine.Rules(limit: 1, overflow: .drop)

  @Test(arguments: [
    ([wait(1)], "sequential", "63 states, 160 transitions"),
    ([wait(2)], "concurrent", "63 states, 160 transitions"),
    ([wait(1, places: 1)], "refusing", "41 states, 80 transitions"),
    ([wait(1, places: 1, dropsOldest: true)], "dropping the oldest", "31 states, 56 transitions"),
    ([latest], "latest", "11 states, 14 transitions"),
    ([careful], "latest, waiting", "31 states, 56 transitions"),
    ([leading], "leading", "21 states, 30 transitions"),
    ([wait(1, .debounce)], "debounced", "124 states, 355 transitions"),
    ([wait(1, .throttle(keepsFirst: false))], "throttled", "153 states, 464 transitions"),
    ([wait(1, .throttle(keepsFirst: true))], "throttled, first", "175 states, 539 transitions"),
    ([wait(2, .spacing)], "spaced", "182 states, 575 transitions"),
    ([careful, wait(1, .debounce)], "mixed: latest, debounced", "610 states, 3353 transitions"),
    ([wait(2), wait(1), leading], "mixed: limits", "273 states, 1809 transitions"),
    (
      [latest, wait(1, .throttle(keepsFirst: false)), wait(1, .spacing)], "mixed: timers",
      "1290 states, 9445 transitions"
    ),
  ])
  func `no sequence of events loses or doubles a slot`(
    _ rules: [LaneMachine.Rules], _ name: String, _ size: String
  ) {
    let seen = Exploration(of: LaneWorld(rules, arrivals: 5), depth: 10)
    print("lane, \(name): \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == size)
  }
}
