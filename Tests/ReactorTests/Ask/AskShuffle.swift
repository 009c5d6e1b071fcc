import TestLimits
import TestSupport

@testable import Reactor

/// One seed's worth of chance: a reactor that is asked, a child it hands replies to, and everything
/// that can come between an ask and its answer.
final class AskShuffle<R: AskedTestReactor> {
  typealias Plan = AskedPlan

  var random: SplitMix64
  let clock = ManualClock()
  let plans: [Plan]
  let gates: [Gate]
  let child: AskedChild
  let reactor: R
  /// Numbers whose asks something has been done to: it need not come out as planned.
  var touched: Set<Int> = []

  init(_: R.Type, _ random: SplitMix64) {
    var random = random
    let count = 3 + random.below(10)
    var plans = (0..<count).map { Plan($0, &random) }
    gates = plans.map { _ in Gate() }
    child = AskedChild()
    for index in plans.indices where random.oneIn(8) {
      plans[index].lane = .latest("debounced").debounced(for: .steps(2), clock: clock)
    }
    self.plans = plans
    reactor = R(AskedOrders(plans: plans, gates: gates, child: child))
    self.random = random
  }

  /// - Returns: What was wrong.
  func run() async -> [String] {
    let asks = plans.map { ask($0) }
    for _ in 0..<random.below(3 * plans.count) { await disturb(asks) }
    let isDrained = random.oneIn(2)
    let isStopped = random.oneIn(3)
    if isStopped { reactor.stop(isDrained ? .drain : .cancel) }
    // From here on everything comes to its end, unless the reply is kept: then the reactor's end is
    // what ends that.
    for gate in gates { gate.open() }
    await child.send(.serveFromNowOn).settled
    // Asks that wait for the clock, too; one with a limit may reach it then.
    touch { $0.limit != nil }
    clock.expireImmediately()
    if !isStopped {
      for (plan, ask) in zip(plans, asks) where plan.way != .kept { _ = await ask.value }
      if random.oneIn(2) { await serve() }
    }
    await reactor.stop(.drain).settled
    await child.stop(.drain).settled

    var problems: [String] = []
    for (plan, ask) in zip(plans, asks) {
      let answer = await ask.value
      let isTouched = touched.contains(plan.number) || isStopped
      let isServed = reactor.orders.served.entries.contains(plan.number)
      if !R.allowed.contains(answer.description),
        !plan.allows(answer, isTouched: isTouched, isServed: isServed, isHooked: R.isHooked)
      {
        problems.append("\(plan) was answered \(answer), touched: \(isTouched)")
      }
    }
    if reactor.pipeline.core.hasOpenAsks { problems.append("the ledger is not empty") }
    problems += reactor.orders.reports.entries.compactMap { report in
      if case .answeredTwice = report.problem { "\(report)" } else { nil }
    }
    return problems
  }

  private func ask(_ plan: Plan) -> Task<Answer, Never> {
    let (reactor, clock) = (reactor, clock)
    return Task {
      await Answer {
        guard let limit = plan.limit else { return try await reactor.ask { .ask(plan, $0) } }
        return try await reactor.ask(within: .steps(limit), clock: clock) { .ask(plan, $0) }
      }
    }
  }

  private func disturb(_ asks: [Task<Answer, Never>]) async {
    let number = random.below(plans.count)
    switch random.below(10) {
    case 0:
      touched.insert(number)
      asks[number].cancel()
    case 1, 2: gates[number].open()
    case 3:
      touch { $0.lane != nil }
      reactor.cancel(lane: "lane", isolation: nil)
    case 4:
      touch { $0.limit != nil }
      clock.advance(to: clock.now.step + 1)
    case 5: await serve()
    case 6:
      // Those that the child has get their answers; those that it gets later, in the end.
      await child.send(.serve).settled
    case 7 where random.oneIn(3):
      touch { _ in true }
      await reactor.stop().settled
      await reactor.restart()
    default: await reactor.turn { _ in }
    }
  }

  private func touch(_ isMeant: (Plan) -> Bool) {
    touched.formUnion(plans.filter(isMeant).map(\.number))
  }

  private func serve() async { await reactor.send(.serve).settled }
}

/// What is to come of one ask.
struct AskedPlan: Sendable, CustomStringConvertible {
  enum Way: CaseIterable, Sendable {
    case atOnce, throwing, ignored, effect, failing, failingLater, silentEffect, kept, handedOn
    case handedOnAndLetGo, twiceBySeveral, handedToOneThatGoes
    case expected, droppedByMiddleware, refusedByMiddleware, droppedByHook
  }

  let number: Int
  let way: Way
  var lane: Lane?
  var limit: Int?

  init(_ number: Int, _ random: inout SplitMix64) {
    self.number = number
    way = Way.allCases.randomElement(using: &random) ?? .atOnce
    if random.oneIn(2) {
      let lanes: [Lane] = [
        .sequential("lane"), .leading("lane"), .latest("lane"),
        .sequential("lane", waitingLimit: 1),
        .sequential("lane", waitingLimit: 1, dropsOldest: true),
        .concurrent("lane", atMost: 2),
      ]
      lane = lanes.randomElement(using: &random)
    }
    if random.oneIn(4) { limit = 1 + random.below(4) }
  }

