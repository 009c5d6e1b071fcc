import Reactor
import TestSupport

/// A reactor with lanes that does what the test says; its types have different hooks.
protocol LanedTestReactor: Reactor
where Action == Int, Mutation == Int, State == [Int], LaneResult == Lane? {
  init(_ orders: LaneOrders<Self>)
  nonisolated var orders: LaneOrders<Self> { get }
}

/// The orders of a ``LanedTestReactor``, and what has happened in it.
struct LaneOrders<R: LanedTestReactor>: Sendable {
  typealias Choose = @Sendable (isolated R, Int) -> Lane?
  typealias Script = @Sendable (isolated R, Int) -> MutationStream<Int>

  let lane: Choose
  let script: Script
  var inboxLimit = Int.max
  var suspendsSenders = false
  var shapeActions: @Sendable (ReactorActions<R>) -> Erased<Int> = { Erased($0) }
  var shapeMutations: @Sendable (ReactorMutations<R>) -> Erased<Int> = { Erased($0) }
  var onReduce: @Sendable (isolated R, Int) -> Void = { _, _ in }

  /// The actions that `mutate` has seen.
  let started = Log<Int>()
  let reports = ReportLog()
  let released = Gate()
  /// One gate for every action that is expected.
  let gates = (0..<10).map { _ in Gate() }

  init(script: @escaping Script, lane: @escaping Choose) {
    self.lane = lane
    self.script = script
  }

  /// An effect that waits at the gate of its action, and then emits it; it does not hold the
  /// reactor.
  static func gated(_ reactor: isolated R, _ action: Int) -> MutationStream<Int> {
    let gate = reactor.orders.gates[action]
    return .run { emit in
      try await gate.wait()
      await emit(action)
    }
  }
}

extension LanedTestReactor {
  /// - Parameters:
  ///   - script: What `mutate` returns; by default an effect that waits at its gate.
  ///   - lane: Which lane an action has.
  ///   - change: Changes the orders before the reactor is made of them.
  init(
    script: LaneOrders<Self>.Script? = nil, lane: @escaping LaneOrders<Self>.Choose,
    change: (inout LaneOrders<Self>) -> Void = { _ in }
  ) {
    var orders = LaneOrders<Self>(script: script ?? LaneOrders<Self>.gated, lane: lane)
    change(&orders)
    self.init(orders)
  }

  func mutate(action: Int) -> MutationStream<Int> {
    // What `flush` sends.
    if action < 0 { return .empty }
    orders.started.append(action)
    return orders.script(self, action)
  }

  func reduce(state: inout [Int], mutation: Int) {
    orders.onReduce(self, mutation)
    state.append(mutation)
  }

  nonisolated func report(_ report: ReactorReport) { orders.reports.append(report) }

  func choose(_ action: Int) -> Lane? { action < 0 ? nil : orders.lane(self, action) }

  /// Returns once every action sent before has been taken.
  nonisolated func flush() async { await send(-1).settled }

  /// Cancels a lane as a caller off the actor would, wherever the caller is.
  nonisolated func cancelFromOutside(lane key: String) { cancel(lane: key, isolation: nil) }

  /// Sends them in one go, so that all wait in the inbox before the first is taken.
  @discardableResult
  func sendAll(_ actions: some Sequence<Int>) -> [ActionReceipt<Self>] { actions.map { send($0) } }
}

/// Without hooks.
actor PlainLaned: LanedTestReactor {
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<PlainLaned>
  let orders: LaneOrders<PlainLaned>

  init(_ orders: LaneOrders<PlainLaned>) {
    self.orders = orders
    pipeline = ReactorPipeline(
      inboxLimit: orders.inboxLimit, suspendsSenders: orders.suspendsSenders)
  }

  deinit { orders.released.open() }

  func lane(for action: Int) -> Lane? { choose(action) }
}

/// With `transform(action:)`.
actor ActionHookedLaned: LanedTestReactor {
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<ActionHookedLaned>
  let orders: LaneOrders<ActionHookedLaned>

  init(_ orders: LaneOrders<ActionHookedLaned>) {
    self.orders = orders
    pipeline = ReactorPipeline(
      inboxLimit: orders.inboxLimit, suspendsSenders: orders.suspendsSenders)
  }

  deinit { orders.released.open() }

  func lane(for action: Int) -> Lane? { choose(action) }

  func transform(action: Actions) -> Erased<Int> { orders.shapeActions(action) }
}

/// With `transform(mutation:)`.
actor MutationHookedLaned: LanedTestReactor {
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<MutationHookedLaned>
  let orders: LaneOrders<MutationHookedLaned>

  init(_ orders: LaneOrders<MutationHookedLaned>) {
    self.orders = orders
    pipeline = ReactorPipeline(
      inboxLimit: orders.inboxLimit, suspendsSenders: orders.suspendsSenders)
  }

  deinit { orders.released.open() }

  func lane(for action: Int) -> Lane? { choose(action) }

  func transform(mutation: Mutations) -> Erased<Int> { orders.shapeMutations(mutation) }
}

/// With `transform(state:)`.
actor StateHookedLaned: LanedTestReactor {
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<StateHookedLaned>
  let orders: LaneOrders<StateHookedLaned>

  init(_ orders: LaneOrders<StateHookedLaned>) {
    self.orders = orders
    pipeline = ReactorPipeline(
      inboxLimit: orders.inboxLimit, suspendsSenders: orders.suspendsSenders)
  }

  deinit { orders.released.open() }

  func lane(for action: Int) -> Lane? { choose(action) }

  func transform(state: States) -> Erased<[Int]> { Erased(state) }
}

/// With all three hooks.
actor FullyHookedLaned: LanedTestReactor {
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<FullyHookedLaned>
  let orders: LaneOrders<FullyHookedLaned>

  init(_ orders: LaneOrders<FullyHookedLaned>) {
    self.orders = orders
    pipeline = ReactorPipeline(
      inboxLimit: orders.inboxLimit, suspendsSenders: orders.suspendsSenders)
  }

  deinit { orders.released.open() }

  func lane(for action: Int) -> Lane? { choose(action) }

  func transform(action: Actions) -> Erased<Int> { orders.shapeActions(action) }

  func transform(mutation: Mutations) -> Erased<Int> { orders.shapeMutations(mutation) }

  func transform(state: States) -> Erased<[Int]> { Erased(state) }
}
