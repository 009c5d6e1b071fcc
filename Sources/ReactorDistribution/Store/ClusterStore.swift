package import Foundation
package import ReactorJournal

/// A store for a cluster: the live hosts, the owners of the reactors, and the journals.
///
/// Each function is atomic, and its effect is durable when it returns. An error other than
/// ``ClusterError`` means that it is unknown whether it took effect.
///
/// **Runs on** any thread; the functions are called concurrently.
///
/// **Safety** depends on the owner's epoch, which only increases, and on the sequence numbers of
/// the entries. Leases only decide *when* another host may take a reactor, by the store's own
/// clock.
package protocol ClusterStore: Sendable {
  /// Whether commands are stored in this process's memory; they are then removed once they can no
  /// longer be repeated.
  var storesCommandsInMemory: Bool { get }
  /// Whether there is never another host; then no reactor can be taken over, and the lease never
  /// expires.
  var isSingleHost: Bool { get }

  // MARK: Hosts

  /// Begins the lease of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - lease: How long the lease lasts.
  ///   - ended: The previous incarnation of the same process, if there was one. The process is
  ///     alive, so no reactor has crashed it. Each of its reactors that was taken more than once
  ///     since it last recovered is released, and its count of takings is decremented.
  /// - Returns: The hosts, including this one, and the secret that hosts send to each other.
  /// - Throws: An error that means that it is unknown whether it took effect.
  func join(
    _ host: ClusterHost, lease: Duration, after ended: HostID?
  ) async throws -> ClusterJoinResult

  /// Extends the lease of a host, from now on.
  ///
  /// - Returns: The hosts; `nil` if the lease had expired, and then it remains expired.
  func renew(_ host: HostID, lease: Duration) async throws -> ClusterView?

  /// Removes a host from the list of those that take reactors; its lease continues.
  func markLeaving(_ host: HostID) async throws

  /// Ends the lease of a host now.
  func leave(_ host: HostID) async throws

  // MARK: Owners

  /// Returns the host that owns a reactor; `nil` if there is none, or if its lease has expired.
  func owner(of key: JournalKey) async throws -> ClusterOwner?

  /// Takes a reactor that has no owner, whose owner's lease has expired, or that the host already
  /// owns.
  ///
  /// - Parameters:
  ///   - key: The reactor.
  ///   - host: The host, whose own lease has to be valid.
  ///   - version: The newest version of its journal that the host can read.
  ///   - limit: How often the reactor may be taken without being recovered or released.
  /// - Returns: Whether the host owns the reactor now, or the reason why not.
  /// - Throws: An error that means that it is unknown whether it took effect.
  func take(
    _ key: JournalKey, for host: HostID, version: Int, limit: Int
  ) async throws -> ClusterTakeResult

  /// Records that the owner has recovered the reactor, and resets its count of takings.
  func recovered(_ key: JournalKey, by host: HostID, epoch: Int) async throws

  /// Releases a reactor, so that the next host can take it without waiting for the lease to expire.
  ///
  /// It has no effect if the host does not own the reactor.
  func release(_ key: JournalKey, by host: HostID, epoch: Int) async throws

  /// Returns whether a host owns a reactor at this moment.
  func isOwner(_ host: HostID, of key: JournalKey, epoch: Int) async throws -> Bool

  /// Allows a reactor to be taken again after ``ClusterError/poisoned(_:attempts:)``.
  func clearPoisoned(_ key: JournalKey) async throws

  // MARK: Journals

  /// Adds entries and their commands in one statement, if the host owns the reactor.
  ///
  /// - Throws: ``ClusterError/fenced(_:epoch:)`` if the host does not own the reactor;
  ///   ``ClusterError/taken(_:sequence:)`` if an entry with such a number, or one of the commands,
  ///   exists. Nothing has been written then.
  func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int
  ) async throws

  /// Returns the epoch with which an entry was written; `nil` if there is no such entry.
  func epoch(of key: JournalKey, at sequence: Int) async throws -> Int?

  /// Returns at most `limit` entries after `sequence`, in order.
  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry]

  /// Returns where a journal begins and ends.
  func extent(of key: JournalKey) async throws -> JournalExtent

  /// Returns at most `limit` identifiers of stored reactors with this name, from the one after `id`
  /// on.
  ///
  /// The store chooses the order, which must not change.
  func ids(of name: String, after id: String?, limit: Int) async throws -> [String]

  /// Returns the newest snapshot at or before `sequence`.
  func snapshot(of key: JournalKey, through sequence: Int) async throws -> JournalSnapshot?

  /// Stores a snapshot if the host owns the reactor, and replaces one with the same sequence
  /// number.
  func save(
    _ snapshot: JournalSnapshot, of key: JournalKey, by host: HostID, epoch: Int
  ) async throws

  /// Deletes entries or snapshots up to `sequence`, if the host owns the reactor.
  func delete(
    _ part: ClusterPart, of key: JournalKey, through sequence: Int, by host: HostID, epoch: Int
  ) async throws

  // MARK: Commands

  /// Returns the record of a command; `nil` if the journal has none.
  func command(_ id: UUID, of key: JournalKey) async throws -> CommandRecord?

  /// Stores the answer to a command, if the host owns the reactor.
  ///
  /// - Throws: ``ClusterError/fenced(_:epoch:)``.
  func answer(
    _ id: UUID, of key: JournalKey, with answer: Data, by host: HostID, epoch: Int
  ) async throws

  /// Deletes commands that are older than this; see ``ClusterOptions/commandRetention``.
  func deleteCommands(olderThan age: Duration) async throws

  /// Closes the store; nothing is called after it.
  func close() async
}

