import ReactorMachines
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Lanes, limits, chains and ends, from many threads at once.
///
/// With the thread sanitizer, `REACTOR_HAMMER=1` makes one per cent of the rounds.
@Suite(.bounded(minutes: 10), .serialized) struct LaneHammerTests {
  /// At once for even actions, and an effect that suspends once for odd ones.
  private static let mixed: LaneOrders<PlainLaned>.Script = { _, action in
    action % 2 == 0
      ? .just(1)
      : .run { emit in
        await Task.yield()
        await emit(1)
      }
  }

  /// Whether the reactor's books are empty.
  private static func isClean<R: LanedTestReactor>(_ reactor: isolated R) -> Bool {
    let core = reactor.pipeline.core
    return core.details.lanes.leftovers == nil && core.details.skipped.isEmpty
      && !core.turnState.features.contains(.stages)
      && core.ledger.contents.withLock { $0.machine.isIdle && $0.waiters.isEmpty }
  }

  // MARK: Memory

  #if os(Linux) || os(macOS)
    @Test func `a million effects through one lane leave memory where it was`() async {
      // In a process of their own: all other tests take memory meanwhile, and give it back or not.
      await #expect(processExitsWith: .success) {
        for lane in [Lane.sequential("a"), .latest("a")] {
          await LaneHammerTests.expectNothingKept(lane)
        }
      }
    }
  #endif

  /// Half of a million through a lane.
  private static func expectNothingKept(_ lane: Lane) async {
    let reactor = CountingReactor(lane)
    let count = TestCounts.rounds(500_000)
    // In portions, because what waits in the line is a burst, not what this is about.
    let portion = 1_000
    for _ in 0..<3 { await reactor.sendAndSettle(portion) }
    let before = Memory.resident
    for _ in 0..<(max(1, count / portion)) { await reactor.sendAndSettle(portion) }
    let after = Memory.resident
    #expect(after - before < 32 << 20, "\(lane.key): \(before) to \(after) bytes")
    await reactor.wait { reactor in
      let core = reactor.pipeline.core
      return core.details.lanes.leftovers == nil
        && core.ledger.contents.withLock { $0.machine.isIdle }
    }
    #expect(await reactor.turn { $0.pipeline.core.details.lanes.records.capacity } < 64)
    #expect(await reactor.turn { $0.pipeline.core.details.lanes.parked.capacity } < 16 * portion)
  }

  @Test func `a burst through a sequential lane is reduced in order, and is released`() async {
    let count = TestCounts.rounds(100_000)
    let reactor = PlainLaned(
      script: { _, action in
        .run { emit in
          await Task.yield()
          await emit(action)
        }
      }, lane: { _, _ in .sequential("a") })
    await reactor.sendAll(0..<count).last?.settled
    #expect(await reactor.currentState == Array(0..<count))
    await reactor.wait { Self.isClean($0) }
  }

  // MARK: Cancels

  @Test func `cancels of a lane race with sends: all settles, and nothing is left`() async {
    let reactor = PlainLaned(script: Self.mixed, lane: { _, action in .sequential(action % 3) })
    let count = TestCounts.rounds(2_000)
    await withTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          var receipts: [ActionReceipt<PlainLaned>] = []
          for number in 0..<count {
            receipts.append(reactor.send(number))
            if number % 7 == 0 { reactor.cancel(lane: (number + sender) % 3) }
            if number % 11 == 0 { receipts[number / 2].cancel() }
          }
          for receipt in receipts { await receipt.settled }
        }
      }
    }
    await reactor.flush()
    await reactor.wait { Self.isClean($0) }
    #expect(reactor.orders.reports.count == 0)
  }

  @Test func `once a cancel of a lane has returned, nothing sent before is reduced`() async {
    let late = Log<Int>()
    let isOver = Gate()
    let reactor = PlainLaned(
      script: { _, action in
        .run { emit in
          await Task.yield()
          await emit(action)
        }
      }, lane: { _, _ in .concurrent("a") }
    ) {
      $0.onReduce = { _, mutation in if isOver.isOpen { late.append(mutation) } }
    }
    for _ in 0..<TestCounts.rounds(200) {
      for action in 0..<20 { reactor.send(action) }
    }
    reactor.cancel(lane: "a")
    isOver.open()
    await reactor.flush()
    await reactor.wait { Self.isClean($0) }
    // One may have been inside `reduce` when the cancel returned.
    #expect(late.count <= 1)
  }

  // MARK: Ends

  @Test func `drains race with sends: what was accepted has run`() async {
    for _ in 0..<TestCounts.rounds(300) {
      let reactor = PlainLaned(script: Self.mixed, lane: { _, action in .sequential(action % 2) })
      let accepted = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<3 {
          group.addTask { (0..<30).count { !reactor.send($0).isRefused } }
        }
        group.addTask {
          await reactor.stop(.drain).settled
          return 0
        }
        return await group.reduce(0, +)
      }
      #expect(await reactor.currentState.count == accepted)
      #expect(reactor.orders.reports.count == 90 - accepted)
      #expect(await reactor.turn { Self.isClean($0) })
    }
  }

  @Test func `stops race with lanes: every action has run, was cancelled or was reported`() async {
    for round in 0..<TestCounts.rounds(300) {
      let reactor = PlainLaned(script: Self.mixed, lane: { _, _ in .sequential("a") })
      let receipts = await reactor.sendAll(0..<20)
      let stopper = Task {
        reactor.stop(round % 2 == 0 ? .drain : .cancel)
        return reactor.stop()
      }
      for receipt in receipts { await receipt.settled }
      await stopper.value.settled
      let dropped = reactor.orders.reports.count
      let started = reactor.orders.started.count
      #expect(started + dropped == 20)
      #expect(await reactor.turn { Self.isClean($0) })
    }
  }

  @Test func `restarts race with sends: the reactor works afterwards`() async {
    for _ in 0..<TestCounts.rounds(100) {
      await restartWhileSending(PlainLaned.self)
      await restartWhileSending(ActionHookedLaned.self)
      await restartWhileSending(MutationHookedLaned.self)
      await restartWhileSending(FullyHookedLaned.self)
    }
  }

  private func restartWhileSending<R: LanedTestReactor>(_: R.Type) async {
    let reactor = R(
      script: { _, action in
        action % 2 == 0 ? .just(action) : .run { emit in await emit(action) }
      }, lane: { _, action in .sequential(action % 2) })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { for number in 0..<20 { await reactor.send(number).settled } }
      }
      for _ in 0..<2 { group.addTask { await reactor.restart() } }
    }
    await reactor.restart(from: [])
    await reactor.send(100).settled
    #expect(await reactor.currentState == [100], "\(R.self)")
    await reactor.flush()
    await reactor.wait { Self.isClean($0) }
  }

  @Test func `releases race with timers and lanes: all settles, all is released`() async {
    let clock = ManualClock()
    for round in 0..<TestCounts.rounds(500) {
      var reactor: PlainLaned? = PlainLaned(lane: { _, action in
        action == 0
          ? .sequential(0).debounced(for: .steps(5), clock: clock)
          : .sequential(1).spaced(by: .steps(5), clock: clock)
      })
      let released = reactor?.orders.released
      let receipts = (0..<4).compactMap { reactor?.send($0) }
      let tracked = reactor?.sendTracked(1)
      let turning = Task { clock.advance(to: round * 5) }
      reactor = nil
      for receipt in receipts { await receipt.settled }
      await tracked?.settled
      await released?.pass()
      await turning.value
    }
    #expect(clock.sleeperCount == 0)
  }

  // MARK: Waiting for a slot of the inbox

  @Test func `each sender that waits for a slot is accepted, cancelled or refused, once`() async {
    for _ in 0..<TestCounts.rounds(100) {
      let reactor = PlainLaned(script: Self.mixed, lane: { _, _ in nil }) {
        $0.inboxLimit = 2
        $0.suspendsSenders = true
      }
      let accepted = await withTaskGroup(of: Int.self) { group in
        for sender in 0..<8 {
          group.addTask {
            var accepted = 0
            for number in 0..<10 {
              let task = Task { await reactor.sendWhenRoom(number) }
              if (number + sender) % 3 == 0 { task.cancel() }
              let receipt = await task.value
              if !receipt.isRefused { accepted += 1 }
              if number % 5 == 0 { await receipt.settled }
            }
            return accepted
          }
        }
        group.addTask {
          for _ in 0..<20 { await Task.yield() }
          reactor.stop(.drain)
          return 0
        }
        return await group.reduce(0, +)
      }
      await reactor.stop(.drain).settled
      #expect(await reactor.currentState.count == accepted)
      #expect(reactor.orders.reports.count == 80 - accepted)
    }
  }

  // MARK: Chains

  @Test func `tracked sends race with cancels and ends: all settle`() async {
    for round in 0..<TestCounts.rounds(200) {
      let reactor = PlainLaned(
        script: { reactor, action in
          .run { emit in
            if action > 0 {
              reactor.send(action - 1)
              reactor.sendTracked(action - 1)
            }
            await Task.yield()
            await emit(action)
          }
        }, lane: { _, action in .concurrent(action % 2, atMost: 2) })
      await withTaskGroup(of: Void.self) { group in
        for sender in 0..<4 {
          group.addTask {
            let receipt = reactor.sendTracked(3)
            if (round + sender) % 3 == 0 { receipt.cancel() }
            if (round + sender) % 7 == 0 { reactor.stop(round % 2 == 0 ? .drain : .cancel) }
            await receipt.settled
          }
        }
      }
      await reactor.stop(.drain).settled
      #expect(await reactor.turn { Self.isClean($0) })
    }
  }

  @Test func `a tracked receipt settles after all that it caused, from any thread`() async {
    let reactor = PlainLaned(
      script: { reactor, action in
        .run { [weak reactor] emit in
          await emit(action)
          guard action > 0 else { return }
          await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { _ = reactor?.send(action - 1) } }
          }
        }
      }, lane: { _, _ in .concurrent("a", atMost: 2) })
    for round in 1...TestCounts.rounds(100) {
      await reactor.sendTracked(4).settled
      #expect(await reactor.currentState.count == 31 * round)
    }
  }

  // MARK: Streams of actions

  @Test func `streams of actions: each action is read by one task, with any cancelled`() async {
    let reactor = PlainLaned(script: { _, _ in .empty }, lane: { _, _ in nil })
    let count = TestCounts.rounds(2_000)
    let stream = reactor.actions { $0 >= 0 }
    let seen = Log<Int>()
    let readers = (0..<8).map { _ in
      Task { while let action = await stream.next() { seen.append(action) } }
    }
    for number in 0..<count {
      reactor.send(number)
      if number == count / 2 { for reader in readers.prefix(4) { reader.cancel() } }
    }
    #expect(await seen.entries(upTo: count).sorted() == Array(0..<count))
    await reactor.stop().settled
    for reader in readers { await reader.value }
  }
}

/// Counts what is emitted in one lane, without keeping it.
private actor CountingReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let lane: Lane

  init(_ lane: Lane) { self.lane = lane }

  func lane(for action: Int) -> Lane? { lane }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      await Task.yield()
      await emit(1)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  nonisolated func report(_ report: ReactorReport) {}

  func sendAndSettle(_ count: Int) async {
    var last: ActionReceipt<CountingReactor>?
    for number in 0..<count { last = send(number) }
    await last?.settled
  }
}
