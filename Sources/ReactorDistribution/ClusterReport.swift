import Foundation
public import ReactorJournal

/// Something that has happened in a cluster and must not vanish quietly.
///
/// A call that it concerns throws an error, or tells nothing of it; this is for the operators of
/// the hosts. It is given to ``ClusterOptions/report``; by default it is a line on standard error.
public enum ClusterReport: Sendable, Hashable, CustomStringConvertible {
  /// The reactor was taken so many times, and none of its owners has recovered it. It is left
  /// where it is until ``ReactorCluster/pardon(_:of:)``; said once by each host that is asked for
  /// it.
  case poisoned(JournalKey, takings: Int)
  /// The host's lease has run out: all that was here has been ended, and it enters anew. It was
  /// paused or cut off for longer than the lease, or the database was.
  case leaseRanOut(ClusterHost)
  /// The database goes on with another history, as when a standby has taken over: all that was
  /// here has been ended, and the host enters anew. What had been acknowledged may be gone.
  case otherHistory(ClusterHost, ClusterTerm)
  /// The database has got a standby that it does not wait for: should that take over, what has been
  /// acknowledged may be gone. Said by each host when it sees it, unless
  /// ``ClusterOptions/acceptsAsynchronousStandby``; nothing is ended for it.
  case asynchronousStandby(ClusterHost)

  /// One line: what happened, and what would help.
  public var description: String {
    switch self {
    case .poisoned(let key, let takings):
      "\(key) was taken \(takings) times and never recovered, so its owners may have crashed of "
        + "it; it is not taken again until it is pardoned"
    case .leaseRanOut(let host):
      "the lease of \(host) has run out, and its reactors have been ended; it enters anew"
    case .otherHistory(let host, let term):
      "the database of \(host) is of timeline \(term.timeline) of \(term.system) now; what had "
        + "been acknowledged may be gone, unless the standby is a synchronous one"
    case .asynchronousStandby(let host):
      "the database of \(host) \(StandbyWatch.warning)"
    }
  }

  /// Writes a line, by a thread of its own.
  ///
  /// What reports does not wait for what reads; and there are few of them.
  static func write(_ report: ClusterReport) {
    Thread.detachNewThread {
      try? FileHandle.standardError.write(contentsOf: Data("ReactorCluster: \(report)\n".utf8))
    }
  }
}
