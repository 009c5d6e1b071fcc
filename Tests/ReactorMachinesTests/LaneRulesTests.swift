import ReactorMachines
import TestLimits
import Testing

@Suite(.bounded) struct LaneRulesTests {
  // MARK: Policies

  @Test func `concurrent without a limit starts every action`() {
    let lane = Desk(.concurrent())
    for number in 0..<100 as Range<UInt64> { #expect(lane.arrive(number) == .start) }
    #expect(lane.active == Array(0..<100))
  }

  @Test func `concurrent with a limit lets the rest wait, in order`() {
    let lane = Desk(.concurrent(atMost: 2))
    #expect((1...4).map { lane.arrive($0) } == [.start, .start, .wait, .wait])
    #expect(lane.waiting == [3, 4])
    #expect(lane.end(2) == [3])
    #expect(lane.end(1) == [4])
    #expect(lane.active == [3, 4])
  }

  @Test func `sequential starts one after the other`() {
    let lane = Desk(.sequential())
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .wait])
    #expect(lane.end(1) == [2])
    #expect(lane.end(2) == [3])
    #expect(lane.end(3) == [])
    #expect(lane.isIdle)
  }

  @Test func `leading drops an action while every slot is taken`() {
    let lane = Desk(.leading(atMost: 2))
    #expect((1...3).map { lane.arrive($0) } == [.start, .start, .drop])
    #expect(lane.end(1) == [])
    #expect(lane.arrive(4) == .start)
  }

  @Test func `latest evicts the oldest, and starts the new action`() {
    let lane = Desk(.latest(atMost: 2))
    #expect((1...2).map { lane.arrive($0) } == [.start, .start])
    #expect(lane.arrive(3) == .start)
    #expect(lane.effects.evicted == [1])
    #expect(lane.active == [2, 3])
  }

  @Test func `the end of an evicted action without waiters changes nothing`() {
    let lane = Desk(.latest())
    #expect(lane.arrive(1) == .start)
    #expect(lane.arrive(2) == .start)
    #expect(lane.end(1) == [])
    #expect(lane.active == [2])
  }

  @Test func `latest, waiting, starts the new action at the end of the evicted one`() {
    let lane = Desk(.latest(waitingForEvicted: true))
    #expect(lane.arrive(1) == .start)
    #expect(lane.arrive(2) == .wait)
    #expect(lane.effects.evicted == [1])
    #expect(lane.active == [])
    #expect(lane.end(1) == [2])
  }

  @Test func `latest, waiting, keeps as many waiting actions as there are slots`() {
    let lane = Desk(.latest(atMost: 2, waitingForEvicted: true))
    #expect((1...4).map { lane.arrive($0) } == [.start, .start, .wait, .wait])
    #expect(lane.arrive(5) == .wait)
    #expect(lane.effects.superseded == [3])
    #expect(lane.effects.evicted == [])
    #expect(lane.waiting == [4, 5])
  }

  // MARK: Rules that change

  @Test func `an action with a higher limit starts the others before itself`() {
    let lane = Desk(.sequential())
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .wait])
    #expect(lane.arrive(4, .concurrent(atMost: 3)) == .wait)
    #expect(lane.effects.starting == [2, 3])
    #expect(lane.waiting == [4])
  }

  @Test func `adopting a higher limit starts actions that wait`() {
    let lane = Desk(.sequential())
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .wait])
    var consequences = LaneMachine.Consequences()
    lane.machine.adopt(.concurrent(atMost: 2), &consequences)
    #expect(consequences.starting == [2])
  }

  @Test func `adopting a lower limit evicts none, and starts none until a slot is free`() {
    let lane = Desk(.concurrent(atMost: 3))
    #expect((1...4).map { lane.arrive($0) } == [.start, .start, .start, .wait])
    var consequences = LaneMachine.Consequences()
    lane.machine.adopt(.sequential(), &consequences)
    #expect(consequences.evicted == [])
    #expect(lane.end(1) == [])
    #expect(lane.end(2) == [])
    #expect(lane.end(3) == [4])
  }

  @Test func `an action with a lower limit evicts as many as necessary`() {
    let lane = Desk(.latest(atMost: 3))
    #expect((1...3).map { lane.arrive($0) } == [.start, .start, .start])
    #expect(lane.arrive(4, .latest()) == .start)
    #expect(lane.effects.evicted == [1, 2, 3])
  }

  // MARK: A line with an end

  @Test func `a full queue refuses a further action and keeps the others`() {
    let lane = Desk(.sequential(waiting: (2, dropsOldest: false)))
    #expect((1...4).map { lane.arrive($0) } == [.start, .wait, .wait, .refuse])
    #expect(lane.waiting == [2, 3])
    #expect(lane.end(1) == [2])
    #expect(lane.arrive(5) == .wait)
  }

  @Test func `a full queue may drop the oldest instead`() {
    let lane = Desk(.concurrent(atMost: 1, waiting: (2, dropsOldest: true)))
    #expect((1...4).map { lane.arrive($0) } == [.start, .wait, .wait, .wait])
    #expect(lane.effects.superseded == [2])
    #expect(lane.waiting == [3, 4])
  }

  @Test func `an action that has a slot and has yet to start is not in the queue`() {
    let lane = Desk(.sequential(waiting: (1, dropsOldest: false)))
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    #expect(lane.end(1) == [2])
    #expect(lane.arrive(3) == .wait)
    #expect(lane.arrive(4) == .refuse)
  }

  @Test func `an action that raises the limit is not refused`() {
    let lane = Desk(.sequential(waiting: (1, dropsOldest: false)))
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    let wider = Rules.concurrent(atMost: 3, waiting: (1, dropsOldest: false))
    #expect(lane.arrive(3, wider) == .wait)
    #expect(lane.effects.starting == [2, 3])
  }

  @Test func `adopting a lower limit keeps what a refusing queue has accepted`() {
    let lane = Desk(.sequential(waiting: (3, dropsOldest: false)))
    #expect((1...4).map { lane.arrive($0) } == [.start, .wait, .wait, .wait])
    var consequences = LaneMachine.Consequences()
    lane.machine.adopt(.sequential(waiting: (1, dropsOldest: false)), &consequences)
    #expect(consequences.isEmpty)
    #expect(lane.arrive(5) == .refuse)
    #expect(lane.waiting == [2, 3, 4])
  }

  @Test func `adopting a lower limit drops the oldest of a dropping queue`() {
    let lane = Desk(.sequential(waiting: (3, dropsOldest: true)))
    #expect((1...4).map { lane.arrive($0) } == [.start, .wait, .wait, .wait])
    var consequences = LaneMachine.Consequences()
    lane.machine.adopt(.sequential(waiting: (1, dropsOldest: true)), &consequences)
    #expect(consequences.superseded == [2, 3])
    #expect(lane.waiting == [4])
  }

  @Test func `an action that waits for its distance is in the queue`() {
    let rules = Rules.concurrent(waiting: (1, dropsOldest: false))
    let lane = Desk(rules.spaced())
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .refuse])
  }

  @Test func `an action that a debounce holds is not in the queue, and may find it full`() {
    let plain = Rules.sequential(waiting: (1, dropsOldest: false))
    let lane = Desk(plain)
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    #expect(lane.arrive(3, plain.debounced()) == .wait)
    #expect(lane.depth == Depth(running: 1, waiting: 2))
    #expect(lane.timeIsUp()?.admission == .refuse)
  }

  @Test func `the depth counts actions that run, that unwind and that wait`() {
    let lane = Desk(.latest(waitingForEvicted: true))
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    #expect(lane.depth == Depth(running: 1, waiting: 1))
    #expect(lane.end(1) == [2])
    #expect(lane.depth == Depth(running: 1, waiting: 0))
  }

  // MARK: Leaving the queue

  @Test func `an action that leaves the queue does not start`() {
    let lane = Desk(.sequential())
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .wait])
    lane.machine.withdraw(2)
    #expect(lane.end(1) == [3])
  }

  @Test func `the end of an unknown action frees no slot`() {
    let lane = Desk(.sequential())
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    #expect(lane.end(9) == [])
    #expect(lane.active == [1])
  }

  // MARK: Debounce

  @Test func `a debounce holds the newest and supersedes the others`() {
    let lane = Desk(.concurrent().debounced())
    #expect(lane.arrive(1) == .wait)
    #expect(lane.effects.startsTimer)
    #expect(lane.arrive(2) == .wait)
    #expect(lane.effects.startsTimer)
    #expect(lane.effects.superseded == [1])
    let held = lane.timeIsUp()
    #expect(held?.number == 2)
    #expect(held?.admission == .start)
  }

  @Test func `an action that a debounce held meets the lane's other rules`() {
    let lane = Desk(.leading().debounced())
    #expect(lane.arrive(1) == .wait)
    #expect(lane.timeIsUp()?.admission == .start)
    #expect(lane.arrive(2) == .wait)
    #expect(lane.timeIsUp()?.admission == .drop)
  }

  @Test func `a debounce whose action has left is over`() {
    let lane = Desk(.concurrent().debounced())
    #expect(lane.arrive(1) == .wait)
    lane.machine.withdraw(1)
    #expect(lane.isIdle)
    #expect(lane.timeIsUp()?.number == nil)
  }

  // MARK: Throttle

  @Test func `a throttle starts the first and keeps the latest of the window`() {
    let lane = Desk(.concurrent().throttled())
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .wait])
    #expect(lane.effects.superseded == [2])
    #expect(lane.timeIsUp()?.number == 3)
    #expect(lane.effects.startsTimer)
  }

  @Test func `a throttle that keeps the first drops the others of the window`() {
    let lane = Desk(.concurrent().throttled(keepsFirst: true))
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .drop])
    #expect(lane.timeIsUp()?.number == 2)
  }

  @Test func `a throttle's window without a further action is the last`() {
    let lane = Desk(.concurrent().throttled())
    #expect(lane.arrive(1) == .start)
    #expect(lane.end(1) == [])
    #expect(!lane.isIdle)
    #expect(lane.timeIsUp()?.number == nil)
    #expect(!lane.effects.startsTimer)
    #expect(lane.isIdle)
  }

  @Test func `a throttle whose action has left goes on`() {
    let lane = Desk(.concurrent().throttled())
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    lane.machine.withdraw(2)
    #expect(!lane.isIdle)
    #expect(lane.arrive(3) == .wait)
  }

  // MARK: Spacing

  @Test func `spacing starts one each time the time is up`() {
    let lane = Desk(.concurrent().spaced())
    #expect((1...3).map { lane.arrive($0) } == [.start, .wait, .wait])
    #expect(lane.timeIsUp()?.number == nil)
    #expect(lane.effects.starting == [2])
    #expect(lane.effects.startsTimer)
    #expect(lane.waiting == [3])
  }

  @Test func `spacing starts no action at an end while the time runs`() {
    let lane = Desk(.sequential().spaced())
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    #expect(lane.end(1) == [])
    #expect(lane.timeIsUp()?.number == nil)
    #expect(lane.effects.starting == [2])
  }

  @Test func `spacing waits for a slot as well`() {
    let lane = Desk(.sequential().spaced())
    #expect((1...2).map { lane.arrive($0) } == [.start, .wait])
    #expect(lane.timeIsUp()?.number == nil)
    #expect(lane.effects.starting == [])
    #expect(lane.end(1) == [2])
    #expect(lane.effects.startsTimer)
  }
}

