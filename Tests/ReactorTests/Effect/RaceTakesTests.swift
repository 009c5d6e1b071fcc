import Reactor
import TestLimits
import TestSupport
import Testing

/// What the loser of a race has taken from a stream, and nothing came of.
@Suite(.bounded) struct RaceTakesTests {
  private let left = EventBroadcaster<Int>()
  private let right = EventBroadcaster<Int>()
  /// Opens when the first side is to end.
  private let end = Gate()
  /// The second side comes here when it has taken an event, and goes on when it is cancelled.
  private let hold = Gate()

  /// Has the second side take, begins nothing else before it has, and lets it lose then.
  private func lose<Success: Sendable>(
    to winner: Success, _ side: @escaping @Sendable () async throws -> Success,
    meanwhile: () async -> Void = {}
  ) async throws {
    let end = end
    async let result = race {
      await end.pass()
      return winner
    } or: {
      try await side()
    }
    await hold.reached()
    await meanwhile()
    end.open()
    _ = try await result
  }

  @Test func `where both sides find an event, the loser's stays in its stream`() async throws {
    let (a, b) = (left.stream(), right.stream())
    left.send(1)
    for event in 2...3 { right.send(event) }
    let winner = try await race {
      await a.next()
    } or: {
      await b.next()
    }
    #expect(winner == 1)
    right.finish()
    #expect(await b.collected() == [2, 3])
  }

  @Test func `so does an event that the losing side transforms`() async throws {
    let (a, b) = (left.stream(), right.stream())
    left.send(1)
    right.send(2)
    let isLeft = try await race {
      await a.next() != nil
    } or: {
      await b.next() == nil
    }
    #expect(isLeft)
    right.finish()
    #expect(await b.collected() == [2])
  }

  @Test func `so does an event of a losing side that waits with a time limit`() async throws {
    let (a, b) = (left.stream(), right.stream())
    left.send(1)
    right.send(2)
    let winner = try await race {
      await a.next()
    } or: {
      await b.next(within: .seconds(1), clock: StoppedClock())
    }
    #expect(winner == 1)
    right.finish()
    #expect(await b.collected() == [2])
  }

  @Test func `of two events that reach an effect, one wins and the other one stays`() async {
    for _ in 0..<TestCounts.rounds(1000) {
      let listens = Gate()
      let reactor = ScriptedReactor { reactor, action in
        guard action == 0 else { return .empty }
        return .run { emit in
          let odd = reactor.actions { !$0.isMultiple(of: 2) }
          let even = reactor.actions { $0.isMultiple(of: 2) }
          listens.open()
          for _ in 0..<2 {
            let winner = try await race {
              await odd.next()
            } or: {
              await even.next()
            }
            await emit(winner ?? 0)
          }
        }
      }
      let races = reactor.send(0)
      await listens.pass()
      await reactor.turn { reactor in
        reactor.send(1)
        reactor.send(2)
      }
      await races.settled
      #expect(await Set(reactor.currentState) == [1, 2])
    }
  }

  @Test func `of many events on many threads none is lost, and each comes in order`() async throws {
    let count = TestCounts.rounds(10_000)
    let (a, b) = (left.stream(), right.stream())
    async let sending: Void = sendOnTwoThreads(count)
    var seen: [Int] = []
    while let event = try await race({ await a.next() }, or: { await b.next() }) {
      seen.append(event)
    }
    await sending
    seen += await a.collected()
    seen += await b.collected()
    let isWhole = seen.filter { $0 >= 0 } == Array(0..<count)
    let isOtherWhole = seen.filter { $0 < 0 } == (0..<count).map { -1 - $0 }
    #expect(isWhole && isOtherWhole, "\(seen.count) of \(2 * count) events came")
  }

  @Test func `no event is lost with several readers of the same streams`() async throws {
    let count = TestCounts.rounds(10_000)
    let (a, b) = (left.stream(), right.stream())
    async let sending: Void = sendOnTwoThreads(count)
    var seen = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var seen: [Int] = []
          while let event = try await race({ await a.next() }, or: { await b.next() }) {
            seen.append(event)
          }
          return seen
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    await sending
    seen += await a.collected()
    seen += await b.collected()
    let isWhole = seen.sorted() == Array(-count..<count)
    #expect(isWhole, "\(seen.count) of \(2 * count) events came")
  }

  private func sendOnTwoThreads(_ count: Int) async {
    async let first: Void = send(count, by: left) { $0 }
    async let second: Void = send(count, by: right) { -1 - $0 }
    _ = await (first, second)
  }

