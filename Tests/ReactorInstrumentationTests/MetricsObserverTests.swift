import CoreMetrics
import MetricsTestKit
import Reactor
import ReactorInstrumentation
import TestLimits
import TestSupport
import Testing

/// What metrics have of reactors.
@Suite(.bounded) struct MetricsObserverTests {
  private let metrics = TestMetrics()

  private actor Door: Reactor {
    enum Action: Sendable { case knock(Int), fail, sayNo, wait(Gate) }
    enum Refusal: ExpectedError { case closed }
    enum Mutation: Sendable { case opened(Int) }
    let initialState = 0
    let pipeline = Pipeline()

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .knock(let number): .just(.opened(number))
      case .fail: .run { _ in throw Failure() }
      case .sayNo: .run { _ in throw Refusal.closed }
      case .wait(let gate): .run { _ in await gate.pass() }
      }
    }

    func reduce(state: inout Int, mutation: Mutation) { state += 1 }

    nonisolated func report(_ report: ReactorReport) {}
  }

  @Test func `actions and mutations are counted by the names of their cases`() async throws {
    let door = Door()
    door.addObserver(MetricsObserver(metrics))
    for number in 0..<3 { await door.send(.knock(number)).settled }
    let actions = try metrics.expectCounter(
      "reactor.actions", [("reactor", "Door"), ("action", "knock")])
    #expect(actions.totalValue == 3)
    let mutations = try metrics.expectCounter(
      "reactor.mutations", [("reactor", "Door"), ("mutation", "opened")])
    #expect(mutations.totalValue == 3)
    let took = try metrics.expectTimer(
      "reactor.action.took",
      [("reactor", "Door"), ("action", "knock"), ("outcome", "finished")])
    #expect(took.values.count == 3)
  }

  @Test func `failures are counted, and reports by their reason`() async throws {
    let door = Door()
    door.addObserver(MetricsObserver(metrics))
    await door.send(.fail).settled
    await door.stop().settled
    door.send(.fail)
    let failures = try metrics.expectCounter(
      "reactor.failures", [("reactor", "Door"), ("action", "fail")])
    #expect(failures.totalValue == 1)
    let refused = try metrics.expectCounter(
      "reactor.problems", [("reactor", "Door"), ("reason", "actionRefused")])
    #expect(refused.totalValue == 1)
  }

  @Test func `an expected error is no failure, and has an outcome of its own`() async throws {
    let door = Door()
    door.addObserver(MetricsObserver(metrics))
    await door.send(.sayNo).settled
    #expect(!metrics.counters.contains { $0.label == "reactor.failures" })
    let took = try metrics.expectTimer(
      "reactor.action.took",
      [("reactor", "Door"), ("action", "sayNo"), ("outcome", "declined")])
    #expect(took.values.count == 1)
  }

  @Test func `gauges of running effects and reactors go up and down`() async throws {
    let gates = [Gate(), Gate()]
    var door: Door? = Door()
    let log = StepGate()
    door?.addObserver(MetricsObserver(metrics))
    door?.addObserver(log)
    let receipts = gates.compactMap { door?.send(.wait($0)) }
    _ = await log.begun.entries(upTo: 2)
    let running = try metrics.expectMeter("reactor.effects.running", [("reactor", "Door")])
    let live = try metrics.expectMeter("reactor.live", [("reactor", "Door")])
    #expect(running.lastValue == 2)
    #expect(live.lastValue == 1)
    for gate in gates { gate.open() }
    for receipt in receipts { await receipt.settled }
    #expect(running.lastValue == 0)
    door = nil
    _ = await log.released.entries(upTo: 1)
    #expect(live.lastValue == 0)
  }

  @Test func `the durations of effects, and of waiting in a lane, are measured`() async throws {
    let queue = Queue()
    let log = StepGate()
    queue.addObserver(MetricsObserver(metrics))
    queue.addObserver(log)
    let receipts = [queue.send(1), queue.send(2)]
    _ = await log.waiting.entries(upTo: 1)
    let waiting = try metrics.expectMeter("reactor.lanes.waiting", [("reactor", "Queue")])
    #expect(waiting.lastValue == 1)
    queue.gate.open()
    for receipt in receipts { await receipt.settled }
    #expect(waiting.lastValue == 0)
    let waited = try metrics.expectTimer("reactor.lane.waited", [("reactor", "Queue")])
    #expect(waited.values.count == 1)
    let took = try metrics.expectTimer(
      "reactor.effect.took", [("reactor", "Queue"), ("action", "Int")])
    #expect(took.values.count == 2)
  }

  @Test func `a million ids are one label`() async throws {
    let observer = MetricsObserver(metrics)
    let action = ObservedAction(Door.Action.knock(1), number: ActionNumber(rawValue: 0))
    for number in 0..<UInt64(TestCounts.rounds(1_000_000)) {
      let identity = ReactorIdentity(type: Door.self, number: number, name: "room \(number)")
      observer.observe(
        ReactorStep(.taken(waited: .microseconds(1), behind: 0), in: identity, action: action))
      observer.observe(
        ReactorStep(.ended(.finished, took: .microseconds(1)), in: identity, action: action))
    }
    #expect(metrics.counters.count == 1)
    #expect(metrics.timers.count == 2)
    #expect(metrics.recorders.count == 1)
  }
}

/// Tells when effects begin, and when the reactor has gone.
private struct StepGate: ReactorObserver {
  let begun = Log<Void>()
  let waiting = Log<Void>()
  let released = Log<Void>()

  func observe(_ step: ReactorStep) {
    switch step.kind {
    case .effectBegun: begun.append(())
    case .waiting: waiting.append(())
    case .released: released.append(())
    default: break
    }
  }
}

/// One after the other, each of which waits at a gate.
private actor Queue: LanedReactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  nonisolated let gate = Gate()

  func lane(for action: Int) -> Lane? { .sequential("queue") }
  func mutate(action: Int) -> MutationStream<Int> { .run { [gate] _ in await gate.pass() } }
  func reduce(state: inout Int, mutation: Int) {}
}
