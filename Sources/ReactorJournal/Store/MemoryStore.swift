/// A store in memory, for tests and previews; it lasts as long as this object.
public actor MemoryStore: JournalStore {
  private struct Book {
    var entries: [JournalEntry] = []
    var snapshots = SnapshotList()
    var deleted = 0
    var epoch = 0
    var isTaken = false

    var last: Int { deleted + entries.count }
    var extent: JournalExtent { JournalExtent(deleted: deleted, last: last) }
  }

  private var books: [JournalKey: Book] = [:]
  /// The sorted identifiers of each name; computed when needed, and again after one was added.
  private var sorted: [String: [String]] = [:]

  /// Creates a store without journals.
  public init() {}

  /// Makes the caller the writer of a journal; see ``JournalStore/take(_:)``.
  public func take(_ key: JournalKey) throws -> JournalClaim {
    var book = books[key] ?? Book()
    if book.isTaken { throw JournalError.alreadyOpen(key) }
    book.isTaken = true
    book.epoch += 1
    books[key] = book
    return JournalClaim(epoch: book.epoch, extent: book.extent)
  }

  /// Releases a journal; see ``JournalStore/release(_:epoch:)``.
  public func release(_ key: JournalKey, epoch: Int) {
    if books[key]?.epoch == epoch { books[key]?.isTaken = false }
  }

  /// Adds entries; see ``JournalStore/append(_:to:epoch:)``.
  public func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) throws {
    guard let first = entries.first else { return }
    try change(key, epoch) { book in
      guard first.sequence == book.last + 1 else {
        throw JournalError.outOfOrder(key, expected: first.sequence - 1, last: book.last)
      }
      if book.last == 0 { sorted[key.name] = nil }
      book.entries += entries
    }
  }

  /// Returns entries in order; see ``JournalStore/entries(of:after:limit:)``.
  public func entries(of key: JournalKey, after sequence: Int, limit: Int) -> [JournalEntry] {
    guard let book = books[key] else { return [] }
    let rest = book.entries.dropFirst(max(0, sequence - book.deleted))
    return Array(rest.prefix(limit))
  }

  /// Returns where a journal begins and ends; see ``JournalStore/extent(of:)``.
  public func extent(of key: JournalKey) -> JournalExtent {
    books[key]?.extent ?? JournalExtent(deleted: 0, last: 0)
  }

  /// Returns identifiers; see ``JournalStore/ids(of:after:limit:)``.
  public func ids(of name: String, after id: String?, limit: Int) -> [String] {
    let all = sorted[name] ?? sortedIDs(of: name)
    sorted[name] = all
    let seen = id.map { id in all.countOfFirst { $0 <= id } } ?? 0
    return Array(all[seen...].prefix(limit))
  }

  private func sortedIDs(of name: String) -> [String] {
    books.filter { $0.key.name == name && $0.value.last > 0 }.map(\.key.id).sorted()
  }

  /// Returns a snapshot; see ``JournalStore/snapshot(of:through:)``.
  public func snapshot(of key: JournalKey, through sequence: Int) -> JournalSnapshot? {
    books[key]?.snapshots.newest(through: sequence)
  }

  /// Stores a snapshot; see ``JournalStore/save(_:of:epoch:)``.
  public func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) throws {
    try change(key, epoch) { $0.snapshots.save(snapshot) }
  }

  /// Deletes entries; see ``JournalStore/deleteEntries(of:through:epoch:)``.
  public func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) throws {
    try change(key, epoch) { book in
      let count = min(max(0, sequence - book.deleted), book.entries.count)
      book.entries.removeFirst(count)
      book.deleted += count
    }
  }

  /// Deletes snapshots; see ``JournalStore/deleteSnapshots(of:through:epoch:)``.
  public func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) throws {
    try change(key, epoch) { $0.snapshots.delete(through: sequence) }
  }

  /// Gives a journal another identifier; see ``JournalStore/move(_:to:)``.
  public func move(_ key: JournalKey, to id: String) throws {
    guard var book = books[key] else { throw JournalError.nothingKept(key) }
    let other = JournalKey(name: key.name, id: id)
    if book.isTaken { throw JournalError.alreadyOpen(key) }
    if books[other] != nil { throw JournalError.occupied(other) }
    book.epoch += 1
    (books[key], books[other]) = (nil, book)
    sorted[key.name] = nil
  }

  /// Changes a journal for its owner, in place, so that its arrays are not copied.
  private func change(
    _ key: JournalKey, _ epoch: Int, _ body: (inout Book) throws -> Void
  ) throws {
    guard books[key]?.epoch == epoch else { throw JournalError.fenced(key, epoch: epoch) }
    try body(&books[key, default: Book()])
  }

  /// Simulates the end of a process: no journal is open any more.
  ///
  /// An earlier owner can still write to a journal until it is taken again.
  package func freeAll() {
    for key in books.keys { books[key]?.isTaken = false }
  }
}
