import Foundation
import GRDB
import ReactorRuntime

/// The one writer of a SQLite file: stores what waits of all reactors in one transaction.
///
/// A ``GroupCommitMachine`` makes the decisions; this class has the writes, and executes them on
/// the queue of its connection. That queue is no thread of the pool, so a slow disk blocks no task.
///
/// Holds: `contents`, guarded by its own lock. Outside the lock, it calls SQLite, resumes tasks and
/// reports.
final class GroupCommitter: Sendable {
  fileprivate struct Contents: Sendable {
    var machine: GroupCommitMachine
    /// The writes that have not been taken, in order.
    var waiting: ArraySlice<GroupWrite> = []
    /// What reports a stall: that of the first write of the group.
    var stalled: (@Sendable (any Error) -> Void)?
    /// When the commit that is under way was scheduled.
    var begun = Date()
  }

  private let queue: DatabaseQueue
  /// The main file and its log.
  private let files: [OpenedFile]
  private let contents: Guarded<Contents>
  /// How long a commit may take before it is reported, about: it takes at most twice as long.
  private let stallLimit: Duration
  private let clock: any Clock<Duration>

  init(
    _ queue: DatabaseQueue, files: [OpenedFile], limits: GroupCommitMachine.Limits,
    stallLimit: Duration, clock: any Clock<Duration>
  ) {
    (self.queue, self.files, self.stallLimit, self.clock) = (queue, files, stallLimit, clock)
    contents = Guarded(Contents(machine: GroupCommitMachine(limits: limits)))
  }

  /// The number of shared transactions that have begun.
  var commitCount: UInt64 { contents.withLock { $0.machine.commit } }

  /// The number of writes that wait for a transaction.
  var waitingCount: Int { contents.withLock { $0.machine.waitingCount } }

  /// Whether commits are being checked for stalls.
  var isWatched: Bool { contents.withLock { $0.machine.isWatched } }

  // MARK: Adding

  /// Adds a batch of entries, and waits until it is durable.
  ///
  /// The wait does not end early if the task is cancelled.
  ///
  /// - Throws: Why it was refused, or an error of SQLite.
  func write(_ rows: EntryRows, whenStalled stalled: (@Sendable (any Error) -> Void)?) async throws
  {
    try await withCheckedThrowingContinuation { waiter in
      add(GroupWrite(body: .entries(rows), size: rows.size, stalled: stalled, waiter: waiter))
    }
  }

  /// Makes another change in a shared transaction, and waits until it is durable.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes it stores, about.
  ///   - body: Makes the change. If it throws, nothing is changed. It may be called again, after
  ///     what it did has been rolled back.
  /// - Returns: What the last call of the closure returned.
  /// - Throws: What the closure throws, an error of SQLite, or `CancellationError` if the task is
  ///   cancelled before the change has been added.
  func change<Value: Sendable>(
    bytes: Int = 0, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let result = Guarded<Value?>(nil)
    try await withCheckedThrowingContinuation { waiter in
      let change = GroupWrite.Body.change { db in
        let value = try body(db)
        result.withLock { $0 = value }
      }
      let size = GroupCommitMachine.Size(entries: 1, bytes: bytes)
      add(GroupWrite(body: change, size: size, waiter: waiter))
    }
    guard let value = result.withLock({ $0 }) else {
      preconditionFailure("no value")
    }
    return value
  }

  private func add(_ write: GroupWrite) {
    let addition = contents.withLock { contents in
      contents.waiting.append(write)
      let addition = contents.machine.add(write.size)
      if addition != .wait { contents.begin(with: write.stalled) }
      return addition
    }
    guard case .schedule(let beginsWatch) = addition else { return }
    schedule()
    if beginsWatch { watch() }
  }

  private func schedule() { queue.asyncWriteWithoutTransaction { self.commit($0) } }

  // MARK: Writing

  /// Writes one group; called on the queue.
  private func commit(_ db: Database) {
    var group: [GroupWrite] = []
    do {
      let outcomes = try writeGroup(&group, db)
      let missing = files.first(where: \.isGone)
      let following = contents.withLock { $0.committed() }
      for (write, failure) in zip(group, outcomes) { write.end(failure, missing: missing) }
      continueAfter(following)
    } catch {
      rollBack(db)
      // An error before the transaction has begun, as while another process writes, and one of its
      // end concern all writes. On a full disk, some of them may still fit.
      let isFull = (error as? DatabaseError)?.resultCode == .SQLITE_FULL
      let isShared = !(error is FailedWrite) && !isFull
      switch contents.withLock({ $0.failed(isShared: isShared) }) {
      case .fail(let following):
        let failure = (error as? FailedWrite)?.cause ?? error
        for write in group { write.end(failure, missing: nil) }
        continueAfter(following)
      case .separate: separate(group, db)
      }
    }
  }

