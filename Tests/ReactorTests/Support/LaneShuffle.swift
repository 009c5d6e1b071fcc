import TestLimits
import TestSupport

@testable import Reactor

/// One seed's worth of chance: a laned reactor, a script, and what has to hold in the end.
///
/// Only the task of the test touches what is not `let`.
final class LaneShuffle<R: LanedTestReactor> {
  enum Ending: CaseIterable { case natural, stop, drain, restart, release }

  var random: SplitMix64
  let ending: Ending
  let clock = ManualClock()
  let shuffleLog = ShuffleLog()
  let lanes: [ShuffledLane]
  let actions: [ShuffledAction]
  let gates: [[Gate]]
  let roots: Int
  var reactor: R?
  let orders: LaneOrders<R>
  var next = 0
  var receipts: [(action: Int, receipt: ActionReceipt<R>)] = []
  var tracked: [TrackedReceipt] = []
  /// Those whose outcomes are asked for with them.
  var asked: [(action: Int, outcome: Task<ActionOutcome, Never>)] = []
  var outcomes: [Int: ActionOutcome] = [:]
  let children = Log<ActionReceipt<R>>()
  /// What an observer receives, if there is one.
  let story: StepLog?

  init(_: R.Type, _ random: SplitMix64, isObserved: Bool = false) {
    story = isObserved ? StepLog() : nil
    var random = random
    ending = Ending.allCases.randomElement(using: &random) ?? .natural
    let clock = clock
    lanes = (0..<(1 + random.below(3))).map { ShuffledLane($0, clock: clock, &random) }
    roots = 4 + random.below(12)
    let actions = Self.actions(roots, lanes, canUseReactor: ending != .release, &random)
    let gates = actions.map { _ in (0..<3).map { _ in Gate() } }
    (self.actions, self.gates) = (actions, gates)

    let (shuffleLog, lanes, receipts) = (shuffleLog, lanes, self.children)
    let script: LaneOrders<R>.Script = { reactor, action in
      let plan = actions[action]
      Self.watchStart(of: action, actions, lanes, shuffleLog, clock, on: reactor)
      shuffleLog.note { $0.started.append(action) }
      let part: (Int) -> MutationStream<Int> = { part in
        Self.effect(action, part, actions, gates[action][part], shuffleLog, receipts, on: reactor)
      }
      return switch plan.work {
      case .nothing: .empty
      case .atOnce: .of(plan.mutations(of: action))
      case .quick, .gated: part(0)
      case .merged: .merge(part(0), part(1), part(2))
      case .chained: .concat(.just(action * 10), part(1), .just(action * 10 + 4))
      }
    }
    var orders = LaneOrders<R>(script: script) { _, action in
      let moment = clock.now.step
      shuffleLog.note { state in
        state.chosen.append(action)
        state.chosenAt[action] = moment
      }
      return actions[action].rules
    }
    if random.oneIn(4) { orders.inboxLimit = 1000 }
    self.orders = orders
    self.random = random
    reactor = R(orders)
    if let story { reactor?.addObserver(story) }
  }

  static func actions(
    _ roots: Int, _ lanes: [ShuffledLane], canUseReactor: Bool, _ random: inout SplitMix64
  ) -> [ShuffledAction] {
    var actions: [ShuffledAction] = []
    var children = roots
    for _ in 0..<roots {
      var action = action(lanes, canUseReactor: canUseReactor, &random)
      if !action.parts.isEmpty, random.oneIn(4) {
        action.sends = children
        children += 1
      }
      actions.append(action)
    }
    for _ in roots..<children {
      actions.append(action(lanes, canUseReactor: canUseReactor, &random))
    }
    return actions
  }

  static func action(
    _ lanes: [ShuffledLane], canUseReactor: Bool, _ random: inout SplitMix64
  ) -> ShuffledAction {
    var action = ShuffledAction()
    action.work =
      random.oneIn(2)
      ? .gated
      : ShuffledAction.Work.allCases.randomElement(
        using: &random) ?? .gated
    if !random.oneIn(8) {
      let key = random.below(lanes.count)
      action.key = key
      action.rules = lanes[key].rules.randomElement(using: &random)
    }
    action.isStubborn = random.oneIn(4)
    action.fails = random.oneIn(6)
    action.usesReactor = canUseReactor && random.oneIn(2)
    if random.oneIn(12) { action.cancels = random.below(lanes.count) }
    return action
  }

