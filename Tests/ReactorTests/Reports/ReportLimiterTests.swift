import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct ReportLimiterTests {
  private let start = ContinuousClock.now

  private func kind(_ problem: ReactorReport.Problem = .actionRefused, _ action: any Sendable = 1)
    -> ReportKind
  {
    ReportKind(ReactorReport(reactor: ScriptedReactor.self, action: action, problem: problem))
  }

  @Test func `the first is a line at once, and those after it are counted`() {
    let limiter = Limited()
    #expect(limiter.arrive(kind(), at: start))
    limiter.keep("refused", of: kind())
    for _ in 1..<1_000 { #expect(!limiter.arrive(kind(), at: start)) }
    #expect(limiter.due(at: start) == [])
    #expect(limiter.due(at: start + ReportLimiter.pause - .nanoseconds(1)) == [])
    #expect(limiter.isCounting)
    #expect(limiter.due(at: start + ReportLimiter.pause) == ["999 more like this: refused"])
  }

  @Test func `what goes on is a line a second`() {
    let limiter = Limited()
    var lines: [String] = []
    for tenth in 0..<100 {
      let now = start + .milliseconds(100) * tenth
      if limiter.arrive(kind(), at: now) { limiter.keep("refused", of: kind()) }
      lines += limiter.due(at: now)
    }
    #expect(lines == Array(repeating: "10 more like this: refused", count: 9))
    #expect(limiter.rest() == ["9 more like this: refused"])
    #expect(limiter.rest() == [])
  }

  @Test func `after a second without, the next one is a line again`() {
    let limiter = Limited()
    #expect(limiter.arrive(kind(), at: start))
    #expect(limiter.due(at: start + ReportLimiter.pause) == [])
    #expect(!limiter.isCounting)
    #expect(limiter.arrive(kind(), at: start + ReportLimiter.pause))
  }

  @Test func `alike are those of one type, with one problem and one kind of action and error`() {
    enum Command { case rename(String), remove(Int) }
    enum Wrong: Error { case offline(Int), full }

    #expect(kind(.actionRefused, Command.rename("a")) == kind(.actionRefused, Command.rename("b")))
    #expect(kind(.actionRefused, Command.rename("a")) != kind(.actionRefused, Command.remove(1)))
    #expect(kind(.actionRefused) != kind(.inboxFull))
    #expect(kind(.effectFailed(Wrong.offline(1))) == kind(.effectFailed(Wrong.offline(2))))
    #expect(kind(.effectFailed(Wrong.offline(1))) != kind(.effectFailed(Wrong.full)))
    #expect(kind(.hookEnded(.state)) != kind(.hookEnded(.action)))
    let other = ReactorReport(reactor: LanedReactor.self, action: 1, problem: .actionRefused)
    #expect(kind() != ReportKind(other))
  }

  @Test func `of more kinds than there is room for, the rest is counted together`() {
    let limiter = Limited()
    let kinds = (0..<ReportLimiter.limit + 10).map {
      ReportKind(of: ScriptedReactor.self, "p", "a", "\($0)")
    }
    #expect(kinds.filter { limiter.arrive($0, at: start) }.count == ReportLimiter.limit)
    #expect(
      limiter.due(at: start + ReportLimiter.pause)
        == ["10 more reports, of too many kinds to tell apart"])
  }
}

/// A limiter that can be asked inside `#expect`, which takes no call that changes a value.
private final class Limited {
  private var limiter = ReportLimiter()

  func arrive(_ kind: ReportKind, at now: ReportLimiter.Instant) -> Bool {
    limiter.arrive(kind, at: now)
  }

  func keep(_ line: String, of kind: ReportKind) { limiter.keep(line, of: kind) }

  var isCounting: Bool { limiter.isCounting }

  func due(at now: ReportLimiter.Instant) -> [String] { limiter.due(at: now) }

  /// What is still counted, whenever it is due.
  func rest() -> [String] { limiter.due(at: .now + .seconds(3_600)) }
}
