public import Foundation
package import Reactor
public import ReactorJournal

/// An error of a cluster.
public enum ClusterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host no longer owns the reactor: another host has taken it, or the lease has expired.
  case fenced(JournalKey, epoch: Int)
  /// Another host has written this entry.
  case taken(JournalKey, sequence: Int)
  /// Another host owns the reactor.
  case notOwner(JournalKey, ClusterOwner?)
  /// No host that owns the reactor, or could take it, was reachable; nothing has been done.
  case unreachable(JournalKey, String)
  /// The command was begun, and its outcome is unknown; it has not been done twice.
  case unfinished(JournalKey, command: UUID)
  /// The action was not answered or did not finish, for this reason.
  case failed(JournalKey, reason: ClusterFailure)
  /// The reactor was taken this many times, and no owner has recovered it, since each crashed
  /// before.
  ///
  /// It is not taken again until ``ReactorCluster/clearPoisoned(_:of:)``.
  case poisoned(JournalKey, attempts: Int)
  /// The journal has entries of a version that no host in the cluster can read.
  case tooNew(JournalKey, version: Int)
  /// The host has no registry with this name.
  case unknownKind(String)
  /// The host already works on the maximum number of calls; nothing has been done.
  case overloaded(String)
  /// The key is invalid, since no store could store it.
  case wrongKey(String)
  /// An address, a secret or a body is invalid.
  case invalid(String)
  /// The cluster has been stopped.
  case stopped
  /// The store cannot be used.
  case unusable(String)

  /// A description in one line.
  public var description: String {
    switch self {
    case .fenced(let key, let epoch): "\(key) has been taken from this host, after epoch \(epoch)"
    case .taken(let key, let sequence): "entry \(sequence) of \(key) has been written already"
    case .notOwner(let key, let owner):
      owner.map { "\(key) is at \($0.host)" } ?? "\(key) is at another host"
    case .unreachable(let key, let why): "no host could be reached that has \(key): \(why)"
    case .unfinished(let key, let command):
      "command \(command) of \(key) was begun, and how it ended is not known"
    case .failed(let key, let reason): "\(key): \(reason)"
    case .poisoned(let key, let attempts):
      "\(key) was taken \(attempts) times and never recovered; it is not taken again"
    case .tooNew(let key, let version):
      "\(key) has entries of version \(version), which no host here can read"
    case .unknownKind(let name): "this host has no reactors named '\(name)'"
    case .overloaded(let address): "\(address) has reached its limit of calls"
    case .wrongKey(let what), .invalid(let what): what
    case .stopped: "the cluster has been stopped"
    case .unusable(let why): "the cluster's store cannot be used: \(why)"
    }
  }
}

extension ClusterError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension ClusterFailure: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension ClusterError: ErrorWithKind {
  package var kindOfError: ErrorKind? {
    switch self {
    case .failed(_, let reason): reason.kindOfError
    // Nothing has been done, so another host or a later attempt may succeed.
    case .unreachable, .overloaded, .poisoned, .tooNew, .unknownKind, .notOwner: .unreachable
    case .unfinished: .ended
    case .stopped: .neverBegun
    case .wrongKey: .invalid
    case .fenced, .taken, .invalid, .unusable: nil
    }
  }
}

extension ClusterFailure {
  fileprivate var kindOfError: ErrorKind? {
    switch kind {
    case .failed: refusal.map { .declined($0) }
    case .cancelled: .cancelled
    case .refused: .refused
    case .dropped: .dropped
    case .late: .late
    case .neverBegun: .neverBegun
    case .ended: .ended
    case .notMade, .released, .forgotten: nil
    }
  }
}

/// The reason why an action was not answered or did not finish; the same on every host.
public struct ClusterFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The kinds of reasons.
  public enum Kind: String, Sendable, Codable {
    /// The effect or the answer failed; if the reactor declined, ``refusal`` has the name of the
    /// error.
    case failed
    /// The action was cancelled.
    case cancelled
    /// The action was not accepted: the inbox or a lane was full, or the reactor had been stopped.
    case refused
    /// The lane dropped the action in favour of another one.
    case dropped
    /// The action did not finish in time.
    case late
    /// The last copy of its reply was released without an answer.
    case released
    /// The reactor was stopped before the action began.
    case neverBegun
    /// The reactor could not be made on its host, or its journal could not be read; nothing has
    /// been done.
    case notMade
    /// The reactor ended while the action was running.
    case ended
    /// The action has ended, and its outcome is no longer stored.
    case forgotten
  }

  /// The kind of reason.
  public let kind: Kind
  /// A description of the reason.
  public let text: String
  /// The name of the `ExpectedError` with which the reactor declined, such as `insufficientFunds`.
  ///
  /// It is `nil` for any other reason. The error itself is not sent to other hosts.
  public let refusal: String?

  /// Creates a failure.
  public init(_ kind: Kind, _ text: String, refusal: String? = nil) {
    (self.kind, self.text, self.refusal) = (kind, text, refusal)
  }

  /// The same as `text`.
  public var description: String { text }
}
