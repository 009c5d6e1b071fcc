import Reactor
public import ReactorREPL
import Synchronization

/// Shows the reports of all reactors above the prompt, and records whether a journal has failed.
public final class JournalReports: Sendable {
  private let failed = Mutex(false)

  /// Creates the handler, and receives all reports from then on.
  ///
  /// - Parameter outlet: Shows the reports.
  public init(on outlet: Outlet) {
    ReactorReports.setHandler { [self] report in
      if case .journalFailed = report.problem { failed.withLock { $0 = true } }
      if !report.isRoutine { outlet.printFailure(report.userText) }
    }
  }

  /// Whether a reactor has ended because its journal could not be written.
  public var haveFailed: Bool { failed.withLock { $0 } }
}