  private func send(
    _ count: Int, by events: EventBroadcaster<Int>, _ event: @Sendable (Int) -> Int
  ) async {
    for number in 0..<count {
      events.send(event(number))
      if number.isMultiple(of: 3) { await Task.yield() }
    }
    events.finish()
  }

  // MARK: What goes back

  @Test func `an event that the loser returns is put back, before those sent since`()
    async throws
  {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: nil) {
      let event = await b.next()
      try? await hold.wait()
      return event
    } meanwhile: {
      right.send(3)
    }
    right.finish()
    #expect(await b.collected() == [2, 3])
  }

  @Test func `an event inside a returned value is put back`() async throws {
    enum Found { case nothing, event(Int?, from: String) }
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: Found.nothing) {
      let event = await b.next()
      try? await hold.wait()
      return Found.event(event, from: "right")
    }
    right.finish()
    #expect(await b.collected() == [2])
  }

  @Test func `an event in a struct that the loser returns is put back`() async throws {
    struct Found { let event: Int? }
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: Found(event: nil)) {
      let event = await b.next()
      try? await hold.wait()
      return Found(event: event)
    }
    right.finish()
    #expect(await b.collected() == [2])
  }

  @Test func `an event that the loser got by a race of its own is put back`() async throws {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: nil) {
      let event = try await race {
        await b.next()
      } or: {
        try await Gate().wait()
        return nil
      }
      try? await hold.wait()
      return event
    }
    right.finish()
    #expect(await b.collected() == [2])
  }

  @Test func `an event that is put back resumes a task that waits for one`() async throws {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    var waiting: Task<Int?, Never>?
    try await lose(to: nil) {
      let event = await b.next()
      try? await hold.wait()
      return event
    } meanwhile: {
      waiting = Task.immediate { await b.next() }
    }
    #expect(await waiting?.value == 2)
  }

  @Test(arguments: [(true, 3), (false, 2)])
  func `an event that is put back counts as if it had not been read`(keepsNewest: Bool, kept: Int)
    async throws
  {
    let stream = right.stream()
    let (b, hold) = (
      keepsNewest ? stream.buffering(last: 1) : stream.buffering(first: 1), hold
    )
    right.send(2)
    try await lose(to: nil) {
      let event = await b.next()
      try? await hold.wait()
      return event
    } meanwhile: {
      right.send(3)
    }
    right.finish()
    #expect(await b.collected() == [kept])
    #expect(b.droppedCount == 1)
  }

  // MARK: What does not

  @Test func `an event that the loser has read and not returned stays taken`() async throws {
    let (b, hold, seen) = (right.stream(), hold, Log<Int>())
    for event in 2...3 { right.send(event) }
    hold.open()
    try await lose(to: nil) {
      for await event in b {
        seen.append(event)
        if event == 3 { await hold.pass() }
      }
      return Int?.none
    }
    right.send(4)
    right.finish()
    #expect(await b.collected() == [4])
    #expect(seen.entries == [2, 3])
  }

  @Test func `a value that the loser returns and did not read is not put back`() async throws {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: false) {
      let event = await b.next()
      try? await hold.wait()
      return event == 2
    }
    right.finish()
    #expect(await b.collected() == [])
  }

  @Test func `a value that the loser computes is not put back, even of the same type`() async throws
  {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: nil) {
      let event = await b.next()
      try? await hold.wait()
      return event.map { $0 + 1 }
    }
    right.finish()
    #expect(await b.collected() == [])
  }

  @Test func `an event that a losing side has read before it throws stays taken`() async throws {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: nil) {
      let event = await b.next()
      try? await hold.wait()
      try Task.checkCancellation()
      return event
    }
    right.finish()
    #expect(await b.collected() == [])
  }

  @Test func `an event that the loser returns in an array stays taken`() async throws {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    try await lose(to: [Int]()) {
      let event = await b.next()
      try? await hold.wait()
      return event.map { [$0] } ?? []
    }
    right.finish()
    #expect(await b.collected() == [])
  }

  @Test func `an event that the winner returns belongs to the caller`() async throws {
    let (b, hold) = (right.stream(), hold)
    right.send(2)
    let winner = try await race {
      try await hold.wait()
      return Int?.none
    } or: {
      await b.next()
    }
    right.finish()
    #expect(winner == 2)
    #expect(await b.collected() == [])
  }

  @Test func `a task that a side has created reads on after the race`() async throws {
    let (b, seen) = (right.stream(), Log<Int>())
    let reading = try await race {
      Task { for await event in b { seen.append(event) } }
    } or: {
      try await Gate().wait()
      return Task {}
    }
    right.send(2)
    right.finish()
    await reading.value
    #expect(seen.entries == [2])
  }
}
