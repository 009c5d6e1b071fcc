import Reactor
public import ReactorREPL
import Synchronization

/// Shows the reports of all reactors above the prompt, and remembers whether a journal failed.
public final class JournalReports: Sendable {
  private let failed = Mutex(false)

  /// Receives all reports from here on.
  ///
  /// - Parameter outlet: Where they are shown.
  public init(on outlet: Outlet) {
    ReactorReports.setHandler { [self] report in
      if case .journalFailed = report.problem { failed.withLock { $0 = true } }
      outlet.printFailure("\(report)")
    }
  }

  /// Whether a reactor has ended because a mutation could not be kept.
  public var haveFailed: Bool { failed.withLock { $0 } }
}
