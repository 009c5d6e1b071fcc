import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Case 35 of the peers' acceptance cases.
@Suite(.bounded) struct RetryTests {
  private let clock = ManualClock()
  private let calls = Log<Int>()

  private func failing(_ delay: RetryDelay, until success: Int = .max) -> Task<Int, any Error> {
    Task { [clock, calls] in
      try await retry(3, delay: delay, clock: clock) {
        calls.append(clock.now.step)
        guard calls.count >= success else { throw Failure(number: calls.count) }
        return calls.count
      }
    }
  }

  @Test func `three tries with a delay start at 0, d and 2d, and the last error is thrown`() async {
    let task = failing(.constant(.steps(5)))
    await clock.advance(past: 5)
    await clock.advance(past: 10)
    await #expect(throws: Failure(number: 3)) { try await task.value }
    #expect(calls.entries == [0, 5, 10])
  }

  @Test func `a success ends the tries`() async throws {
    let task = failing(.constant(.steps(5)), until: 2)
    await clock.advance(past: 5)
    #expect(try await task.value == 2)
    #expect(calls.entries == [0, 5])
  }

  @Test func `without a delay the tries follow one another`() async {
    await #expect(throws: Failure(number: 3)) { try await failing(.none).value }
  }

  @Test func `cancelling ends the delay, and there is no further try`() async {
    let task = failing(.constant(.steps(5)))
    _ = await clock.sleeps.entries(upTo: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(calls.count == 1)
  }

  @Test func `an error that is not to be retried is thrown at once`() async {
    await #expect(throws: Failure(number: 1)) {
      try await retry(3, clock: clock, if: { ($0 as? Failure)?.number != 1 }) {
        calls.append(0)
        throw Failure(number: 1)
      }
    }
    #expect(calls.count == 1)
  }

  @Test func `an exponential delay grows up to its limit`() {
    let delay = RetryDelay.exponential(
      from: .seconds(1), factor: 3, upTo: .seconds(10), jitter: 0)
    let delays = (1...5).map { delay.duration(afterAttempt: $0) }
    #expect(delays == [.seconds(1), .seconds(3), .seconds(9), .seconds(10), .seconds(10)])
    #expect(delay.duration(afterAttempt: 1_000_000) == .seconds(10))
  }

  @Test func `jitter makes part of the delay random`() {
    let most = RetryDelay.exponential(from: .seconds(8), jitter: 0.5, random: { 0 })
    let least = RetryDelay.exponential(from: .seconds(8), jitter: 0.5, random: { 1 })
    #expect(most.duration(afterAttempt: 1) == .seconds(8))
    #expect(least.duration(afterAttempt: 1) == .seconds(4))
    let some = RetryDelay.exponential(from: .seconds(8)).duration(afterAttempt: 1)
    #expect(some >= .seconds(4) && some <= .seconds(8))
  }

  @Test func `in an effect, retry may use the reactor without await`() async {
    let reactor = ScriptedReactor { [clock] reactor, action in
      .run { emit in
        let count = try await retry(3, clock: clock) {
          reactor.note("try")
          if reactor.notes.lines.count < 3 { throw Failure() }
          return reactor.notes.lines.count
        }
        await emit(count)
      }
    }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [3])
    #expect(reactor.reports.problems == [])
  }
}