  var description: String { "\(number) \(way) in \(lane?.key as Any), within \(limit as Any)" }

  /// Whether it may end so.
  ///
  /// - Parameters:
  ///   - answer: How it has ended.
  ///   - isTouched: Whether something has been done to it.
  ///   - isServed: Whether its reply was kept, and has been answered.
  ///   - isHooked: Whether its reactor has a hook, which drops some.
  /// - Returns: Whether it may.
  func allows(_ answer: Answer, isTouched: Bool, isServed: Bool, isHooked: Bool) -> Bool {
    let planned: [String] =
      switch way {
      case .atOnce, .effect, .handedOn, .twiceBySeveral: ["\(number)"]
      case .throwing: ["Failure(number: \(number))"]
      case .ignored, .silentEffect, .handedOnAndLetGo, .handedToOneThatGoes: ["released"]
      case .expected, .refusedByMiddleware: ["No(number: \(number))"]
      case .droppedByMiddleware: ["droppedByMiddleware(not this one)"]
      case .droppedByHook: [isHooked ? "released" : "\(number)"]
      case .failing, .failingLater: ["failed(Failure(number: \(number)))"]
      // There was no wait for it before the stop: it may have come after that.
      case .kept: isServed ? ["\(number)"] : ["reactorEnded", "refused(stopped)"]
      }
    if planned.contains(answer.description) { return true }
    if let key = lane?.key {
      let ofLanes = [
        "dropped(\(key))", "superseded(\(key))", "evicted(\(key))", "refused(laneFull(\(key)))",
      ]
      if ofLanes.contains(answer.description) { return true }
    }
    guard isTouched else { return false }
    let ofOthers = [
      "asker cancelled", "cancelled", "neverBegun", "reactorEnded", "refused(stopped)", "released",
    ]
    return ofOthers.contains(answer.description) || answer.description.hasPrefix("timedOut(")
  }
}

/// What a reactor of the shuffle has.
final class AskedOrders: Sendable {
  let plans: [AskedPlan]
  let gates: [Gate]
  let child: AskedChild
  let reports = ReportLog()
  /// Those whose replies were kept, and have been answered.
  let served = Log<Int>()

  init(plans: [AskedPlan], gates: [Gate], child: AskedChild) {
    self.plans = plans
    self.gates = gates
    self.child = child
  }
}

enum AskedAction: Sendable {
  case ask(AskedPlan, Reply<Int>)
  case serve
}

enum AskedMutation: Sendable {
  case keep(Int, Reply<Int>)
  case clear
  case serveFromNowOn
  case nothing
}

struct AskedState: Sendable {
  var kept: [(number: Int, reply: Reply<Int>)] = []
  var isServing = false
}

protocol AskedTestReactor: Reactor
where Action == AskedAction, Mutation == AskedMutation, State == AskedState {
  init(_ orders: AskedOrders)
  nonisolated var orders: AskedOrders { get }
  /// What any ask may come to here, whatever its plan.
  static var allowed: [String] { get }
  /// Whether a hook drops those that say so.
  static var isHooked: Bool { get }
}

/// A no, which is an answer.
struct No: ExpectedError { let number: Int }

extension AskedOrders {
  /// What drops those that say so.
  static var stages: [any ActionMiddleware] {
    [
      ActionStage(for: AskedAction.self) { action in
        guard case .ask(let plan, _) = action else { return .pass }
        return switch plan.way {
        case .droppedByMiddleware: .drop(DropReason("not this one"))
        case .refusedByMiddleware: .drop(No(number: plan.number))
        default: .pass
        }
      }
    ]
  }
}

extension AskedTestReactor {
  nonisolated var initialState: AskedState { AskedState() }
  static var allowed: [String] { [] }
  static var isHooked: Bool { false }

  nonisolated func report(_ report: ReactorReport) {
    // Without what the action carries: a report that is kept would keep the reply.
    orders.reports.append(
      ReactorReport(
        reactor: Self.self, identity: report.identity, action: nil,
        actionNumber: report.actionNumber, problem: report.problem))
  }

  func laneOf(_ action: AskedAction) -> Lane? {
    if case .ask(let plan, _) = action { plan.lane } else { nil }
  }

