import Foundation
import JournalFixture
import Reactor
import ReactorJournal
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// A process that is killed in the middle: what it acknowledged is there, and nothing was shown
/// that is not.
@Suite(.serialized, .bounded(minutes: 10)) struct KillTests {
  @Test func `nothing acknowledged is lost over twenty kills`() async throws {
    let kills = TestCounts.kills
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    var random = SplitMix64(seed: 18)
    var acknowledged: [Int: Int] = [:]
    for kill in 1...kills {
      let session = try PipedSession("JournalFixture", arguments: [fixture.path])
      let opened = try #require(await session.nextLine())
      let before = acknowledged.values.reduce(0) { $0 + $1 + 1 }
      #expect(try #require(Int(opened.split(separator: " ")[1])) >= before, "kill \(kill)")
      for _ in 0..<random.below(200) { note(try await session.nextLine(), in: &acknowledged) }
      session.signal(SIGKILL)
      var seen = 0
      for line in try await session.remainingLines() {
        if line.hasPrefix("seen "), let count = Int(line.dropFirst(5)) { seen = count }
        note(line, in: &acknowledged)
      }
      _ = await session.waitForExit()
      try await check(fixture.path, acknowledged, seen, kill)
    }
    #expect(!acknowledged.isEmpty)
  }

  /// A line may have been cut in the middle by the kill; such a one says nothing.
  private func note(_ line: String?, in acknowledged: inout [Int: Int]) {
    let words = line?.split(separator: " ") ?? []
    guard words.count == 3, words[0] == "ack", let sender = Int(words[1]),
      let number = Int(words[2])
    else { return }
    acknowledged[sender] = max(number, acknowledged[sender] ?? 0)
  }

  private func check(
    _ path: String, _ acknowledged: [Int: Int], _ seen: Int, _ kill: Int
  ) async throws {
    let journal = try await Journal(.sqlite(at: path))
    let tally = try await journal.open("1") { TallyReactor() }
    let state = await tally.currentState
    for (sender, numbers) in state {
      // Each exactly once, in order.
      #expect(numbers == Array(0..<numbers.count), "kill \(kill), sender \(sender)")
    }
    for (sender, number) in acknowledged {
      #expect((state[sender]?.count ?? 0) > number, "kill \(kill), sender \(sender)")
    }
    #expect(TallyReactor.count(state) >= seen, "kill \(kill)")
    await tally.stop().settled
  }

  // MARK: Shared commits

  @Test
  func `over kills in the middle of shared commits, each of 64 reactors keeps what is its own`()
    async throws
  {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    var random = SplitMix64(seed: 45)
    var acknowledged: [Int: Int] = [:]
    for kill in 1...TestCounts.kills {
      let session = try PipedSession("JournalFixture", arguments: [fixture.path, "many"])
      let opened = try #require(await session.nextLine())
      #expect(opened.hasPrefix("opened "), "kill \(kill): \(opened)")
      // Another process takes one of the journals away, while the others are written.
      let fenced = random.below(64)
      var lost: Set<Int> = []
      for _ in 0..<random.below(1_000) {
        note(try await session.nextLine(), in: &acknowledged, &lost)
      }
      try await SQLiteFile(fixture.path).execute(
        "UPDATE journal_owner SET epoch = epoch + 1 WHERE name = 'triple' AND id = '\(fenced)'")
      for _ in 0..<random.below(1_000) {
        note(try await session.nextLine(), in: &acknowledged, &lost)
      }
      session.signal(SIGKILL)
      for line in try await session.remainingLines() { note(line, in: &acknowledged, &lost) }
      _ = await session.waitForExit()
      #expect(lost.isSubset(of: [fenced]), "kill \(kill)")
      try await checkMany(fixture.path, acknowledged, kill)
    }
    #expect(acknowledged.count == 64)
  }

  private func note(
    _ line: String?, in acknowledged: inout [Int: Int], _ lost: inout Set<Int>
  ) {
    note(line, in: &acknowledged)
    if let line, line.hasPrefix("lost "), let reactor = Int(line.dropFirst(5)) {
      lost.insert(reactor)
    }
  }

  private func checkMany(_ path: String, _ acknowledged: [Int: Int], _ kill: Int) async throws {
    let journal = try await Journal(.sqlite(at: path))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<64 {
        group.addTask {
          let reactor = try await journal.open("\(id)") { TripleReactor() }
          let state = await reactor.currentState
          #expect(state.reactor == nil || state.reactor == id, "kill \(kill), \(id)")
          #expect(!state.isBroken, "kill \(kill), \(id)")
          #expect(state.count.isMultiple(of: 3), "kill \(kill), \(id)")
          #expect(state.count / 3 >= acknowledged[id] ?? 0, "kill \(kill), \(id)")
          await reactor.stop().settled
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a second process is refused, until the first is gone`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let first = try PipedSession("JournalFixture", arguments: [fixture.path, "hold"])
    #expect(try await first.nextLine() == "opened 0")
    let second = try PipedSession("JournalFixture", arguments: [fixture.path, "hold"])
    #expect(
      try await second.nextLine()
        == "error the journal of tally '1' is open already, in this process or another: end that "
        + "one first")
    first.signal(SIGKILL)
    _ = await first.waitForExit()
    let third = try PipedSession("JournalFixture", arguments: [fixture.path, "hold"])
    #expect(try await third.nextLine() == "opened 0")
  }
}
