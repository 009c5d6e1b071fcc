import ReactorJournal
import ReactorJournalTesting
import TestSupport

/// A store in memory whose appends a test holds up, or has fail.
actor ScriptedStore: ForwardingStore {
  enum Fault: Error { case diskFull, connectionLost }

  enum Step {
    case pass
    /// Nothing is written.
    case fail
    /// It is written, and the answer gets lost.
    case loseAnswer
  }

  let inner = MemoryStore()
  /// What becomes of the next appends; all others pass.
  private var script: [Step] = []
  /// While it is shut, appends wait.
  private var gate: Gate?
  private(set) var batches: [Int] = []
  /// Records every append as it comes.
  let appends = Log<Int>()

  /// Records the entry before each page that is read.
  let reads = Log<Int>()
  /// Records every snapshot that is kept or read, and each deletion, once it is done.
  let snapshots = Log<SnapshotStep>()

  enum SnapshotStep: Equatable {
    case saved(Int), read(Int), entriesDeleted(Int), snapshotsDeleted(Int)
  }

  private var refusesSnapshots = false
  func refuseSnapshots() { refusesSnapshots = true }

  /// While it is shut, snapshots wait to be kept.
  private var savingGate: Gate?
  func stallSaving(at gate: Gate) { savingGate = gate }

  /// What is given back where a snapshot is asked for.
  private var changed: (@Sendable (JournalSnapshot) -> JournalSnapshot)?
  func change(_ changed: @escaping @Sendable (JournalSnapshot) -> JournalSnapshot) {
    self.changed = changed
  }

  /// Called before each page is read.
  private var reading: (@Sendable () async -> Void)?
  func whenReading(_ reading: (@Sendable () async -> Void)?) { self.reading = reading }

  func prepare(_ steps: [Step]) { script = steps }
  func stall(at gate: Gate?) { self.gate = gate }

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    appends.append(entries.count)
    if let gate { await gate.pass() }
    let step = script.isEmpty ? .pass : script.removeFirst()
    if case .fail = step { throw Fault.diskFull }
    try await inner.append(entries, to: key, epoch: epoch)
    batches.append(entries.count)
    if case .loseAnswer = step { throw Fault.connectionLost }
  }

  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    if refusesSnapshots { throw Fault.diskFull }
    if let savingGate { await savingGate.pass() }
    try await inner.save(snapshot, of: key, epoch: epoch)
    snapshots.append(.saved(snapshot.sequence))
  }

  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    reads.append(sequence)
    await reading?()
    return await inner.entries(of: key, after: sequence, limit: limit)
  }

  func snapshot(
    of key: JournalKey, through sequence: Int
  ) async throws -> JournalSnapshot? {
    guard let found = await inner.snapshot(of: key, through: sequence) else { return nil }
    snapshots.append(.read(found.sequence))
    return changed?(found) ?? found
  }

  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteEntries(of: key, through: sequence, epoch: epoch)
    snapshots.append(.entriesDeleted(sequence))
  }

  func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteSnapshots(of: key, through: sequence, epoch: epoch)
    snapshots.append(.snapshotsDeleted(sequence))
  }
}
