import ReactorMachines
import TestLimits
import Testing

@Suite(.bounded) struct ReportLimiterTests {
  private let start = ContinuousClock.now

  private let kind = ReportKind(of: Int.self, "refused")

  @Test func `the first report is a line at once, and those after it are counted`() {
    let limiter = Limited()
    #expect(limiter.register(kind, at: start))
    limiter.setLine("refused", of: kind)
    for _ in 1..<1_000 { #expect(!limiter.register(kind, at: start)) }
    #expect(limiter.due(at: start) == [])
    #expect(limiter.due(at: start + ReportLimiter.pause - .nanoseconds(1)) == [])
    #expect(limiter.isCounting)
    #expect(limiter.due(at: start + ReportLimiter.pause) == ["999 more like this: refused"])
  }

  @Test func `repeated reports are a line a second`() {
    let limiter = Limited()
    var lines: [String] = []
    for tenth in 0..<100 {
      let now = start + .milliseconds(100) * tenth
      if limiter.register(kind, at: now) { limiter.setLine("refused", of: kind) }
      lines += limiter.due(at: now)
    }
    #expect(lines == Array(repeating: "10 more like this: refused", count: 9))
    #expect(limiter.rest() == ["9 more like this: refused"])
    #expect(limiter.rest() == [])
  }

  @Test func `after a second without reports, the next one is a line again`() {
    let limiter = Limited()
    #expect(limiter.register(kind, at: start))
    #expect(limiter.due(at: start + ReportLimiter.pause) == [])
    #expect(!limiter.isCounting)
    #expect(limiter.register(kind, at: start + ReportLimiter.pause))
  }

  @Test func `reports of kinds beyond the limit are counted together`() {
    let limiter = Limited()
    let kinds = (0..<ReportLimiter.limit + 10).map {
      ReportKind(of: Int.self, "p", "a", "\($0)")
    }
    #expect(kinds.filter { limiter.register($0, at: start) }.count == ReportLimiter.limit)
    #expect(
      limiter.due(at: start + ReportLimiter.pause)
        == ["10 more reports, of too many kinds to distinguish"])
  }
}

/// A limiter that can be asked inside `#expect`, which takes no call that changes a value.
private final class Limited {
  private var limiter = ReportLimiter()

  func register(_ kind: ReportKind, at now: ReportLimiter.Instant) -> Bool {
    limiter.register(kind, at: now)
  }

  func setLine(_ line: String, of kind: ReportKind) { limiter.setLine(line, of: kind) }

  var isCounting: Bool { limiter.isCounting }

  func due(at now: ReportLimiter.Instant) -> [String] { limiter.due(at: now) }

  /// What is still counted, whenever it is due.
  func rest() -> [String] { limiter.due(at: .now + .seconds(3_600)) }
}