  // MARK: In the reactor

  static func effect(
    _ action: Int, _ part: Int, _ actions: [ShuffledAction], _ gate: Gate,
    _ shuffleLog: ShuffleLog, _ children: Log<ActionReceipt<R>>, on reactor: isolated R
  ) -> MutationStream<Int> {
    let plan = actions[action]
    let mutation = action * 10 + part * 2
    guard plan.usesReactor else {
      return .run { [weak reactor] emit in
        shuffleLog.begin(action)
        defer { shuffleLog.end(action) }
        await emit(mutation)
        if plan.work != .quick {
          if plan.isStubborn { await gate.pass() } else { try await gate.wait() }
        }
        if let reactor, part == plan.parts.lowerBound {
          Self.follow(plan, actions, shuffleLog, children, reactor, isolation: nil)
        }
        if plan.fails { throw Failure(number: action) }
        await emit(mutation + 1)
      }
    }
    return .run { emit in
      reactor.assertIsolated()
      shuffleLog.begin(action)
      defer { shuffleLog.end(action) }
      await emit(mutation)
      if plan.work != .quick {
        if plan.isStubborn { await gate.pass() } else { try await gate.wait() }
      }
      reactor.assertIsolated()
      if part == plan.parts.lowerBound {
        Self.follow(plan, actions, shuffleLog, children, reactor, isolation: reactor)
      }
      if plan.fails { throw Failure(number: action) }
      await emit(mutation + 1)
    }
  }

  /// What an effect does once its gate is open.
  static func follow(
    _ plan: ShuffledAction, _ actions: [ShuffledAction], _ shuffleLog: ShuffleLog,
    _ children: Log<ActionReceipt<R>>, _ reactor: R, isolation: (any Actor)?
  ) {
    if let child = plan.sends {
      shuffleLog.note { _ = $0.sent.insert(child) }
      children.append(reactor.send(child))
    }
    if let key = plan.cancels {
      touch(lane: key, actions, shuffleLog)
      reactor.cancel(lane: key, isolation: isolation)
    }
  }

  static func touch(lane key: Int, _ actions: [ShuffledAction], _ shuffleLog: ShuffleLog) {
    let inLane = actions.indices.filter { actions[$0].key == key }
    shuffleLog.note { $0.touched.formUnion(inLane) }
  }

  /// What has to hold when `mutate` is called.
  static func watchStart(
    of action: Int, _ actions: [ShuffledAction], _ lanes: [ShuffledLane], _ shuffleLog: ShuffleLog,
    _ clock: ManualClock, on reactor: isolated R
  ) {
    let now = shuffleLog.now
    if now.cancelledBeforeTaken.contains(action) {
      shuffleLog.reportProblem("\(action) started, although cancelled")
    }
    if now.started.contains(action) { shuffleLog.reportProblem("\(action) started twice") }
    if let last = now.started.last, actions[last].work == .atOnce, !now.touched.contains(last) {
      let missing = Set(actions[last].mutations(of: last)).subtracting(reactor.currentState)
      if !missing.isEmpty {
        shuffleLog.reportProblem("\(action) started inside the turn of \(last)")
      }
    }
    guard let key = actions[action].key else { return }
    let lane = lanes[key]
    if let quiet = lane.quiet, let moment = now.chosenAt[action], !now.isTimeFree,
      clock.now.step < moment + quiet
    {
      shuffleLog.reportProblem("\(action) started too early")
    }
    let evicted = Set(
      reactor.orders.reports.entries.compactMap { report -> Int? in
        if case .evictedFromLane = report.problem { report.action as? Int } else { nil }
      })
    let mayGoOn = lane.isMixed || lane.policy == .latest
    let others = now.running.keys.filter { other in
      guard other != action, actions[other].key == key else { return false }
      return !mayGoOn || !evicted.contains(other) && !now.touched.contains(other)
    }
    if others.count >= lane.limit {
      shuffleLog.reportProblem(
        "\(action) started beside \(others.sorted()) in a lane of \(lane.limit)")
    }
  }
}
