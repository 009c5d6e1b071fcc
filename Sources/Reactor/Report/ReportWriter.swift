import ReactorRuntime
import Synchronization

/// Writes reports as lines, on a thread of its own, so that whoever reports never waits for whoever
/// reads.
///
/// Holds: what waits to be written, guarded by its monitor. Lines are made and written outside of
/// it. There are never more than the limiter has kinds: while nobody reads, all else is counted.
package final class ReportWriter: Sendable {
  private struct Desk: Sendable {
    var limiter = ReportLimiter()
    var waiting: [String] = []
    /// How many lines are being made.
    var describing = 0
    var hasThread = false
    var isWriting = false
  }

  /// The one for the process: it writes what it has when the process exits.
  static let standardError: ReportWriter = ReportWriter(
    beginning: { StandardError.atExit { ReportWriter.standardError.flush() } },
    write: { StandardError.write(line: $0) })

  private let desk = Monitor(Desk())
  private let hasBegun = Atomic(false)
  private let begin: @Sendable () -> Void
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - begin: Called before there is something to write for the first time; where several are the
  ///     first, by each of them, as it has to be done before any of them goes on.
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
    if !hasBegun.load(ordering: .acquiring) {
      begin()
      hasBegun.store(true, ordering: .releasing)
    }
    let isFirst = desk.withLock { desk in
      let isFirst = desk.limiter.arrive(kind, at: .now)
      if isFirst { desk.describing += 1 }
      return isFirst
    }
    guard isFirst else { return }
    // Here, and not later: what it describes may be gone by then. Authors have a say in it: not
    // locked.
    let line = report.description
    desk.change { desk in
      desk.describing -= 1
      desk.limiter.keep(line, of: kind)
      desk.waiting.append(line)
      desk.hasThread = desk.hasThread || SystemThread.start { self.run() }
    }
  }

  /// Has everything written that is waiting or counted, and waits for that, but not for long.
  package func flush(within time: Duration = .seconds(1)) {
    let end = ContinuousClock.now + time
    // A line that is being made may be what those that are counted are like.
    desk.look { $0.describing > 0 && ContinuousClock.now < end ? .nothing(until: end) : .found(()) }
    desk.change { $0.waiting += $0.limiter.rest() }
    desk.look { desk in
      let isBusy = desk.hasThread && (desk.isWriting || !desk.waiting.isEmpty)
      return isBusy && ContinuousClock.now < end ? .nothing(until: end) : .found(())
    }
  }

  // MARK: The thread

  private func run() {
    while true {
      for line in nextLines() { write(line) }
      desk.change { $0.isWriting = false }
    }
  }

  /// Waits until there is something to write.
  private func nextLines() -> [String] {
    desk.look { desk in
      let lines = desk.waiting + desk.limiter.due(at: .now)
      desk.waiting = []
      guard !lines.isEmpty else { return .nothing(until: desk.limiter.next) }
      desk.isWriting = true
      return .found(lines)
    }
  }
}
