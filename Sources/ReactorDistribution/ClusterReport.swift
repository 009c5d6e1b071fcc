import Foundation
public import ReactorJournal

/// An event in a cluster that the operator of the hosts should know.
///
/// The affected call throws an error, or does not notice the event. A report is passed to
/// ``ClusterOptions/report``; by default it is a line on standard error.
public enum ClusterReport: Sendable, Hashable, CustomStringConvertible {
  /// The reactor was taken this many times, and no owner has recovered it.
  ///
  /// It is not taken again until ``ReactorCluster/clearPoisoned(_:of:)``. Each host reports it
  /// once, when the reactor is requested from it.
  case poisoned(JournalKey, attempts: Int)
  /// The lease of the host has expired, so its reactors have been ended, and it joins the cluster
  /// again.
  ///
  /// The host or the database was paused or disconnected for longer than the lease.
  case leaseExpired(ClusterHost)
  /// The database continues with another history, for example after a standby has taken over.
  ///
  /// The reactors of the host have been ended, and it joins the cluster again. Acknowledged entries
  /// may be lost.
  case historyChanged(ClusterHost, ClusterTerm)
  /// The database has a standby that it does not wait for.
  ///
  /// If the standby takes over, acknowledged entries may be lost. Each host reports it when it
  /// detects the standby, unless ``ClusterOptions/acceptsAsynchronousStandby`` is set. No reactor
  /// is ended because of it.
  case asynchronousStandby(ClusterHost)

  /// What happened, and what would help, in one line.
  public var description: String {
    switch self {
    case .poisoned(let key, let attempts):
      "\(key) was taken \(attempts) times and never recovered, so its owners may have crashed "
        + "because of it; it is not taken again until clearPoisoned is called"
    case .leaseExpired(let host):
      "the lease of \(host) has run out, and its reactors have been ended; it enters anew"
    case .historyChanged(let host, let term):
      "the database of \(host) is of timeline \(term.timeline) of \(term.system) now; what had "
        + "been acknowledged may be gone, unless the standby is a synchronous one"
    case .asynchronousStandby(let host):
      "the database of \(host) \(StandbyMonitor.warning)"
    }
  }

  /// Writes a line on a thread of its own.
  ///
  /// The reporting code therefore does not wait for the reader of standard error. Reports are rare.
  static func write(_ report: ClusterReport) {
    Thread.detachNewThread {
      try? FileHandle.standardError.write(contentsOf: Data("ReactorCluster: \(report)\n".utf8))
    }
  }
}