private typealias Rules = LaneMachine.Rules

private struct Depth: Equatable {
  let running: Int
  let waiting: Int
}

extension LaneMachine.Rules {
  fileprivate typealias Line = (places: UInt32, dropsOldest: Bool)

  fileprivate static func concurrent(
    atMost limit: Int = .max, waiting line: Line = (.max, false)
  ) -> Self {
    Self(limit: limit, overflow: .wait(places: line.places, dropsOldest: line.dropsOldest))
  }

  fileprivate static func sequential(waiting line: Line = (.max, false)) -> Self {
    concurrent(atMost: 1, waiting: line)
  }

  fileprivate static func leading(atMost limit: Int = 1) -> Self {
    Self(limit: limit, overflow: .drop)
  }

  fileprivate static func latest(atMost limit: Int = 1, waitingForEvicted: Bool = false) -> Self {
    Self(limit: limit, overflow: .evict(waits: waitingForEvicted))
  }

  fileprivate func debounced() -> Self { timed(.debounce) }
  fileprivate func throttled(keepsFirst: Bool = false) -> Self {
    timed(.throttle(keepsFirst: keepsFirst))
  }
  fileprivate func spaced() -> Self { timed(.spacing) }

  private func timed(_ timing: Timing) -> Self {
    Self(limit: limit, overflow: overflow, timing: timing)
  }
}

/// A lane, and what followed from the last event; a copyable handle, which `#expect` needs.
private final class Desk {
  var machine: LaneMachine
  private(set) var effects = LaneMachine.Consequences()

  init(_ rules: Rules) { machine = LaneMachine(rules) }

  var active: [UInt64] { machine.active }
  var waiting: [UInt64] { machine.waiting }
  var depth: Depth { Depth(running: machine.occupied, waiting: machine.waitingCount) }
  var isIdle: Bool { machine.isIdle }

  func arrive(_ number: UInt64, _ rules: Rules? = nil) -> LaneMachine.Admission {
    effects = LaneMachine.Consequences()
    return machine.arrive(number, rules ?? machine.rules, &effects)
  }

  func end(_ number: UInt64) -> [UInt64] {
    effects = LaneMachine.Consequences()
    machine.end(number, &effects)
    return effects.starting
  }

  func timeIsUp() -> (number: UInt64, admission: LaneMachine.Admission)? {
    effects = LaneMachine.Consequences()
    return machine.timerFired(&effects)
  }
}
