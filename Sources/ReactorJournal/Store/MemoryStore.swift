/// A store in memory, for tests and previews; it lasts as long as this object.
public actor MemoryStore: JournalStore {
  private struct StoredJournal {
    var entries: [JournalEntry] = []
    var snapshots = SnapshotList()
    var deleted = 0
    var epoch = 0
    var isTaken = false

    var last: Int { deleted + entries.count }
    var extent: JournalExtent { JournalExtent(deleted: deleted, last: last) }
  }

  private var journals: [JournalKey: StoredJournal] = [:]
  /// The sorted identifiers of each name; computed when needed, and again after one was added.
  private var sorted: [String: [String]] = [:]

  /// Creates a store without journals.
  public init() {}

  /// Makes the caller the writer of a journal; see ``JournalStore/take(_:)``.
  public func take(_ key: JournalKey) throws -> JournalClaim {
    var journal = journals[key] ?? StoredJournal()
    if journal.isTaken { throw JournalError.alreadyOpen(key) }
    journal.isTaken = true
    journal.epoch += 1
    journals[key] = journal
    return JournalClaim(epoch: journal.epoch, extent: journal.extent)
  }

  /// Releases a journal; see ``JournalStore/release(_:epoch:)``.
  public func release(_ key: JournalKey, epoch: Int) {
    if journals[key]?.epoch == epoch { journals[key]?.isTaken = false }
  }

  /// Adds entries; see ``JournalStore/append(_:to:epoch:)``.
  public func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) throws {
    guard let first = entries.first else { return }
    try change(key, epoch) { journal in
      guard first.sequence == journal.last + 1 else {
        throw JournalError.outOfOrder(key, expected: first.sequence - 1, last: journal.last)
      }
      if journal.last == 0 { sorted[key.name] = nil }
      journal.entries += entries
    }
  }

  /// Returns entries in order; see ``JournalStore/entries(of:after:limit:)``.
  public func entries(of key: JournalKey, after sequence: Int, limit: Int) -> [JournalEntry] {
    guard let journal = journals[key] else { return [] }
    let rest = journal.entries.dropFirst(max(0, sequence - journal.deleted))
    return Array(rest.prefix(limit))
  }

  /// Returns where a journal begins and ends; see ``JournalStore/extent(of:)``.
  public func extent(of key: JournalKey) -> JournalExtent {
    journals[key]?.extent ?? JournalExtent(deleted: 0, last: 0)
  }

  /// Returns identifiers; see ``JournalStore/ids(of:after:limit:)``.
  public func ids(of name: String, after id: String?, limit: Int) -> [String] {
    let all = sorted[name] ?? sortedIDs(of: name)
    sorted[name] = all
    let seen = id.map { id in all.countOfFirst { $0 <= id } } ?? 0
    return Array(all[seen...].prefix(limit))
  }

  private func sortedIDs(of name: String) -> [String] {
    journals.filter { $0.key.name == name && $0.value.last > 0 }.map(\.key.id).sorted()
  }

  /// Returns a snapshot; see ``JournalStore/snapshot(of:through:)``.
  public func snapshot(of key: JournalKey, through sequence: Int) -> JournalSnapshot? {
    journals[key]?.snapshots.newest(through: sequence)
  }

  /// Stores a snapshot; see ``JournalStore/save(_:of:epoch:)``.
  public func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) throws {
    try change(key, epoch) { $0.snapshots.save(snapshot) }
  }

  /// Deletes entries; see ``JournalStore/deleteEntries(of:through:epoch:)``.
  public func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) throws {
    try change(key, epoch) { journal in
      let count = min(max(0, sequence - journal.deleted), journal.entries.count)
      journal.entries.removeFirst(count)
      journal.deleted += count
    }
  }

  /// Deletes snapshots; see ``JournalStore/deleteSnapshots(of:through:epoch:)``.
  public func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) throws {
    try change(key, epoch) { $0.snapshots.delete(through: sequence) }
  }

  /// Gives a journal another identifier; see ``JournalStore/move(_:to:)``.
  public func move(_ key: JournalKey, to id: String) throws {
    guard var journal = journals[key] else { throw JournalError.noJournal(key) }
    let other = JournalKey(name: key.name, id: id)
    if journal.isTaken { throw JournalError.alreadyOpen(key) }
    if journals[other] != nil { throw JournalError.occupied(other) }
    journal.epoch += 1
    (journals[key], journals[other]) = (nil, journal)
    sorted[key.name] = nil
  }

  /// Changes a journal for its owner, in place, so that its arrays are not copied.
  private func change(
    _ key: JournalKey, _ epoch: Int, _ body: (inout StoredJournal) throws -> Void
  ) throws {
    guard journals[key]?.epoch == epoch else { throw JournalError.fenced(key, epoch: epoch) }
    try body(&journals[key, default: StoredJournal()])
  }

  /// Simulates the end of a process: no journal is open any more.
  ///
  /// An earlier owner can still write to a journal until it is taken again.
  package func releaseAll() {
    for key in journals.keys { journals[key]?.isTaken = false }
  }
}
