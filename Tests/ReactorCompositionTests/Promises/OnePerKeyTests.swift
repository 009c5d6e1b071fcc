import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor
@testable import ReactorComposition

/// Promise 17, from many threads: never two of one key, and nothing is left behind.
@Suite(.bounded(minutes: 10)) struct OnePerKeyTests {
  /// How the clock runs while others work.
  private func ticking<Result: Sendable>(
    _ clock: ManualClock, _ work: () async throws -> Result
  ) async rethrows -> Result {
    let ticker = Task {
      while !Task.isCancelled {
        clock.advance(to: clock.now.step + 1)
        await Task.yield()
      }
    }
    defer { ticker.cancel() }
    return try await work()
  }

  @Test(arguments: TestCounts.seeds(upTo: 1))
  func `one reactor per key with random keys, failing factories and idle ends`(
    _ seed: UInt64
  ) async {
    let (instances, clock) = (InstanceCounter(), ManualClock())
    let chance = Guarded(SplitMix64(seed: seed))
    let registry = ReactorRegistry<Int, RoomReactor>(idle: .steps(3), clock: clock) { id in
      await Task.yield()
      if chance.withLock({ $0.oneIn(8) }) { throw Failure(number: id) }
      return RoomReactor(id, instances)
    }
    let times = TestCounts.rounds(10_000)
    let sums = await ticking(clock) {
      await withTaskGroup(of: (done: Int, failed: Int).self) { group in
        for asker in 1...8 {
          group.addTask {
            var random = SplitMix64(seed: seed &* 8 &+ UInt64(asker))
            var (done, failed) = (0, 0)
            for _ in 0..<times {
              // Some are wanted by several at once, most by one.
              let id = random.below(random.oneIn(2) ? 64 : 10_000)
              do {
                switch random.below(4) {
                case 0: try await registry[id].send(.add(1))
                case 1: _ = try await registry[id].ask { .count($0) }
                case 2: try await registry.with(id) { await $0.send(.add(1)).settled }
                default:
                  guard try await registry[id].outcome(of: .add(1)).isFinished else {
                    return (-1, -1)
                  }
                }
                done += 1
              } catch is Failure {
                failed += 1
              } catch {
                Issue.record("\(error)")
              }
            }
            return (done, failed)
          }
        }
        return await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.done, $0.1 + $1.failed) }
      }
    }
    #expect(sums.0 + sums.1 == 8 * times)
    #expect(instances.problems == [])
    #expect(instances.made > 64, "no reactor was released")
    #expect(await registry.stop().isEmpty && registry.count == 0)
  }

  @Test func `an accepted action is completed, however soon the reactor is idle`() async throws {
    let (instances, clock) = (InstanceCounter(), ManualClock())
    let done = Log<Int>()
    let registry = ReactorRegistry<Int, RoomReactor>(idle: .steps(1), clock: clock) { id in
      RoomReactor(id, instances)
    }
    let open = Gate()
    open.open()
    let times = TestCounts.rounds(4000)
    try await ticking(clock) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for number in 0..<times {
              // An effect: it has to end by itself though the reactor may be released meanwhile.
              let outcome = try await registry[number % 3].outcome(of: .wait(open))
              if outcome.isFinished { done.append(number) }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(done.count == 4 * times)
    #expect(instances.problems == [])
    await registry.stop()
  }

  @Test func `ten thousand cycles retain nothing`() async throws {
    let (instances, clock) = (InstanceCounter(), ManualClock())
    let registry = ReactorRegistry<Int, RoomReactor>(idle: .steps(1), clock: clock) { id in
      RoomReactor(id, instances)
    }
    try await ticking(clock) {
      for id in 0..<TestCounts.rounds(10_000) {
        try await registry[id].send(.add(1))
        instances.forget(id)
      }
      while registry.count != 0 || instances.alive != 0 { await Task.yield() }
    }
    #expect(registry.table.withLock { $0.entries.isEmpty && $0.first == nil && $0.last == nil })
  }

  @Test func `a hundred thousand keys come and go, and the table stays small`() async throws {
    let clock = ManualClock()
    let registry = ReactorRegistry<Int, RoomReactor>(idle: .steps(1), clock: clock) { id in
      RoomReactor(id)
    }
    let (count, burst) = (TestCounts.keys, max(1, TestCounts.keys / 10))
    var largest = 0
    for start in stride(from: 0, to: count, by: burst) {
      for id in start..<start + burst { try await registry[id].send(.add(1)) }
      largest = max(largest, registry.count)
      while registry.count != 0 {
        clock.advance(to: clock.now.step + 1)
        await Task.yield()
      }
    }
    #expect(largest <= burst)
    #expect(registry.table.withLock { $0.entries.capacity } <= 8192)
  }
}
