import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorRuntime
import TestLimits
import TestSupport

/// A store in memory that is slow, stalls, fails, and loses answers, as a seed has it.
actor FaultyStore: ForwardingStore {
  enum Fault: Error { case failed, answerLost }

  let inner = MemoryStore()
  private var random: SplitMix64
  /// Once in how many appends something goes wrong.
  private let faultsOneIn: Int
  /// The last entry that is kept, to be looked at without waiting.
  nonisolated let lastStored = Guarded(0)
  private nonisolated let stalled = Guarded<[Latch]>([])
  /// How often an answer got lost, and how often it stalled.
  nonisolated let answersLost = Guarded(0)
  nonisolated let stalls = Guarded(0)

  init(seed: UInt64, faultsOneIn: Int) {
    random = SplitMix64(seed: seed)
    self.faultsOneIn = faultsOneIn
  }

  /// Suspends a few times, and now and then stalls until ``resume()`` is called.
  private func delay() async {
    guard random.oneIn(8) else {
      for _ in 0..<random.below(4) { await Task.yield() }
      return
    }
    stalls.withLock { $0 += 1 }
    let latch = Latch()
    stalled.withLock { $0.append(latch) }
    await latch.wait()
  }

  /// Lets what has stalled go on.
  ///
  /// - Returns: Whether something had.
  nonisolated func resume() -> Bool {
    let latches = stalled.withLock { stalled in
      defer { stalled = [] }
      return stalled
    }
    for latch in latches { latch.open() }
    return !latches.isEmpty
  }

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    await delay()
    let fault = random.oneIn(faultsOneIn) ? random.below(2) : nil
    if fault == 0 { throw Fault.failed }
    try await inner.append(entries, to: key, epoch: epoch)
    if let last = entries.last?.sequence { lastStored.withLock { $0 = last } }
    await delay()
    if fault == 1 {
      answersLost.withLock { $0 += 1 }
      throw Fault.answerLost
    }
  }

  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    if random.oneIn(faultsOneIn) { throw Fault.failed }
    return await inner.entries(of: key, after: sequence, limit: limit)
  }

  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    if random.oneIn(faultsOneIn) { throw Fault.failed }
    try await inner.save(snapshot, of: key, epoch: epoch)
  }
}
