package import ReactorMachines
import ReactorRuntime

/// The one place where reports go unless a reactor keeps its own: by default, standard error.
///
/// There the first of its kind is a line at once, and those like it, of reactors of the same type
/// with the same problem and kind of action, one line a second with their count. A thread of its
/// own writes, so that nobody who reports waits for whoever reads; what cannot be written is
/// counted as well. What is still to be written when the process exits is written then, for a
/// second at most; when it crashes it is lost.
///
/// A handler is given each report, as it comes.
///
/// ```swift
/// ReactorReports.setHandler { report in logger.error("\(report)") }
/// ```
public enum ReactorReports {
  /// Receives every report; called on whatever thread noticed, so it should return soon.
  public typealias Handler = @Sendable (ReactorReport) -> Void

  private static let handler = Guarded<Handler?>(nil)

  /// Sets where reports go, for the whole process.
  ///
  /// - Parameter handler: Receives every report; `nil` restores the line on standard error.
  public static func setHandler(_ handler: Handler?) {
    self.handler.withLock { $0 = handler }
  }

  /// Hands a report to the handler, outside the lock, so that a handler may set another.
  @usableFromInline
  package static func deliver(_ report: ReactorReport) {
    guard let handler = handler.withLock({ $0 }) else {
      if !report.isRoutine, !isAnsweredFor { ReportWriter.standardError.report(report) }
      return
    }
    handler(report)
  }

  /// Whether somebody answers for the report that is being delivered: a test, which fails for it.
  @TaskLocal private static var isAnsweredFor = false

  /// Delivers something, without a line on standard error if somebody answers for it.
  static func withoutLines(_ isAnsweredFor: Bool, deliver: () -> Void) {
    if isAnsweredFor { $isAnsweredFor.withValue(true, operation: deliver) } else { deliver() }
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
