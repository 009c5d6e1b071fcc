public import Foundation
package import Reactor
public import ReactorJournal

/// What went wrong in a cluster.
public enum ClusterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host has not got the reactor any more: another one took it, or its lease ran out.
  case fenced(JournalKey, epoch: Int)
  /// Another host has written this entry.
  case taken(JournalKey, sequence: Int)
  /// Another host has the reactor.
  case notMine(JournalKey, ClusterOwner?)
  /// No host could be reached that has the reactor or takes it. Nothing has been done.
  case unreachable(JournalKey, String)
  /// The command was begun, and it is not known how it ended. It has not been done twice.
  case unfinished(JournalKey, command: UUID)
  /// The action was not answered, or did not come to its end; why, in words.
  case failed(JournalKey, reason: ClusterFailure)
  /// The reactor was taken so many times, and none of its owners has recovered it: they crashed on
  /// the way. It stays where it is until ``ReactorCluster/pardon(_:of:)``.
  case poisoned(JournalKey, takings: Int)
  /// The journal has entries of a version that no host here can read.
  case tooNew(JournalKey, version: Int)
  /// The host has no registry of this name.
  case unknownKind(String)
  /// As many calls are under way at this host as may be; nothing has been done.
  case overloaded(String)
  /// A key that no reactor can have, as no store could keep it.
  case wrongKey(String)
  /// An address, a secret or a body that is not what it should be.
  case invalid(String)
  /// The cluster has been stopped.
  case stopped
  /// The store cannot be used.
  case unusable(String)

  /// One line.
  public var description: String {
    switch self {
    case .fenced(let key, let epoch): "\(key) has been taken from this host, after epoch \(epoch)"
    case .taken(let key, let sequence): "entry \(sequence) of \(key) has been written already"
    case .notMine(let key, let owner):
      owner.map { "\(key) is at \($0.host)" } ?? "\(key) is at another host"
    case .unreachable(let key, let why): "nobody could be reached who has \(key): \(why)"
    case .unfinished(let key, let command):
      "command \(command) of \(key) was begun, and how it ended is not known"
    case .failed(let key, let reason): "\(key): \(reason)"
    case .poisoned(let key, let takings):
      "\(key) was taken \(takings) times and never recovered; it is not taken again"
    case .tooNew(let key, let version):
      "\(key) has entries of version \(version), which no host here can read"
    case .unknownKind(let name): "this host has no reactors named '\(name)'"
    case .overloaded(let address): "\(address) has as many calls under way as it may"
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
    // Nothing has been done, and another host or a later time may do it.
    case .unreachable, .overloaded, .poisoned, .tooNew, .unknownKind, .notMine: .unreachable
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

/// Why an action was not answered, or did not end as it should: the same here and from afar.
public struct ClusterFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// What kind of reason it is.
  public enum Kind: String, Sendable, Codable {
    /// Its effect, or the reactor's answer, failed; or said no, see ``refusal``.
    case failed
    /// It was cancelled.
    case cancelled
    /// It was not accepted: the inbox was full, the reactor had been stopped, a lane was full.
    case refused
    /// Lanes: another one ran in its place.
    case dropped
    /// It did not come to its end within the time.
    case late
    /// The last copy of its reply was released.
    case released
    /// The reactor was stopped before it was begun.
    case neverBegun
    /// The reactor could not be made on its host, or what is kept of it not be read; nothing has
    /// been done.
    case notMade
    /// The reactor ended in the middle.
    case ended
    /// It has ended, and it is not known any more how.
    case forgotten
  }

  /// What kind of reason it is.
  public let kind: Kind
  /// In words.
  public let text: String
  /// By what name the reactor said no; `nil` where something went wrong.
  ///
  /// That is the name of an `ExpectedError`, `insufficientFunds` perhaps. The error itself stays on
  /// its host.
  public let refusal: String?

  /// All there is to it.
  public init(_ kind: Kind, _ text: String, refusal: String? = nil) {
    (self.kind, self.text, self.refusal) = (kind, text, refusal)
  }

  /// In words.
  public var description: String { text }
}
