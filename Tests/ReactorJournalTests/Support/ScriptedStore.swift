import JournalTestSupport
import ReactorJournal
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
  /// Told of every append as it comes.
  let appends = Log<Int>()

  private var refusesSnapshots = false
  func refuseSnapshots() { refusesSnapshots = true }

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
    try await inner.save(snapshot, of: key, epoch: epoch)
  }
}
