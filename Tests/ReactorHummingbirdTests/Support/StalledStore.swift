import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorRuntime
import TestSupport

/// A store in memory that writes nothing before a gate is open.
final class StalledStore: ForwardingStore {
  let writing = Gate()
  /// What has been written, batch by batch.
  let batches = Log<[JournalEntry.Kind]>()
  /// Through which entry was to be deleted.
  let deletions = Log<Int>()
  /// What was written and released, in order: `wrote purse '1'`, `released purse '1'`.
  let story: Log<String>
  let inner = MemoryStore()
  /// What it fails with instead of writing.
  let fault = Guarded<(any Error)?>(nil)

  init(story: Log<String> = Log()) { self.story = story }

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    try await writing.wait()
    if let fault = fault.withLock({ $0 }) { throw fault }
    try await inner.append(entries, to: key, epoch: epoch)
    story.append("wrote \(key)")
    batches.append(entries.map(\.kind))
  }

  func release(_ key: JournalKey, epoch: Int) async {
    story.append("released \(key)")
    await inner.release(key, epoch: epoch)
  }

  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteEntries(of: key, through: sequence, epoch: epoch)
    deletions.append(sequence)
  }
}
