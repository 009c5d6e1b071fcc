/// Writes reports as lines, on a thread of its own, so that whoever reports never waits for whoever
/// reads.
///
/// Holds: what waits to be written, guarded by the monitor. Lines are made and written outside of
/// it. There are never more than the limiter has kinds: while nobody reads, all else is counted.
package final class ReportWriter: @unchecked Sendable {
  /// The one for the process: it writes what it has when the process exits.
  static let standardError: ReportWriter = ReportWriter(
    beginning: { StandardError.atExit { ReportWriter.standardError.flush() } },
    write: { StandardError.write(line: $0) })

  private let monitor = Monitor()
  private let begin: @Sendable () -> Void
  private let write: @Sendable (String) -> Void

  // MARK: Guarded by the monitor

  private var limiter = ReportLimiter()
  private var waiting: [String] = []
  private var hasBegun = false
  private var hasThread = false
  private var isWriting = false

  /// - Parameters:
  ///   - begin: Called once, when there is something to write for the first time.
  ///   - write: Writes a line, on the writer's thread; may take as long as it likes.
  package init(
    beginning begin: @escaping @Sendable () -> Void = {},
    write: @escaping @Sendable (String) -> Void
  ) {
    self.begin = begin
    self.write = write
  }

  /// Takes a report; returns at once.
  package func report(_ report: ReactorReport) {
    let kind = ReportKind(report)
    guard monitor.withLock({ limiter.arrive(kind, at: .now) }) else { return }
    // Here, and not later: what it describes may be gone by then. Authors have a say in it: not
    // locked.
    let line = report.description
    let isFirst = monitor.withLock {
      limiter.keep(line, of: kind)
      waiting.append(line)
      hasThread = hasThread || StandardError.startThread { self.run() }
      monitor.wakeAll()
      defer { hasBegun = true }
      return !hasBegun
    }
    if isFirst { begin() }
  }

  /// Has everything written that is waiting or counted, and waits for that, but not for long.
  package func flush(within time: Duration = .seconds(1)) {
    let end = ContinuousClock.now + time
    monitor.withLock {
      waiting += limiter.rest()
      monitor.wakeAll()
      while hasThread, isWriting || !waiting.isEmpty, ContinuousClock.now < end {
        monitor.wait(until: end)
      }
    }
  }

  // MARK: The thread

  private func run() {
    while true {
      for line in nextLines() { write(line) }
    }
  }

  /// Waits until there is something to write.
  private func nextLines() -> [String] {
    monitor.withLock {
      isWriting = false
      monitor.wakeAll()
      while true {
        let lines = waiting + limiter.due(at: .now)
        waiting = []
        guard lines.isEmpty else {
          isWriting = true
          return lines
        }
        monitor.wait(until: limiter.next)
      }
    }
  }
}
