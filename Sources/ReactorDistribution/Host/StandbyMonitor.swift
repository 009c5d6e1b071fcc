import Reactor
import ReactorRuntime

/// Detects a standby that the database does not wait for, and reports it once each time.
///
/// Holds: `isBehind`, guarded by its own lock.
final class StandbyMonitor: Sendable {
  static let warning =
    "has a standby that it does not wait for: a failover to it takes back what was acknowledged; "
    + "set synchronous_standby_names, or accept it by ClusterOptions.acceptsAsynchronousStandby"

  private let isAccepted: Bool
  private let report: @Sendable (ClusterReport) -> Void
  private let isBehind = Guarded(false)

  init(_ options: ClusterOptions) {
    (isAccepted, report) = (options.acceptsAsynchronousStandby, options.report)
  }

  /// Checks for such a standby when a program starts.
  ///
  /// A running host only reports it, since attaching a standby must not stop a service.
  ///
  /// - Throws: ``ClusterError/unusable(_:)``.
  func check(_ view: ClusterView) throws {
    guard view.hasAsynchronousStandby, !isAccepted else { return }
    throw ClusterError.unusable("it \(Self.warning)")
  }

  func update(_ view: ClusterView, on host: ClusterHost) {
    let wasBehind = isBehind.withLock { isBehind in
      defer { isBehind = view.hasAsynchronousStandby }
      return isBehind
    }
    if view.hasAsynchronousStandby, !wasBehind, !isAccepted { report(.asynchronousStandby(host)) }
  }
}
