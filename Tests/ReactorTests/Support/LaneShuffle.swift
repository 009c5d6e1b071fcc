@testable import Reactor

/// What one action of a shuffle leads to.
struct ShuffledAction: Sendable {
  enum Work: CaseIterable, Sendable {
    /// Without an effect: no mutation, or two at once.
    case nothing, atOnce
    /// One effect that never waits; one that waits at a gate; three together; several in a row.
    case quick, gated, merged, chained
  }

  /// Which lane, and the rules it brings.
  var key: Int?
  var rules: Lane?
  var work = Work.gated
  /// Whether its effects heed their cancellation.
  var isStubborn = false
  /// Whether its effects throw in the end.
  var fails = false
  /// Whether its effects run on the reactor, and keep it.
  var usesReactor = false
  /// The action that it sends, and the lane that it cancels, once its gate is open.
  var sends: Int?
  var cancels: Int?

  var parts: Range<Int> {
    switch work {
    case .nothing, .atOnce: 0..<0
    case .quick, .gated: 0..<1
    case .merged: 0..<3
    case .chained: 1..<2
    }
  }

  /// Everything it emits if nothing comes between.
  func mutations(of action: Int) -> [Int] {
    let offsets: [Int] =
      switch work {
      case .nothing: []
      case .atOnce: [0, 1]
      case .quick, .gated: fails ? [0] : [0, 1]
      case .merged: fails ? [0, 2, 4] : [0, 1, 2, 3, 4, 5]
      case .chained: fails ? [0, 2] : [0, 2, 3, 4]
      }
    return offsets.map { action * 10 + $0 }
  }
}

/// A lane of a shuffle.
struct ShuffledLane: Sendable {
  enum Policy: CaseIterable { case concurrent, sequential, leading, latest, latestWaiting }
  enum Timing: CaseIterable { case debounce, throttleLatest, throttleFirst, spacing }

  /// What its rules are; several if they change.
  var rules: [Lane] = []
  var policy = Policy.concurrent
  /// How long it has to be quiet, where that never changes.
  var quiet: Int?
  var isMixed: Bool { rules.count > 1 }
  var limit: Int { rules.map(\.limit).max() ?? 0 }

  init(_ key: Int, clock: HandClock, _ random: inout SplitMix64) {
    for _ in 0..<(random.oneIn(4) ? 3 : 1) {
      policy = Policy.allCases.randomElement(using: &random) ?? .concurrent
      let limit = 1 + random.below(3)
      var lane: Lane =
        switch policy {
        case .concurrent: .concurrent(key, atMost: random.oneIn(3) ? .max : limit)
        case .sequential: .sequential(key)
        case .leading: .leading(key, atMost: limit)
        case .latest: .latest(key, atMost: limit)
        case .latestWaiting: .latest(key, atMost: limit, waitingForEvicted: true)
        }
      if random.oneIn(3) {
        let steps = random.below(4)
        let time = Swift.Duration.steps(steps)
        let timing = Timing.allCases.randomElement(using: &random)
        if timing == .debounce { quiet = steps }
        lane =
          switch timing {
          case .debounce: lane.debounced(for: time, clock: clock)
          case .throttleLatest: lane.throttled(for: time, clock: clock)
          case .throttleFirst: lane.throttled(for: time, keeping: .first, clock: clock)
          default: lane.spaced(by: time, clock: clock)
          }
      }
      rules.append(lane)
    }
    if isMixed { quiet = nil }
  }
}

/// What happens in a shuffle, noted by those it happens to.
///
/// Holds: `state`, guarded by its own lock.
final class ShuffleDiary: Sendable {
  struct State: Sendable {
    /// The actions in the order in which they were asked for their lane, and in which they started.
    var chosen: [Int] = []
    var started: [Int] = []
    /// When that was.
    var chosenAt: [Int: Int] = [:]
    var isTimeFree = false
    /// How many effects of an action run.
    var running: [Int: Int] = [:]
    var sent: Set<Int> = []
    /// Actions that somebody has cancelled, or may have.
    var touched: Set<Int> = []
    /// Actions that were cancelled before they can have been taken.
    var nipped: Set<Int> = []
    /// How many mutations an action had in the state when it was cancelled.
    var silent: [Int: Int] = [:]
    var problems: [String] = []
  }

