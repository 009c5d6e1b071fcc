import Foundation
import GRDB
import GRDBSQLite
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorJournal

/// Writes of many journals that share a commit.
@Suite(.bounded) struct GroupCommitTests {
  private func key(_ number: Int) -> JournalKey { JournalKey(name: "cart", id: "\(number)") }

  /// Takes journals, and returns the epoch of each.
  private func take(_ count: Int, in store: SQLiteStore) async throws -> [Int] {
    var epochs: [Int] = []
    for number in 0..<count { epochs.append(try await store.take(key(number)).epoch) }
    return epochs
  }

  /// Adds batches while the writer is held, in their order, and returns the error of each.
  private func append(
    _ batches: [[JournalEntry]], epochs: [Int], in store: SQLiteStore
  ) async -> [(any Error)?] {
    let writer = HeldWriter(store)
    var tasks: [Task<Void, any Error>] = []
    for (number, entries) in batches.enumerated() {
      let key = key(number)
      tasks.append(Task { try await store.append(entries, to: key, epoch: epochs[number]) })
      await writer.reached(tasks.count)
    }
    writer.release()
    var errors: [(any Error)?] = []
    for task in tasks {
      if case .failure(let error) = await task.result {
        errors.append(error)
      } else {
        errors.append(nil)
      }
    }
    return errors
  }

