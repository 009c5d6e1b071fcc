public import Foundation

/// Whose journal it is: the reactor's ``JournaledReactor/journalName``, and which of them.
public struct JournalKey: Hashable, Sendable, CustomStringConvertible {
  /// The reactor's ``JournaledReactor/journalName``.
  public let name: String
  /// Which of the reactors of that name.
  public let id: String

  /// All there is to it; an identifier has one form, in however many ways it can be written.
  public init(name: String, id: String) { (self.name, self.id) = (name, CanonicalText.of(id)) }

  /// In words, for a report.
  public var description: String { "\(name) '\(id)'" }

  /// - Throws: ``JournalError/invalid(_:)`` for what a store could take for something else.
  func check() throws {
    if name.utf8.contains(0) || id.utf8.contains(0) { throw JournalError.invalid(self) }
  }
}

/// One mutation, as it is kept; or what is known of a request that has a key.
public struct JournalEntry: Hashable, Sendable {
  /// What a mutation is in the history.
  public enum Kind: Hashable, Sendable {
    /// Something new.
    case change
    /// It takes back the entry of this sequence.
    case undo(Int)
    /// It does once more what the entry of this sequence did.
    case redo(Int)
    /// No mutation, but a request that has a key: that it was begun, or its answer.
    case command
  }

  /// Its place in the journal, from 1 on.
  public let sequence: Int
  /// The ``JournaledReactor/journalVersion`` it was encoded under.
  public let version: Int
  /// Whether it is new, or an undo or redo of another.
  public let kind: Kind
  /// The encoded value.
  public let payload: Data
  /// What it came of, in words: the action's number in this epoch.
  public let cause: String?
  /// When it was handed to the store, by the journal's calendar clock.
  public let time: Date
  /// A hash of the state's encoding after it; of few entries.
  public let stateHash: UInt64?

  /// All there is to it.
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
  /// The encoded value.
  public let payload: Data

  /// All there is to it.
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

  /// All there is to it.
  public init(deleted: Int, last: Int) { (self.deleted, self.last) = (deleted, last) }
}

/// What the writer of a journal has to show.
public struct JournalClaim: Hashable, Sendable {
  /// The writer's number: higher than any before.
  public let epoch: Int
  /// Where the journal begins and ends.
  public let extent: JournalExtent

  /// All there is to it.
  public init(epoch: Int, extent: JournalExtent) { (self.epoch, self.extent) = (epoch, extent) }
}
