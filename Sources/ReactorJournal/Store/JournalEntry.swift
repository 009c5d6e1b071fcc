public import Foundation

/// Whose journal it is: the reactor's ``JournaledReactor/journalName``, and which of them.
public struct JournalKey: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  public let id: String

  public init(name: String, id: String) { (self.name, self.id) = (name, id) }

  public var description: String { "\(name) '\(id)'" }
}

/// One mutation, as it is kept.
public struct JournalEntry: Hashable, Sendable {
  /// What a mutation is in the history.
  public enum Kind: Hashable, Sendable {
    /// Something new.
    case change
    /// It takes back the entry of this sequence.
    case undo(Int)
    /// It does once more what the entry of this sequence did.
    case redo(Int)
  }

  /// Its place in the journal, from 1 on.
  public let sequence: Int
  /// The ``JournaledReactor/journalVersion`` it was encoded under.
  public let version: Int
  public let kind: Kind
  public let payload: Data
  /// What it came of, in words: the action's number in this epoch.
  public let cause: String?
  /// When it was handed to the store, by the journal's calendar clock.
  public let time: Date
  /// A hash of the state's encoding after it; of few entries.
  public let stateHash: UInt64?

  public init(
    sequence: Int, version: Int, kind: Kind = .change, payload: Data, cause: String? = nil,
    time: Date, stateHash: UInt64? = nil
  ) {
    (self.sequence, self.version, self.kind, self.payload) = (sequence, version, kind, payload)
    (self.cause, self.time, self.stateHash) = (cause, time, stateHash)
  }
}

/// A state, as it is kept.
public struct JournalSnapshot: Hashable, Sendable {
  /// The last entry that is part of it.
  public let sequence: Int
  /// The ``JournaledReactor/snapshotVersion`` it was encoded under.
  public let version: Int
  public let payload: Data

  public init(sequence: Int, version: Int, payload: Data) {
    (self.sequence, self.version, self.payload) = (sequence, version, payload)
  }
}

/// Where a journal begins and ends.
public struct JournalExtent: Hashable, Sendable {
  /// The last entry that was deleted; 0 if none was.
  public let deleted: Int
  /// The last entry there ever was; 0 if there was none.
  public let last: Int

  public init(deleted: Int, last: Int) { (self.deleted, self.last) = (deleted, last) }
}

/// What whoever writes a journal has to show.
public struct JournalClaim: Hashable, Sendable {
  public let epoch: Int
  public let extent: JournalExtent

  public init(epoch: Int, extent: JournalExtent) { (self.epoch, self.extent) = (epoch, extent) }
}