  @Test func `what waits of many journals is one commit`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let epochs = try await take(20, in: store)
    let before = store.committer.commitCount
    let batches = (0..<20).map { JournalEntry.some(1...($0 + 1)) }
    let errors = await append(batches, epochs: epochs, in: store)
    #expect(errors.allSatisfy { $0 == nil })
    #expect(store.committer.commitCount == before + 1)
    for number in 0..<20 {
      let stored = try await store.entries(of: key(number), after: 0, limit: .max)
      #expect(stored == batches[number])
    }
  }

  @Test func `more than the limits is several commits, and a large batch is not divided`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let limits = GroupCommitMachine.Limits(entries: 10, bytes: 1_000, time: .seconds(60))
    let store = try await SQLiteStore(path: fixture.path, limits: limits)
    let epochs = try await take(4, in: store)
    let before = store.committer.commitCount
    // By count: 1 and 2 together, 3 and 4 by themselves, the last because of its bytes.
    let batches = [
      JournalEntry.some(1...4), JournalEntry.some(1...6), JournalEntry.some(1...30),
      JournalEntry.some(1...1, bytes: 5_000),
    ]
    let errors = await append(batches, epochs: epochs, in: store)
    #expect(errors.allSatisfy { $0 == nil })
    #expect(store.committer.commitCount == before + 3)
  }

  // MARK: Refusals

  @Test func `a write that is refused fails alone`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    try await store.queue.writeWithoutTransaction { db in
      _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 5_000)
    }
    var epochs = try await take(5, in: store)
    epochs[1] -= 1
    let before = store.committer.commitCount
    let errors = await append(
      [
        JournalEntry.some(1...2), JournalEntry.some(1...2),
        JournalEntry.some(1...1) + JournalEntry.some(2...2, bytes: 5_001),
        JournalEntry.some(4...5), JournalEntry.some(1...2),
      ], epochs: epochs, in: store)
    #expect(errors[0] == nil && errors[4] == nil)
    guard case JournalError.fenced(key(1), epoch: 0)? = errors[1] else {
      return #expect(Bool(false), "\(errors)")
    }
    #expect((errors[2] as? TooLarge)?.count == 5_001)
    guard case JournalError.outOfOrder(key(3), expected: 3, last: 0)? = errors[3] else {
      return #expect(Bool(false), "\(errors)")
    }
    #expect(store.committer.commitCount == before + 1)
    var lasts: [Int] = []
    for number in 0..<5 { lasts.append(try await store.extent(of: key(number)).last) }
    #expect(lasts == [2, 0, 0, 0, 2])
  }

  @Test func `a change that throws leaves nothing in the commit that it shares`() async throws {
    struct Refused: Error {}
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let epochs = try await take(1, in: store)
    let writer = HeldWriter(store)
    let change = Task {
      try await store.committer.change { db in
        try db.execute(sql: "UPDATE journal_owner SET epoch = epoch + 100")
        throw Refused()
      }
    }
    await writer.reached(1)
    let append = Task { [key = key(0)] in
      try await store.append(JournalEntry.some(1...1), to: key, epoch: epochs[0])
    }
    await writer.reached(2)
    writer.release()
    await #expect(throws: Refused.self) { try await change.value }
    try await append.value
    #expect(try await store.extent(of: key(0)).last == 1)
  }

  @Test func `a batch is stored though its task is cancelled`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let epochs = try await take(1, in: store)
    let writer = HeldWriter(store)
    let append = Task { [key = key(0)] in
      try await store.append(JournalEntry.some(1...1), to: key, epoch: epochs[0])
    }
    await writer.reached(1)
    append.cancel()
    writer.release()
    try await append.value
    #expect(try await store.extent(of: key(0)).last == 1)
  }

  // MARK: Failures

  @Test func `on a full disk, the batches that fit are stored, and the others fail`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let epochs = try await take(4, in: store)
    try await store.leave(pages: 4)
    let large = JournalEntry.some(1...1, bytes: 100_000)
    let batches = [JournalEntry.some(1...2), large, JournalEntry.some(1...2), large]
    let errors = await append(batches, epochs: epochs, in: store)
    #expect(errors[0] == nil && errors[2] == nil)
    #expect((errors[1] as? DiskFullError)?.path == fixture.path)
    #expect((errors[3] as? DiskFullError)?.path == fixture.path)
    for (number, last) in [2, 0, 2, 0].enumerated() {
      #expect(try await store.extent(of: key(number)).last == last)
    }
    try await store.leave(pages: 1 << 20)
    try await store.append(large, to: key(1), epoch: epochs[1])
    try await store.append(JournalEntry.some(3...3), to: key(2), epoch: epochs[2])
  }

  @Test func `a full disk ends the reactors whose entries do not fit, and names them`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let reports = [Log<String>(), Log<String>()]
    let small = try await journal.open("small") { CartReactor(reports[0]) }
    let large = try await journal.open("large") { CartReactor(reports[1]) }
    try await store.leave(pages: 3)
    let writer = HeldWriter(store)
    let lost = Task { await large.outcome(of: .addAll(Array(1...2_000))) }
    await writer.reached(1)
    let kept = Task { await small.outcome(of: .add(1)) }
    await writer.reached(2)
    writer.release()
    #expect(await kept.value == .finished)
    #expect(await !lost.value.isFinished)
    #expect(reports[0].entries.isEmpty)
    let text = "the store of cart 'large' failed: the disk of '\(fixture.path)' is full"
    #expect(reports[1].entries.contains { $0.contains(text) })
    try await store.leave(pages: 1 << 20)
    await small.send(.add(2)).settled
    #expect(try await small.history?.last == 2)
    await large.stop().settled
    let again = try await journal.open("large") { CartReactor() }
    #expect(await again.currentState.items.isEmpty)
    for cart in [small, again] { await cart.stop().settled }
  }

  @Test func `a commit that does not end is reported once, with since when`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let clock = ManualClock()
    let store = try await SQLiteStore(
      path: fixture.path, limits: .init(), stallLimit: .steps(1), clock: clock)
    let journal = try await Journal(.store(store), options: JournalOptions(snapshotAfter: nil))
    let reports = ReportLog()
    var carts: [CartReactor] = []
    for id in ["1", "2", "3"] {
      carts.append(try await journal.open(id) { CartReactor(problems: reports) })
    }
    // Until the watch that the openings began has ended.
    await clock.advance(past: 1)
    while store.committer.isWatched { await Task.yield() }
    let begun = Date()
    let writer = HeldWriter(store)
    let receipts = carts.map { $0.send(.add(1)) }
    await writer.reached(3)
    for step in 2...5 { await clock.advance(past: step) }
    let stalls = reports.entries.compactMap { report -> Date? in
      guard case .journalStalled(JournalError.stalled(fixture.path, let since)) = report.problem
      else { return nil }
      return since
    }
    #expect(reports.count == 1)
    #expect(stalls.count == 1 && stalls.allSatisfy { $0 >= begun && $0 <= Date() })
    writer.release()
    for receipt in receipts { await receipt.settled }
    #expect(reports.count == 1)
    for cart in carts { await cart.stop().settled }
  }

  // MARK: What does not wait

  @Test func `reads wait for no write, and see what was committed`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let epochs = try await take(1, in: store)
    let key = key(0)
    try await store.append(JournalEntry.some(1...100), to: key, epoch: epochs[0])
    let writer = HeldWriter(store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...50 {
        group.addTask {
          let entries = try await store.entries(of: key, after: 0, limit: .max)
          let extent = try await store.extent(of: key)
          #expect(entries.count == 100 && extent.last == 100)
        }
      }
      try await group.waitForAll()
    }
    writer.release()
  }

  @Test func `a long deletion is several commits`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let epochs = try await take(1, in: store)
    try await store.append(JournalEntry.some(1...3_500), to: key(0), epoch: epochs[0])
    let before = store.committer.commitCount
    try await store.deleteEntries(of: key(0), through: 3_400, epoch: epochs[0])
    #expect(store.committer.commitCount == before + 4)
    #expect(try await store.extent(of: key(0)) == JournalExtent(deleted: 3_400, last: 3_500))
    #expect(try await store.entries(of: key(0), after: 0, limit: .max).count == 100)
  }

  @Test func `many reactors at once keep all of theirs, in order, in fewer commits`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let store = try await SQLiteStore(path: fixture.path)
    let options = JournalOptions(snapshotAfter: .zero, deletesBeforeSnapshot: true)
    let journal = try await Journal(.store(store), options: options)
    let (reactors, each) = (32, TestCounts.rounds(200))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<reactors {
        group.addTask {
          let cart = try await journal.open("\(number)") { CartReactor() }
          for item in 0..<each { await cart.send(.add(number * 1_000 + item)).settled }
          await cart.stop().settled
        }
      }
      try await group.waitForAll()
    }
    #expect(store.committer.commitCount < reactors * each)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<reactors {
        group.addTask {
          let cart = try await journal.open("\(number)") { CartReactor() }
          #expect(await cart.currentState.items == (0..<each).map { number * 1_000 + $0 })
          await cart.stop().settled
        }
      }
      try await group.waitForAll()
    }
  }
}
