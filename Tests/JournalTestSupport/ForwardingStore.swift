package import ReactorJournal

/// A store that leaves to another one whatever it does not do itself.
package protocol ForwardingStore: JournalStore {
  associatedtype Inner: JournalStore

  /// The one that keeps.
  var inner: Inner { get }
}

extension ForwardingStore {
  package func take(_ key: JournalKey) async throws -> JournalClaim { try await inner.take(key) }

  package func release(_ key: JournalKey, epoch: Int) async {
    await inner.release(key, epoch: epoch)
  }

  package func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    try await inner.append(entries, to: key, epoch: epoch)
  }

  package func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    try await inner.entries(of: key, after: sequence, limit: limit)
  }

  package func extent(of key: JournalKey) async throws -> JournalExtent {
    try await inner.extent(of: key)
  }

  package func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    try await inner.ids(of: name, after: id, limit: limit)
  }

  package func snapshot(
    of key: JournalKey, through sequence: Int
  ) async throws -> JournalSnapshot? {
    try await inner.snapshot(of: key, through: sequence)
  }

  package func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    try await inner.save(snapshot, of: key, epoch: epoch)
  }

  package func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteEntries(of: key, through: sequence, epoch: epoch)
  }

  package func deleteSnapshots(
    of key: JournalKey, through sequence: Int, epoch: Int
  ) async throws {
    try await inner.deleteSnapshots(of: key, through: sequence, epoch: epoch)
  }

  package func move(_ key: JournalKey, to id: String) async throws {
    try await inner.move(key, to: id)
  }
}
