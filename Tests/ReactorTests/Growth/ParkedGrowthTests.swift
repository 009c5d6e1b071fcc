import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Actions that wait, in the inbox, in lanes, in a hook or for a time, cost in proportion to their
/// number.
@Suite(.bounded) struct ParkedGrowthTests {
  @Test(arguments: [false, true])
  func `actions that wait in one lane`(cancels: Bool) async throws {
    let growth = try await Growth.of(500) { count in
      let reactor = ParkingReactor()
      let receipts = (0..<count).map { _ in reactor.send(.wait(.sequential("one"))) }
      await reactor.gate.reached()
      if cancels { for receipt in receipts.reversed() { receipt.cancel() } }
      reactor.gate.open()
      for receipt in receipts { await receipt.settled }
    }
    #expect(growth < Growth.most)
  }

  @Test func `lanes in which an action runs`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = ParkingReactor()
      let receipts = (0..<count).map { reactor.send(.wait(.concurrent($0))) }
      await reactor.gate.reached(by: count)
      for number in 0..<count { reactor.cancel(lane: number) }
      for receipt in receipts { await receipt.settled }
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions each of which evicts the one before`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = ParkingReactor()
      for _ in 0..<count { reactor.send(.wait(.latest("one"))) }
      let last = reactor.send(.wait(.latest("one")))
      last.cancel()
      await last.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `debounced lanes`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = ParkingReactor()
      let clock = ContinuousClock()
      let receipts = (0..<count).map {
        reactor.send(.pass(Lane.latest($0).debounced(for: .milliseconds(1), clock: clock)))
      }
      for receipt in receipts { await receipt.settled }
    }
    #expect(growth < Growth.most)
  }

  @Test func `asks with a time limit`() async throws {
    let growth = try await Growth.of(250) { count in
      let office = OfficeReactor()
      await withTaskGroup { group in
        for _ in 0..<count {
          group.addTask { _ = try? await office.ask(within: .seconds(100)) { .wait($0) } }
        }
        await office.wait { $0.currentState.waiting.count == count }
        office.send(.serve(1))
      }
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions in the inbox that are cancelled`() async throws {
    let growth = try await Growth.of(1_000) { count in
      let reactor = TickReactor()
      let receipts = (0..<count).map { _ in reactor.send(1) }
      for receipt in receipts.reversed() { receipt.cancel() }
      for receipt in receipts { await receipt.settled }
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true])
  func `senders that wait for a slot in the inbox`(cancels: Bool) async throws {
    let growth = try await Growth.of(1_000, isScaled: false) { count in
      let reactor = ParkingReactor(inboxLimit: 1, suspendsSenders: true)
      await withTaskGroup { group in
        for _ in 0..<count {
          group.addTask { _ = await reactor.sendWhenRoom(.pass(.sequential("one"))) }
        }
        await Task.yield()
        if cancels { group.cancelAll() }
      }
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions that wait for a hook and are cancelled`() async throws {
    let growth = try await Growth.of(500) { count in
      let gate = Gate()
      let reactor = ActionHookedReactor { _, actions in
        Erased(
          actions.map { action in
            await gate.pass()
            return action
          })
      }
      let receipts = (0..<count).map { reactor.send($0) }
      await reactor.wait { $0.waitingInHook == count - 1 }
      for receipt in receipts.reversed() { receipt.cancel() }
      gate.open()
      for receipt in receipts { await receipt.settled }
    }
    #expect(growth < Growth.most)
  }
}

/// An effect for each action that waits at the gate, or none, in the lane that the action names.
private actor ParkingReactor: Reactor {
  enum Action { case wait(Lane), pass(Lane) }
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline: Pipeline
  nonisolated let gate = Gate()

  init(inboxLimit: Int = .max, suspendsSenders: Bool = false) {
    pipeline = Pipeline(inboxLimit: inboxLimit, suspendsSenders: suspendsSenders)
  }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .wait(let lane), .pass(let lane): lane
    }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    guard case .wait = action else { return .just(1) }
    return .run { [gate] _ in try await gate.wait() }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  nonisolated func report(_ report: ReactorReport) {}
}

extension ActionHookedReactor {
  fileprivate var waitingInHook: Int {
    pipeline.core.turnState.details?.pointee.hooks?.inputs.actions?.count ?? 0
  }
}
