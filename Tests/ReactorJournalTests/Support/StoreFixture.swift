import Foundation
import ReactorJournal

enum StoreKind: CaseIterable, Sendable { case memory, sqlite }

/// A store of a kind, and the folder it is in.
struct StoreFixture: Sendable {
  let store: any JournalStore
  let folder: URL
  var path: String { folder.appendingPathComponent("journal.db").path }

  init(_ kind: StoreKind) async throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch kind {
    case .memory: store = MemoryStore()
    case .sqlite:
      store = try await SQLiteStore(path: folder.appendingPathComponent("journal.db").path)
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}
