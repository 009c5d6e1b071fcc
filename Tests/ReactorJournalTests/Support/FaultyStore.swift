import ReactorJournal
import TestSupport

/// A store in memory that is slow, fails, and loses answers, as a seed has it.
actor FaultyStore: JournalStore {
  enum Fault: Error { case failed, answerLost }

  let inner = MemoryStore()
  private var random: SplitMix64
  /// Once in how many appends something goes wrong.
  private let faultsOneIn: Int

  init(seed: UInt64, faultsOneIn: Int) {
    random = SplitMix64(seed: seed)
    self.faultsOneIn = faultsOneIn
  }

  /// Lets others go on a few times.
  private func dawdle() async { for _ in 0..<random.below(4) { await Task.yield() } }

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    await dawdle()
    let fault = random.oneIn(faultsOneIn) ? random.below(2) : nil
    if fault == 0 { throw Fault.failed }
    try await inner.append(entries, to: key, epoch: epoch)
    await dawdle()
    if fault == 1 { throw Fault.answerLost }
  }

  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    if random.oneIn(faultsOneIn) { throw Fault.failed }
    return await inner.entries(of: key, after: sequence, limit: limit)
  }

  func take(_ key: JournalKey) async throws -> JournalClaim { try await inner.take(key) }
  func release(_ key: JournalKey, epoch: Int) async { await inner.release(key, epoch: epoch) }
  func extent(of key: JournalKey) async throws -> JournalExtent { await inner.extent(of: key) }
  func snapshot(
    of key: JournalKey, through sequence: Int
  ) async throws -> JournalSnapshot? { await inner.snapshot(of: key, through: sequence) }
  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    if random.oneIn(faultsOneIn) { throw Fault.failed }
    try await inner.save(snapshot, of: key, epoch: epoch)
  }
  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteEntries(of: key, through: sequence, epoch: epoch)
  }
  func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteSnapshots(of: key, through: sequence, epoch: epoch)
  }
}