extension ClusterStore {
  package var storesCommandsInMemory: Bool { false }
  package var isSingleHost: Bool { false }
}

/// What a host receives when its lease begins.
package struct ClusterJoinResult: Sendable {
  /// The hosts, and the store's term.
  package let view: ClusterView
  /// A secret that only programs with access to the store have.
  package let secret: String

  /// Creates a value.
  package init(view: ClusterView, secret: String) { (self.view, self.secret) = (view, secret) }
}

/// The result of taking a reactor.
package enum ClusterTakeResult: Hashable, Sendable {
  /// The host owns the reactor now; `takings` counts how often it was taken without being
  /// recovered.
  case taken(epoch: Int, takings: Int)
  /// Another host with a valid lease owns the reactor.
  case owned(ClusterOwner)
  /// The reactor has been taken too often.
  case poisoned(takings: Int)
  /// The journal has entries of this version.
  case tooNew(version: Int)
  /// The lease of the host itself has expired.
  case hostExpired
}

/// Entries and commands that are added to a journal in one step.
package struct ClusterBatch: Hashable, Sendable {
  /// The entries, in order and without gaps.
  package var entries: [JournalEntry]
  /// The commands whose first entry is among these entries.
  package var commands: [CommandRecord]
  /// Whether it is the first batch of its epoch.
  package var isFirst: Bool

  /// Creates a batch.
  package init(entries: [JournalEntry], commands: [CommandRecord] = [], isFirst: Bool = false) {
    (self.entries, self.commands, self.isFirst) = (entries, commands, isFirst)
  }
}

/// A command that is in the journal.
package struct CommandRecord: Hashable, Sendable {
  /// The identifier that the caller chose.
  package let id: UUID
  /// The first entry of the command.
  package let sequence: Int
  /// The encoded outcome; `nil` if it is unknown.
  package var answer: Data?

  /// Creates a record.
  package init(id: UUID, sequence: Int, answer: Data? = nil) {
    (self.id, self.sequence, self.answer) = (id, sequence, answer)
  }
}

/// A part of a journal that may be deleted.
package enum ClusterPart: Sendable {
  /// Entries.
  case entries
  /// Snapshots.
  case snapshots
}