  func workOf(_ action: AskedAction) -> MutationStream<AskedMutation> {
    guard case .ask(let plan, let reply) = action else {
      for (number, reply) in currentState.kept {
        orders.served.append(number)
        reply(number)
      }
      return .just(.clear)
    }
    let (number, gate, child) = (plan.number, orders.gates[plan.number], orders.child)
    switch plan.way {
    case .atOnce, .droppedByHook, .droppedByMiddleware, .refusedByMiddleware:
      reply(number)
      return .just(.nothing)
    case .expected:
      return .run { emit in
        try await gate.wait()
        await emit(.nothing)
        throw No(number: number)
      }
    case .throwing:
      reply(throwing: Failure(number: number))
      return .empty
    case .ignored: return .just(.nothing)
    case .effect:
      return .run { emit in
        try await gate.wait()
        await emit(.nothing)
        reply(number)
      }
    case .failing: return .run { _ in throw Failure(number: number) }
    case .failingLater:
      return .run { emit in
        try await gate.wait()
        await emit(.nothing)
        throw Failure(number: number)
      }
    case .silentEffect:
      return .run { emit in
        try await gate.wait()
        await emit(.nothing)
      }
    case .kept: return .just(.keep(number, reply))
    case .handedOn:
      return .run { _ in await child.send(.keep(number, reply)).settled }
    case .handedOnAndLetGo:
      return .run { _ in await child.send(.letGo(reply)).settled }
    case .handedToOneThatGoes:
      return .run { _ in
        let brief = AskedChild()
        await brief.send(.keep(number, reply)).settled
      }
    case .twiceBySeveral:
      return .merge(
        .run { _ in try await gate.wait() },
        .run { _ in
          try await gate.wait()
          reply(number)
        })
    }
  }

  func fold(_ state: inout AskedState, _ mutation: AskedMutation) {
    switch mutation {
    case .keep(let number, let reply): state.kept.append((number, reply))
    case .clear: state.kept = []
    case .serveFromNowOn: state.isServing = true
    case .nothing: break
    }
  }
}

/// Keeps replies that are passed to it: it answers on request, and in the end at once.
actor AskedChild: Reactor {
  enum Action: Sendable {
    case keep(Int, Reply<Int>)
    case letGo(Reply<Int>)
    case serve
    case serveFromNowOn
  }
  typealias Mutation = AskedMutation

  let initialState = AskedState()
  let pipeline = Pipeline()

  nonisolated func report(_ report: ReactorReport) {}

  func mutate(action: Action) -> MutationStream<AskedMutation> {
    switch action {
    case .keep(let number, let reply):
      guard currentState.isServing else { return .just(.keep(number, reply)) }
      reply(number)
      return .empty
    case .letGo: return .just(.nothing)
    case .serve:
      serve()
      return .just(.clear)
    case .serveFromNowOn:
      serve()
      return .of(.clear, .serveFromNowOn)
    }
  }

  private func serve() {
    for (number, reply) in currentState.kept { reply(number) }
  }

  func reduce(state: inout AskedState, mutation: AskedMutation) {
    switch mutation {
    case .keep(let number, let reply): state.kept.append((number, reply))
    case .clear: state.kept = []
    case .serveFromNowOn: state.isServing = true
    case .nothing: break
    }
  }
}

actor PlainAsked: AskedTestReactor {
  typealias Action = AskedAction
  typealias Mutation = AskedMutation

  let orders: AskedOrders
  let pipeline = Pipeline(through: AskedOrders.stages)
  init(_ orders: AskedOrders) { self.orders = orders }
  func lane(for action: AskedAction) -> Lane? { laneOf(action) }
  func mutate(action: AskedAction) -> MutationStream<AskedMutation> { workOf(action) }
  func reduce(state: inout AskedState, mutation: AskedMutation) { fold(&state, mutation) }
}

/// A reactor whose inbox has a low limit.
actor BoundedAsked: AskedTestReactor {
  typealias Action = AskedAction
  typealias Mutation = AskedMutation

  static var allowed: [String] { ["refused(inboxFull)"] }
  let orders: AskedOrders
  let pipeline = Pipeline(
    inboxLimit: 2, through: AskedOrders.stages)
  init(_ orders: AskedOrders) { self.orders = orders }
  func lane(for action: AskedAction) -> Lane? { laneOf(action) }
  func mutate(action: AskedAction) -> MutationStream<AskedMutation> { workOf(action) }
  func reduce(state: inout AskedState, mutation: AskedMutation) { fold(&state, mutation) }
}

actor HookedAsked: AskedTestReactor {
  typealias Action = AskedAction
  typealias Mutation = AskedMutation

  static var isHooked: Bool { true }
  let orders: AskedOrders
  let pipeline = Pipeline(through: AskedOrders.stages)
  init(_ orders: AskedOrders) { self.orders = orders }
  func lane(for action: AskedAction) -> Lane? { laneOf(action) }
  func transform(action: Actions) -> some AsyncSequence<AskedAction, Never> {
    action.filter { action in
      if case .ask(let plan, _) = action { plan.way != .droppedByHook } else { true }
    }
  }
  func transform(mutation: Mutations) -> some AsyncSequence<AskedMutation, Never> {
    mutation.map { $0 }
  }
  func mutate(action: AskedAction) -> MutationStream<AskedMutation> { workOf(action) }
  func reduce(state: inout AskedState, mutation: AskedMutation) { fold(&state, mutation) }
}
