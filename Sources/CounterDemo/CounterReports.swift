import Reactor
import ReactorREPL
import Synchronization

/// Shows reports above the prompt, and records whether journaling has failed.
final class CounterReports: Sendable {
  private let failed = Mutex(false)

  init(on outlet: Outlet) {
    ReactorReports.setHandler { [self] report in
      if case .journalFailed = report.problem { failed.withLock { $0 = true } }
      outlet.printFailure("\(report)")
    }
  }

  /// Whether the counter has ended because its journal could not be written.
  var haveFailed: Bool { failed.withLock { $0 } }
}
