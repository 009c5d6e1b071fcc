package import Foundation
package import ReactorJournal

/// Where a cluster keeps which hosts are alive, which of them has which reactor, and the journals:
/// all that a store has to do.
///
/// Each function is one step: it happens as a whole or not at all, and is durable when it returns.
/// An error other than ``ClusterError`` says that it is not known whether it happened. Functions
/// are called from any thread and many at a time.
///
/// **Safety** rests on the owner's epoch, which only grows, and on the sequence of the entries.
/// Leases decide only *when* another host may take a reactor, by the store's own clock.
package protocol ClusterStore: Sendable {
  /// Whether commands are kept in this process's memory: for no longer than they may be
  /// repeated, then.
  var remembersInMemory: Bool { get }
  /// Whether there is never another host: what a paused one has is taken over by none, so its lease
  /// lasts for ever.
  var isAlone: Bool { get }

  // MARK: Hosts

  /// Begins a host's lease.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - lease: How long it lasts.
  ///   - ended: The host that the same process was before, if it was one. No reactor of that host
  ///     has ended the process: each that was taken more than once since it last recovered is
  ///     released, and one taking less is counted.
  /// - Returns: The hosts that there are, this one too, and the secret by which hosts know each
  ///   other.
  /// - Throws: What says that it is not known whether it happened.
  func enter(
    _ host: ClusterHost, lease: Duration, after ended: HostID?
  ) async throws -> ClusterEntrance

  /// Makes a host's lease last from now on.
  ///
  /// - Returns: The hosts that there are; `nil` where the lease had run out, which it then stays.
  func renew(_ host: HostID, lease: Duration) async throws -> ClusterView?

  /// Takes a host off the list of those that take reactors; its lease goes on.
  func depart(_ host: HostID) async throws

  /// Ends a host's lease now.
  func leave(_ host: HostID) async throws

  // MARK: Owners

  /// The host that has a reactor; `nil` if there is none, or its lease has run out.
  func owner(of key: JournalKey) async throws -> ClusterOwner?

  /// Takes a reactor that no host has, or one whose lease has run out, or the host itself.
  ///
  /// - Parameters:
  ///   - key: Which.
  ///   - host: For which host; its own lease has to last.
  ///   - version: The newest version of its journal that the host can read.
  ///   - limit: How often it may be taken without having recovered or been released in between.
  /// - Returns: Whether it is the host's, and why not.
  /// - Throws: What says that it is not known whether it happened.
  func take(
    _ key: JournalKey, for host: HostID, version: Int, limit: Int
  ) async throws -> ClusterTaking

  /// An owner has recovered the reactor: what went wrong before is forgotten.
  func recovered(_ key: JournalKey, by host: HostID, epoch: Int) async throws

  /// Releases a reactor, so that the next host need not wait for a lease; nothing if the host has
  /// not got it.
  func release(_ key: JournalKey, by host: HostID, epoch: Int) async throws

  /// Whether a host has a reactor in this very moment.
  func isOwner(_ host: HostID, of key: JournalKey, epoch: Int) async throws -> Bool

  /// Lets a reactor be taken again that was taken too often: ``ClusterError/poisoned(_:takings:)``.
  func pardon(_ key: JournalKey) async throws

  // MARK: Journals

  /// Adds entries, and the commands they are of, if the host has the reactor: in one statement.
  ///
  /// - Throws: ``ClusterError/fenced(_:epoch:)`` where the host has not got the reactor, and
  ///   ``ClusterError/taken(_:sequence:)`` where there is an entry of such a sequence, or one of
  ///   the commands, already; nothing has been written then.
  func append(
    _ batch: ClusterBatch, to key: JournalKey, by host: HostID, epoch: Int
  ) async throws

  /// The epoch that an entry was written under; `nil` if there is no such entry.
  func epoch(of key: JournalKey, at sequence: Int) async throws -> Int?

  /// Entries in order, from the one after `sequence` on, `limit` at most.
  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry]

  /// Where a journal begins and ends.
  func extent(of key: JournalKey) async throws -> JournalExtent

  /// The identifiers under which something has been kept of reactors of a name: those after `id`,
  /// in an order of the store's own that stays, `limit` at most.
  func ids(of name: String, after id: String?, limit: Int) async throws -> [String]

  /// The newest snapshot that is not after `sequence`.
  func snapshot(of key: JournalKey, through sequence: Int) async throws -> JournalSnapshot?

  /// Keeps a snapshot, if the host has the reactor; one of the same sequence is replaced.
  func save(
    _ snapshot: JournalSnapshot, of key: JournalKey, by host: HostID, epoch: Int
  ) async throws

  /// Deletes entries and snapshots from the first one on, if the host has the reactor.
  func delete(
    _ part: ClusterPart, of key: JournalKey, through sequence: Int, by host: HostID, epoch: Int
  ) async throws

  // MARK: Commands

  /// What is known of a command; `nil` where nothing of it is in the journal.
  func command(_ id: UUID, of key: JournalKey) async throws -> CommandRecord?

  /// Keeps the answer to a command, if the host has the reactor.
  ///
  /// - Throws: ``ClusterError/fenced(_:epoch:)``.
  func answer(
    _ id: UUID, of key: JournalKey, with answer: Data, by host: HostID, epoch: Int
  ) async throws

  /// Forgets commands that are older than this; see ``ClusterOptions/keepsCommands``.
  func forgetCommands(olderThan age: Duration) async throws

  /// Closes what is open; nothing is called after it.
  func close() async
}

extension ClusterStore {
  package var remembersInMemory: Bool { false }
  package var isAlone: Bool { false }
}

/// What a host is told when its lease begins.
package struct ClusterEntrance: Sendable {
  /// The hosts that there are, and the store's term.
  package let view: ClusterView
  /// Known to all that may use the store, and to nothing else.
  package let secret: String

  /// All there is to it.
  package init(view: ClusterView, secret: String) { (self.view, self.secret) = (view, secret) }
}

/// What came of taking a reactor.
package enum ClusterTaking: Hashable, Sendable {
  /// It is the host's; how often it had been taken without having recovered in between.
  case taken(epoch: Int, takings: Int)
  /// A host has it whose lease lasts.
  case owned(ClusterOwner)
  /// It has been taken too often.
  case poisoned(takings: Int)
  /// Its journal has entries of this version.
  case tooNew(version: Int)
  /// The host's own lease has run out.
  case hostIsOver
}

/// What is added to a journal in one step.
package struct ClusterBatch: Hashable, Sendable {
  /// The entries, in order, without a gap.
  package var entries: [JournalEntry]
  /// The commands of which some of these entries are the first.
  package var commands: [CommandRecord]
  /// Whether it is the first batch of its epoch.
  package var isFirst: Bool

  /// All there is to it.
  package init(entries: [JournalEntry], commands: [CommandRecord] = [], isFirst: Bool = false) {
    (self.entries, self.commands, self.isFirst) = (entries, commands, isFirst)
  }
}

/// What is known of a command that is in the journal.
package struct CommandRecord: Hashable, Sendable {
  /// What the caller gave it.
  package let id: UUID
  /// The first entry of its work.
  package let sequence: Int
  /// How it ended, encoded; `nil` where that is not known.
  package var answer: Data?

  /// All there is to it.
  package init(id: UUID, sequence: Int, answer: Data? = nil) {
    (self.id, self.sequence, self.answer) = (id, sequence, answer)
  }
}

/// What of a journal may be deleted.
package enum ClusterPart: Sendable {
  /// Mutations.
  case entries
  /// Snapshots.
  case snapshots
}
