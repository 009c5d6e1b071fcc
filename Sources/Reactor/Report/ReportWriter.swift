package import ReactorMachines
import ReactorRuntime
import Synchronization

/// Writes reports as lines, on a thread of its own, so that reporting never waits for a reader.
///
/// **Why a thread**: `ReactorReports` promises that reporting does not wait. While the pipe behind
/// standard error is full, a plain write would block the reactor, and with it a thread of Swift's
/// pool; so would one in a task. See `docs/decisions/0018-reports.md`.
///
/// The thread is started for a line, and ends when nothing is pending and nothing is counted any
/// more. In between it polls every few milliseconds.
///
/// Holds: the pending lines, guarded by its lock. Lines are made and written outside of it. There
/// are never more lines than the limiter has kinds: while there is no reader, all further reports
/// are counted.
package final class ReportWriter: Sendable {
  private struct Contents: Sendable {
    var limiter = ReportLimiter()
    /// The pending lines, including those that are being written.
    var waiting: [String] = []
    /// The number of lines that are being made.
    var describing = 0
    var hasThread = false
  }

  /// The writer of the process: it writes its pending lines when the process exits.
  static let standardError: ReportWriter = ReportWriter(
    beginning: { StandardError.atExit { ReportWriter.standardError.flush() } },
    write: { StandardError.write(line: $0) })

  private let contents = Guarded(Contents())
  private let hasBegun = Atomic(false)
  private let begin: @Sendable () -> Void
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - begin: Called before there is something to write for the first time. If several threads
  ///     are first, each of them calls it, since it has to be done before any of them continues.
  ///   - write: Writes a line, on the writer's thread; it may block.
  package init(
    beginning begin: @escaping @Sendable () -> Void = {},
    write: @escaping @Sendable (String) -> Void
  ) {
    self.begin = begin
    self.write = write
  }

  /// Takes a report; returns at once.
  ///
  /// - Parameters:
  ///   - kind: Its kind.
  ///   - describe: Makes its line, if it becomes one.
  package func report(_ kind: ReportKind, _ describe: () -> String) {
    if !hasBegun.load(ordering: .acquiring) {
      begin()
      hasBegun.store(true, ordering: .releasing)
    }
    let isFirst = contents.withLock { contents in
      let isFirst = contents.limiter.register(kind, at: .now)
      if isFirst { contents.describing += 1 }
      return isFirst
    }
    guard isFirst else { return }
    // Described now, since its values may be released later. It may run the author's code, so the
    // lock is not held.
    let line = describe()
    contents.withLock { contents in
      contents.describing -= 1
      contents.limiter.setLine(line, of: kind)
      contents.waiting.append(line)
      contents.hasThread = contents.hasThread || SystemThread.start { self.run() }
    }
  }

  /// Writes all that is pending or counted, and waits for that, but no longer than `time`.
  package func flush(within time: Duration = .seconds(1)) {
    let end = ContinuousClock.now + time
    // The counted reports of a kind need the line of its first one, which may still be being made.
    wait(until: end) { $0.describing == 0 }
    contents.withLock { $0.waiting += $0.limiter.due(at: .now + ReportLimiter.pause) }
    wait(until: end) { !$0.hasThread || $0.waiting.isEmpty }
  }

  private func wait(until end: ContinuousClock.Instant, _ isOver: (Contents) -> Bool) {
    while !contents.withLock({ isOver($0) }), ContinuousClock.now < end { SystemThread.pause() }
  }

  // MARK: The thread

  private func run() {
    var written = 0
    while let lines = next(after: written) {
      for line in lines { write(line) }
      written = lines.count
      if lines.isEmpty { SystemThread.pause() }
    }
  }

  /// The lines to write next, after so many lines were written; `nil` if the thread is to end.
  private func next(after written: Int) -> [String]? {
    contents.withLock { contents in
      contents.waiting.removeFirst(written)
      contents.waiting += contents.limiter.due(at: .now)
      contents.hasThread = !contents.waiting.isEmpty || contents.limiter.isCounting
      return contents.hasThread ? contents.waiting : nil
    }
  }
}
