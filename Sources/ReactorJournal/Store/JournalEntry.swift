public import Foundation

/// The key of a journal: the ``JournaledReactor/journalName`` of the reactor, and an identifier.
public struct JournalKey: Hashable, Sendable, CustomStringConvertible {
  /// The ``JournaledReactor/journalName`` of the reactor.
  public let name: String
  /// The identifier among the reactors of that name.
  public let id: String

  /// Creates a key; Unicode forms of the identifier that are equal in Swift give the same key.
  public init(name: String, id: String) { (self.name, self.id) = (name, CanonicalText.of(id)) }

  /// A description for reports.
  public var description: String { "\(name) '\(id)'" }

  /// Checks that the name and the identifier contain no NUL.
  ///
  /// - Throws: ``JournalError/invalid(_:)`` if one does, since a store could confuse it with
  ///   another key.
  func check() throws {
    if name.utf8.contains(0) || id.utf8.contains(0) { throw JournalError.invalid(self) }
  }
}

/// One stored mutation, or the record of a request that has a key.
public struct JournalEntry: Hashable, Sendable {
  /// The kinds of entries.
  public enum Kind: Hashable, Sendable {
    /// A new mutation.
    case change
    /// A mutation that undoes the entry with this sequence number.
    case undo(Int)
    /// A mutation that redoes the entry with this sequence number.
    case redo(Int)
    /// No mutation: the record that a request with a key was begun, or its answer.
    case command
  }

  /// The number of the entry in the journal, from 1 on.
  public let sequence: Int
  /// The ``JournaledReactor/journalVersion`` that it was encoded with.
  public let version: Int
  /// The kind of the entry.
  public let kind: Kind
  /// The encoded value.
  public let payload: Data
  /// The action that emitted the mutation: the epoch, and the action's number in it; `nil` if no
  /// action did.
  public let cause: String?
  /// When the entry was passed to the store, as ``JournalOptions/now`` gave it.
  public let time: Date
  /// A hash of the state after the entry; most entries have none.
  public let stateHash: UInt64?

  /// Creates an entry.
  public init(
    sequence: Int, version: Int, kind: Kind = .change, payload: Data, cause: String? = nil,
    time: Date, stateHash: UInt64? = nil
  ) {
    (self.sequence, self.version, self.kind, self.payload) = (sequence, version, kind, payload)
    (self.cause, self.time, self.stateHash) = (cause, time, stateHash)
  }
}

/// A stored state.
public struct JournalSnapshot: Hashable, Sendable {
  /// The last entry that the state contains.
  public let sequence: Int
  /// The ``JournaledReactor/snapshotVersion`` that it was encoded with.
  public let version: Int
  /// The encoded state.
  public let payload: Data

  /// Creates a snapshot.
  public init(sequence: Int, version: Int, payload: Data) {
    (self.sequence, self.version, self.payload) = (sequence, version, payload)
  }
}

/// Where a journal begins and ends.
public struct JournalExtent: Hashable, Sendable {
  /// The last deleted entry; 0 if none was deleted.
  public let deleted: Int
  /// The last entry that was ever added; 0 if there was none.
  public let last: Int

  /// Creates an extent.
  public init(deleted: Int, last: Int) { (self.deleted, self.last) = (deleted, last) }
}

/// The right to write a journal, which a store gives to one writer at a time.
public struct JournalClaim: Hashable, Sendable {
  /// The number of the writer; higher than those of all writers before.
  public let epoch: Int
  /// Where the journal begins and ends.
  public let extent: JournalExtent

  /// Creates a claim.
  public init(epoch: Int, extent: JournalExtent) { (self.epoch, self.extent) = (epoch, extent) }
}
