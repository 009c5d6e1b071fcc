import Foundation

/// A batch of entries, prepared for the writer where the batch was made.
///
/// The writer works for all reactors, so it should not compute what others can.
struct EntryRows: Sendable {
  let key: JournalKey
  let epoch: Int
  /// The number of the journal's row, if this store has taken the journal with this epoch.
  let owner: Int64?
  let entries: [JournalEntry]
  let checksums: [UInt64]
  /// The number of bytes of the largest payload.
  let largest: Int
  let size: GroupCommitMachine.Size

  init(_ entries: [JournalEntry], of key: JournalKey, epoch: Int, owner: Int64?) {
    (self.key, self.epoch, self.owner, self.entries) = (key, epoch, owner, entries)
    checksums = entries.map(\.checksum)
    var (largest, bytes) = (0, 0)
    for entry in entries {
      largest = max(largest, entry.payload.count)
      bytes += entry.payload.count + (entry.cause?.utf8.count ?? 0)
    }
    self.largest = largest
    size = GroupCommitMachine.Size(entries: entries.count, bytes: bytes)
  }
}