  private let state = Guarded(State())

  var now: State { state.withLock { $0 } }

  func note(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func complain(_ problem: String) { note { $0.problems.append(problem) } }

  func begin(_ action: Int) { note { $0.running[action, default: 0] += 1 } }

  func end(_ action: Int) {
    note { state in
      state.running[action, default: 0] -= 1
      if state.running[action] == 0 { state.running[action] = nil }
    }
  }
}

/// One seed's worth of chance: a laned reactor, a script, and what has to hold in the end.
///
/// Only the task of the test touches what is not `let`.
final class LaneShuffle<R: LanedTestReactor> {
  enum Ending: CaseIterable { case natural, stop, drain, restart, release }

  private var random: SplitMix64
  private let ending: Ending
  private let clock = HandClock()
  private let diary = ShuffleDiary()
  private let lanes: [ShuffledLane]
  private let actions: [ShuffledAction]
  private let gates: [[Gate]]
  private let roots: Int
  private var reactor: R?
  private let orders: LaneOrders<R>
  private var next = 0
  private var receipts: [(action: Int, receipt: ActionReceipt<R>)] = []
  private var tracked: [TrackedReceipt] = []
  private let children = Log<ActionReceipt<R>>()

  init(_: R.Type, _ random: SplitMix64) {
    var random = random
    ending = Ending.allCases.randomElement(using: &random) ?? .natural
    let clock = clock
    lanes = (0..<(1 + random.below(3))).map { ShuffledLane($0, clock: clock, &random) }
    roots = 4 + random.below(12)
    let actions = Self.actions(roots, lanes, canUseReactor: ending != .release, &random)
    let gates = actions.map { _ in (0..<3).map { _ in Gate() } }
    (self.actions, self.gates) = (actions, gates)

    let (diary, lanes, receipts) = (diary, lanes, self.children)
    let script: LaneOrders<R>.Script = { reactor, action in
      let plan = actions[action]
      Self.watchStart(of: action, actions, lanes, diary, clock, on: reactor)
      diary.note { $0.started.append(action) }
      let part: (Int) -> MutationStream<Int> = { part in
        Self.effect(action, part, actions, gates[action][part], diary, receipts, on: reactor)
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
      diary.note { state in
        state.chosen.append(action)
        state.chosenAt[action] = moment
      }
      return actions[action].rules
    }
    if random.oneIn(4) { orders.inbox = .atMost(1000, whenFull: .refuse) }
    self.orders = orders
    self.random = random
    reactor = R(orders)
  }

  private static func actions(
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

  private static func action(
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

  private static func effect(
    _ action: Int, _ part: Int, _ actions: [ShuffledAction], _ gate: Gate,
    _ diary: ShuffleDiary, _ children: Log<ActionReceipt<R>>, on reactor: isolated R
  ) -> MutationStream<Int> {
    let plan = actions[action]
    let mutation = action * 10 + part * 2
    guard plan.usesReactor else {
      return .run { [weak reactor] emit in
        diary.begin(action)
        defer { diary.end(action) }
        await emit(mutation)
        if plan.work != .quick {
          if plan.isStubborn { await gate.pass() } else { try await gate.wait() }
        }
        if let reactor, part == plan.parts.lowerBound {
          Self.follow(plan, actions, diary, children, reactor, isolation: nil)
        }
        if plan.fails { throw Failure(number: action) }
        await emit(mutation + 1)
      }
    }
    return .run { emit in
      reactor.assertIsolated()
      diary.begin(action)
      defer { diary.end(action) }
      await emit(mutation)
      if plan.work != .quick {
        if plan.isStubborn { await gate.pass() } else { try await gate.wait() }
      }
      reactor.assertIsolated()
      if part == plan.parts.lowerBound {
        Self.follow(plan, actions, diary, children, reactor, isolation: reactor)
      }
      if plan.fails { throw Failure(number: action) }
      await emit(mutation + 1)
    }
  }

  /// What an effect does once its gate is open.
  private static func follow(
    _ plan: ShuffledAction, _ actions: [ShuffledAction], _ diary: ShuffleDiary,
    _ children: Log<ActionReceipt<R>>, _ reactor: R, isolation: (any Actor)?
  ) {
    if let child = plan.sends {
      diary.note { _ = $0.sent.insert(child) }
      children.append(reactor.send(child))
    }
    if let key = plan.cancels {
      touch(lane: key, actions, diary)
      reactor.cancel(lane: key, isolation: isolation)
    }
  }

  private static func touch(lane key: Int, _ actions: [ShuffledAction], _ diary: ShuffleDiary) {
    let inLane = actions.indices.filter { actions[$0].key == key }
    diary.note { $0.touched.formUnion(inLane) }
  }

  /// What has to hold when `mutate` is called.
  private static func watchStart(
    of action: Int, _ actions: [ShuffledAction], _ lanes: [ShuffledLane], _ diary: ShuffleDiary,
    _ clock: HandClock, on reactor: isolated R
  ) {
    let now = diary.now
    if now.nipped.contains(action) { diary.complain("\(action) started, although cancelled") }
    if now.started.contains(action) { diary.complain("\(action) started twice") }
    if let last = now.started.last, actions[last].work == .atOnce, !now.touched.contains(last) {
      let missing = Set(actions[last].mutations(of: last)).subtracting(reactor.currentState)
      if !missing.isEmpty { diary.complain("\(action) started inside the turn of \(last)") }
    }
    guard let key = actions[action].key else { return }
    let lane = lanes[key]
    if let quiet = lane.quiet, let moment = now.chosenAt[action], !now.isTimeFree,
      clock.now.step < moment + quiet
    {
      diary.complain("\(action) started too early")
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
      diary.complain("\(action) started beside \(others.sorted()) in a lane of \(lane.limit)")
    }
  }

  // MARK: The script

  /// Runs the script to its end.
  ///
  /// - Returns: What was wrong.
  func run() async -> [String] {
    for _ in 0..<(12 + random.below(24)) { await step() }
    await finish()
    await look()
    let gone = orders.gone
    reactor = nil
    await gone.pass()
    return diary.now.problems
  }

  private func step() async {
    guard let reactor else { return }
    switch random.below(10) {
    case 0, 1, 2: send(to: reactor)
    case 3: await sendSeveral(to: reactor)
    case 4: await cancelReceipt(on: reactor)
    case 5: if random.oneIn(3) { await cancelLane(on: reactor) }
    case 6: await updateLane(on: reactor)
    case 7: gates[random.below(actions.count)][random.below(3)].open()
    case 8: clock.turn(to: clock.now.step + 1 + random.below(3))
    default: if random.oneIn(2) { await reactor.flush() } else { await Task.yield() }
    }
  }

  private func send(to reactor: R) {
    guard next < roots else { return }
    let action = next
    diary.note { _ = $0.sent.insert(action) }
    if random.oneIn(5) {
      tracked.append(reactor.sendTracked(action))
    } else {
      receipts.append((action, reactor.send(action)))
    }
    next += 1
  }

  /// In one go, and perhaps with a cancel right behind.
  private func sendSeveral(to reactor: R) async {
    let batch = Array(next..<min(roots, next + 3))
    guard let last = batch.last else { return }
    next = last + 1
    diary.note { $0.sent.formUnion(batch) }
    let key = random.oneIn(4) ? actions[last].key : nil
    if let key { Self.touch(lane: key, actions, diary) }
    let isCancelled = key == nil && random.oneIn(3)
    if isCancelled { diary.note { _ = $0.touched.insert(last) } }
    // In this turn nothing is taken, so that the cancel comes before all of them.
    let nipped = batch.filter { isCancelled && $0 == last || key != nil && actions[$0].key == key }
    diary.note { $0.nipped.formUnion(nipped) }
    let receipts = await reactor.turn { reactor in
      let receipts = batch.map { reactor.send($0) }
      if let key { reactor.cancel(lane: key) }
      if isCancelled { receipts.last?.cancel() }
      return receipts
    }
    self.receipts += zip(batch, receipts).map { ($0, $1) }
  }

  private func cancelReceipt(on reactor: R) async {
    guard let (action, receipt) = receipts.randomElement(using: &random) else { return }
    diary.note { _ = $0.touched.insert(action) }
    if random.oneIn(2) { return receipt.cancel() }
    // What is inside a hook is past recalling.
    guard !PipelineCore<R>.hasMutationHook else { return }
    let diary = diary
    await reactor.turn { reactor in
      receipt.cancel()
      guard !PipelineCore<R>.hasActionHook || diary.now.started.contains(action) else { return }
      let count = reactor.currentState.count { $0 / 10 == action }
      diary.note { $0.silent[action] = min($0.silent[action] ?? .max, count) }
    }
  }

  private func cancelLane(on reactor: R) async {
    let key = random.below(lanes.count)
    Self.touch(lane: key, actions, diary)
    if random.oneIn(2) {
      reactor.cancel(lane: key, isolation: nil)
    } else {
      await reactor.turn { $0.cancel(lane: key) }
    }
  }

  private func updateLane(on reactor: R) async {
    let key = random.below(lanes.count)
    guard lanes[key].isMixed, let lane = lanes[key].rules.randomElement(using: &random) else {
      return
    }
    await reactor.update(lane)
  }

  // MARK: The end

  private func finish() async {
    var stopped: ActionReceipt<R>?
    switch ending {
    case .natural: break
    case .stop: stopped = reactor?.stop()
    case .drain: stopped = reactor?.stop(.drain)
    case .restart:
      openGates()
      await reactor?.restart()
      while next < roots { if let reactor { send(to: reactor) } }
    case .release: reactor = nil
    }
    openGates()
    diary.note { $0.isTimeFree = true }
    clock.runFree()
    for (_, receipt) in receipts { await receipt.settled }
    for receipt in tracked { await receipt.settled }
    await stopped?.settled
    var seen = 0
    while seen < children.count {
      await children.entries[seen].settled
      seen += 1
    }
    tracked = []
  }

  private func openGates() {
    for gate in gates.joined().shuffled(using: &random) { gate.open() }
  }

  /// What has to hold once everything has settled.
  private func look() async {
    guard let reactor else { return lookAtFates(nil) }
    await reactor.flush()
    var rest = 20_000
    while let left = await reactor.turn({ Self.leftovers(in: $0) }), rest > 0 {
      rest -= 1
      if rest == 0 { diary.complain("left in the books: \(left)") }
      await Task.yield()
    }
    if clock.sleeperCount > 0 { diary.complain("\(clock.sleeperCount) timers left") }
    lookAtFates(await reactor.currentState)
  }

  private static func leftovers(in reactor: isolated R) -> String? {
    let core = reactor.pipeline.core
    let (own, lanes) = (core.own, core.own.lanes)
    let (open, waiters, chains) = core.ledger.contents.withLock {
      (Array($0.open.keys), Array($0.waiters.keys), Array($0.chains.keys))
    }
    let isEmpty =
      lanes.records.isEmpty && lanes.parked.isEmpty && lanes.cuts.isEmpty && !lanes.hasReady
      && lanes.slot == nil && lanes.entering == nil && own.skipped.isEmpty
      && own.waitingTurns.isEmpty && own.taking == nil && open.isEmpty && waiters.isEmpty
      && chains.isEmpty
    if isEmpty { return nil }
    return "lanes \(lanes.records.keys), parked \(lanes.parked.keys), cuts \(lanes.cuts), "
      + "ready \(lanes.hasReady), skipped \(own.skipped), turns \(own.waitingTurns.count), "
      + "taking \(own.taking as Any), open \(open), waiters \(waiters), chains \(chains)"
  }

  /// - Parameter state: The mutations that were reduced, where the reactor is still there.
  private func lookAtFates(_ state: [Int]?) {
    let now = diary.now
    lookAtOrder(now)
    let byAction = Dictionary(grouping: orders.reports.entries) { $0.action as? Int ?? -1 }
    for action in now.sent.sorted() {
      let fate = Fate(
        now, action, reports: byAction[action] ?? [], state: state?.filter { $0 / 10 == action })
      for problem in fate.problems(actions[action], ending) {
        diary.complain("\(action): \(problem); \(fate), \(actions[action])")
      }
    }
  }

  private func lookAtOrder(_ now: ShuffleDiary.State) {
    for (key, lane) in lanes.enumerated() where !lane.isMixed {
      let started = now.started.filter { actions[$0].key == key }
      let chosen = now.chosen.filter { actions[$0].key == key && started.contains($0) }
      if started != chosen {
        diary.complain("lane \(key): came \(chosen), started \(started); \(lane)")
      }
    }
  }

  /// What has become of an action.
  private struct Fate {
    var hasStarted: Bool
    var isTouched: Bool
    var silentAfter: Int?
    var neverStarted = 0
    var evictions = 0
    var failures = 0
    var others: [String] = []
    var state: [Int]?

    init(_ now: ShuffleDiary.State, _ action: Int, reports: [ReactorReport], state: [Int]?) {
      hasStarted = now.started.contains(action)
      isTouched = now.touched.contains(action)
      silentAfter = now.silent[action]
      self.state = state
      for report in reports {
        switch report.problem {
        case .droppedInLane, .supersededInLane, .actionDropped, .actionRefused: neverStarted += 1
        case .evictedFromLane: evictions += 1
        case .effectFailed: failures += 1
        default: others.append(report.problem.word)
        }
      }
    }

    func problems(_ plan: ShuffledAction, _ ending: Ending) -> [String] {
      var problems: [String] = []
      func expect(_ isSo: Bool, _ problem: String) { if !isSo { problems.append(problem) } }
      expect(neverStarted <= 1, "reported \(neverStarted) times")
      expect(neverStarted == 0 || !hasStarted, "reported as never started")
      expect(evictions <= 1, "evicted \(evictions) times")
      expect(evictions == 0 || hasStarted, "evicted before it started")
      expect(others.isEmpty, "reports")
      // A reactor that is gone reports elsewhere.
      if ending != .release {
        expect(hasStarted || isTouched || neverStarted == 1, "has vanished")
      }
      guard let state else { return problems }
      expect(hasStarted || state.isEmpty, "emitted without a start")
      expect(Set(state).count == state.count, "emitted twice")
      if let silentAfter { expect(state.count == silentAfter, "not silent after its cancel") }
      let isUnhindered =
        hasStarted && !isTouched && evictions == 0 && ending != .stop && ending != .restart
      guard isUnhindered, let action = state.first.map({ $0 / 10 }) else {
        let isEmpty = plan.work == .nothing
        expect(!isUnhindered || isEmpty, "emitted nothing")
        return problems
      }
      let expected = plan.mutations(of: action)
      expect(plan.work == .merged ? state.sorted() == expected : state == expected, "mutations")
      expect(failures == (plan.fails ? plan.parts.count : 0), "failures")
      return problems
    }
  }
}
