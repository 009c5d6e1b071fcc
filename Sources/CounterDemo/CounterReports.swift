import Reactor
import ReactorREPL
import Synchronization

/// Shows above the prompt what must not vanish, and remembers whether the counter could be
/// kept.
final class CounterReports: Sendable {
  private let failed = Mutex(false)

  init(on outlet: Outlet) {
    ReactorReports.setHandler { [self] report in
      if case .journalFailed = report.problem { failed.withLock { $0 = true } }
      outlet.printFailure("\(report)")
    }
  }

  /// Whether the counter has ended because it could not be kept.
  var haveFailed: Bool { failed.withLock { $0 } }
}
