import ReactorMachines
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// The time of a debounced lane is moved rather than measured anew with each key.
@Suite(.bounded) struct LaneTimerTests {
  private let hours = Duration.seconds(36_000)

  private func record(for duration: Duration) -> LaneRecord {
    LaneRecord(.concurrent("a").debounced(for: duration, clock: ContinuousClock()))
  }

  /// Measures the time of a lane anew, as its reactor does.
  private func begin(_ record: LaneRecord) {
    if !record.moveTimer() { record.startTimer { _ in nil } }
  }

  @Test func `a key within the time of a debounce keeps its timer`() {
    let record = record(for: hours)
    begin(record)
    begin(record)
    #expect(record.isCurrent(1))
    record.stopTimer()
  }

  @Test func `a timer that fires before the moved end has the remaining time`() {
    let record = record(for: hours)
    begin(record)
    let now = ContinuousClock.now
    #expect(record.moveTimer(to: now + hours + .seconds(30)))
    #expect(record.remainingTime(of: 1, at: now + hours) == .seconds(30))
    #expect(record.remainingTime(of: 1, at: now + hours + .seconds(30)) == nil)
    record.stopTimer()
  }

  @Test func `after the time has passed, the next key starts another timer`() {
    let record = record(for: hours)
    begin(record)
    #expect(record.remainingTime(of: 1, at: .now + hours) == nil)
    begin(record)
    #expect(record.isCurrent(2))
    record.stopTimer()
  }

  @Test func `an earlier end starts another timer`() {
    let record = record(for: hours)
    begin(record)
    var consequences = LaneMachine.Consequences()
    let sooner = Lane.concurrent("a").debounced(for: .seconds(3600), clock: ContinuousClock())
    _ = record.arrive(0, sooner, &consequences)
    begin(record)
    #expect(record.isCurrent(2))
    record.stopTimer()
  }

  @Test func `a stopped timer has no remaining time and is not moved`() {
    let record = record(for: hours)
    begin(record)
    record.stopTimer()
    #expect(record.remainingTime(of: 1, at: .now) == nil)
    #expect(!record.moveTimer(to: .now + hours + hours))
  }

  @Test(arguments: [
    Lane.concurrent("a").throttled(for: .seconds(36_000), clock: ContinuousClock()),
    Lane.concurrent("a").spaced(by: .seconds(36_000), clock: ContinuousClock()),
    Lane.concurrent("a").debounced(for: .seconds(36_000), clock: SuspendingClock()),
  ])
  func `timers of other policies and clocks are not moved`(_ lane: Lane) {
    let record = LaneRecord(lane)
    begin(record)
    begin(record)
    #expect(record.isCurrent(2))
    record.stopTimer()
  }

  @Test func `with a real clock the last key runs, and each action has an outcome`() async {
    let reactor = LanedReactor(script: LanedReactor.echo) { _, _ in
      .concurrent("a").debounced(for: .milliseconds(1), clock: ContinuousClock())
    }
    for key in 0..<200 {
      for receipt in await reactor.sendAll([key, key + 1]) { await receipt.settled }
    }
    let superseded = reactor.reports.problems.filter { $0 == "superseded(a)" }
    #expect(reactor.started.entries.count + superseded.count == 400)
    #expect(reactor.started.entries.last == 200)
  }
}
