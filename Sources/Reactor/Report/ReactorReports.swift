package import ReactorMachines
import ReactorRuntime

/// The destination of all reports that a reactor does not handle itself: by default, standard
/// error.
///
/// ```swift
/// ReactorReports.setHandler { report in logger.error("\(report)") }
/// ```
///
/// A handler receives each report when it occurs.
///
/// On standard error, the first report of a kind is written at once. Further ones of that kind,
/// which have the same type of reactor, the same problem and the same kind of action, become one
/// line a second with their count. A thread of its own writes, so reporting never waits for the
/// reader of standard error. Reports that cannot be written are counted as well. Lines that are
/// pending when the process exits are written then, for at most one second. If the process crashes,
/// they are lost.
public enum ReactorReports {
  /// Receives every report, on the thread that detected the problem; it should return soon.
  public typealias Handler = @Sendable (ReactorReport) -> Void

  private static let handler = Guarded<Handler?>(nil)

  /// Sets the handler of reports for the whole process.
  ///
  /// - Parameter handler: Receives every report; `nil` restores the line on standard error.
  public static func setHandler(_ handler: Handler?) {
    self.handler.withLock { $0 = handler }
  }

  /// Replaces the handler by one that may call the previous one.
  ///
  /// - Parameter next: Makes the handler; it is called under a lock.
  /// - Returns: The previous handler, for code that restores it later.
  package static func replaceHandler(by next: (_ previous: Handler?) -> Handler) -> Handler? {
    handler.withLock { current in
      let previous = current
      current = next(previous)
      return previous
    }
  }

  /// Passes a report to the handler, outside the lock, so that a handler can set another one.
  @usableFromInline
  package static func deliver(_ report: ReactorReport) {
    guard let handler = handler.withLock({ $0 }) else {
      if !report.isRoutine, !isHandledElsewhere { ReportWriter.standardError.report(report) }
      return
    }
    handler(report)
  }

  /// Whether the report that is being delivered is handled already: by a test, which fails for it.
  @TaskLocal private static var isHandledElsewhere = false

  /// Delivers a report, without a line on standard error if it is handled already.
  static func suppressingLines(_ isHandledElsewhere: Bool, deliver: () -> Void) {
    guard isHandledElsewhere else { return deliver() }
    $isHandledElsewhere.withValue(true, operation: deliver)
  }
}

extension ReportWriter {
  package func report(_ report: ReactorReport) {
    self.report(ReportKind(report)) { report.description }
  }
}

extension ReportKind {
  package init(_ report: ReactorReport) {
    let detail =
      switch report.problem {
      case .effectFailed(let error): ReportText.name(ofError: error)
      case .hookEnded(let hook), .hookInputIteratedTwice(let hook): hook.rawValue
      default: ""
      }
    self.init(
      of: report.type, ReportText.name(of: report.problem),
      report.action.map { ReportText.name(of: $0) } ?? "", detail)
  }
}