  /// An error of SQLite from one of the writes.
  private struct FailedWrite: Error { let cause: any Error }

  /// Writes a group in one transaction.
  ///
  /// - Returns: For each write, why it was refused.
  private func writeGroup(_ group: inout [GroupWrite], _ db: Database) throws -> [(any Error)?] {
    var outcomes: [(any Error)?] = []
    let start = ContinuousClock.now
    var writer: EntryWriter?
    while true {
      let taken = contents.withLock { $0.next(after: start.duration(to: .now)) }
      if taken.isEmpty { break }
      group += taken
      let current: EntryWriter
      if let writer {
        current = writer
      } else {
        try db.beginTransaction(.immediate)
        current = try EntryWriter(db)
        writer = current
      }
      for write in taken {
        do {
          outcomes.append(try write.execute(db, current))
        } catch {
          throw FailedWrite(cause: error)
        }
      }
    }
    try db.commit()
    return outcomes
  }

  /// Writes each write of a failed group in a transaction of its own, so that those that can be
  /// written are.
  private func separate(_ group: [GroupWrite], _ db: Database) {
    for write in group {
      var failure: (any Error)?
      do {
        try db.beginTransaction(.immediate)
        failure = try write.execute(db, EntryWriter(db))
        try db.commit()
      } catch {
        rollBack(db)
        failure = error
      }
      let missing = files.first(where: \.isGone)
      let following = contents.withLock { $0.separated() }
      write.end(failure, missing: missing)
      if let following { continueAfter(following) }
    }
  }

  private func rollBack(_ db: Database) {
    // SQLite has rolled back by itself after some errors.
    if db.isInsideTransaction { try? db.rollback() }
  }

  private func continueAfter(_ following: GroupCommitMachine.Following) {
    // Not in a loop: other work of the queue, such as a checkpoint, gets its turn.
    if following == .schedule { schedule() }
  }

  // MARK: Stalls

  /// Checks from time to time, while there are writes, that the commits end.
  private func watch() {
    PipelineTasks.detached { [weak self, clock, stallLimit] in
      repeat {
        try? await clock.sleep(for: stallLimit)
      } while self?.check() == true
    }
  }

  /// - Returns: Whether to check again.
  private func check() -> Bool {
    let (check, report, begun) = contents.withLock { contents in
      let check = contents.machine.check()
      return (check, check == .stalled ? contents.stalled : nil, contents.begun)
    }
    report?(JournalError.stalled(files[0].path, since: begun))
    return check != .end
  }
}

extension GroupCommitter.Contents {
  /// A commit has been scheduled.
  fileprivate mutating func begin(with stalled: (@Sendable (any Error) -> Void)?) {
    (begun, self.stalled) = (Date(), stalled)
  }

  /// - Returns: The writes to execute next; none if the transaction is to be committed.
  fileprivate mutating func next(after time: Duration) -> ArraySlice<GroupWrite> {
    guard case .write(let count) = machine.next(after: time) else { return [] }
    let writes = waiting.prefix(count)
    // Usually all are taken. The array is then moved, and not copied.
    if count == waiting.count { waiting = [] } else { waiting.removeFirst(count) }
    if stalled == nil { stalled = writes.lazy.compactMap(\.stalled).first }
    return writes
  }

  fileprivate mutating func committed() -> GroupCommitMachine.Following {
    followed(machine.committed())
  }

  fileprivate mutating func failed(isShared: Bool) -> GroupCommitMachine.Failure {
    let failure = machine.failed(isShared: isShared)
    if case .fail(let following) = failure { _ = followed(following) }
    return failure
  }

  fileprivate mutating func separated() -> GroupCommitMachine.Following? {
    machine.separated().map { followed($0) }
  }

  private mutating func followed(
    _ following: GroupCommitMachine.Following
  ) -> GroupCommitMachine.Following {
    if following == .schedule { begin(with: waiting.first?.stalled) } else { stalled = nil }
    return following
  }
}
