import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct HookChannelTests {
  private final class Passenger: PendingMutationSource {
    let number: UInt64 = 0
    let isCancelled: Bool
    init(isCancelled: Bool) { self.isCancelled = isCancelled }
  }

  private let passed = Log<UInt64>()
  private let claimedAgain = Log<Int>()

  private func makeChannel() -> HookChannel<String> {
    HookChannel(
      passedOn: { [passed] in passed.append($0) },
      claimedAgain: { [claimedAgain] in claimedAgain.append(0) })
  }

  @Test func `elements are delivered in order, each passed on when the next is requested`() async {
    let channel = makeChannel()
    channel.push("a", ticket: .action(0))
    channel.push("b", ticket: .action(1))
    #expect(await channel.next() == "a")
    #expect(passed.entries == [])
    #expect(channel.currentAction == 0)
    #expect(await channel.next() == "b")
    #expect(passed.entries == [0])
    channel.push("c", ticket: .action(2))
    #expect(await channel.next() == "c")
    #expect(passed.entries == [0, 1])
  }

  @Test func `more than 512 elements keep their order`() async {
    let channel = makeChannel()
    for number in 0..<2000 { channel.push("\(number)", ticket: .action(UInt64(number))) }
    for number in 0..<2000 { #expect(await channel.next() == "\(number)") }
  }

  @Test func `code that a skipped element resumes may read the channel`() async {
    let channel = makeChannel()
    let counts = Log<Int>()
    let latch = Latch { counts.append(channel.count) }
    channel.push("a", ticket: .mutation(latch, of: Passenger(isCancelled: true)))
    channel.push("b", ticket: .action(1))
    #expect(await channel.next() == "b")
    #expect(counts.entries == [0])
  }

  @Test func `an element that the hook has read is released, although others wait`() async {
    let channel = HookChannel<Weight>(passedOn: { _ in }, claimedAgain: {})
    weak let first = channel.pushed(0)
    channel.pushed(1)
    _ = await channel.next()
    #expect(first == nil)
  }

  @Test func `an element that was read is released, although the next one is withdrawn`() async {
    let channel = HookChannel<Weight>(passedOn: { _ in }, claimedAgain: {})
    weak let first = channel.pushed(0)
    channel.pushed(1)
    _ = await channel.next()
    channel.withdraw(1)
    #expect(first == nil)
    #expect(channel.count == 0)
  }

  @Test func `a consumer that waits is given the element`() async {
    let channel = makeChannel()
    async let element = channel.next()
    channel.push("a", ticket: .action(0))
    #expect(await element == "a")
    #expect(channel.currentAction == 0)
  }

  @Test func `after a second finish, a turn's dropped mutation is still known`() async {
    let channel = makeChannel()
    await withUnsafeContinuation { turn in
      channel.push("a", ticket: .turn(Resumption(turn)))
      _ = channel.finish()
      _ = channel.finish()
    }
    #expect(channel.hasDroppedTurn)
  }

  @Test func `only the hook's own task has the context of the element it has read`() async {
    let context = ActionContext.none
    let channel = makeChannel()
    channel.push("a", ticket: .action(0, in: context))
    channel.push("b", ticket: .action(1, in: context))
    #expect(await channel.next() == "a")
    #expect(channel.currentContext == nil)
    channel.begin()
    #expect(await channel.next() == "b")
    #expect(channel.currentContext != nil)
    channel.end()
  }

  @Test func `finish ends it, returns what was not read, and uses every ticket`() async {
    let channel = makeChannel()
    for number in 0..<3 { channel.push("\(number)", ticket: .action(UInt64(number))) }
    #expect(await channel.next() == "0")
    #expect(channel.finish().map(\.element) == ["1", "2"])
    #expect(passed.entries == [0, 1, 2])
    #expect(await channel.next() == nil)
    #expect(channel.isFinished)
    #expect(channel.finish().isEmpty)
  }

  @Test func `an element that is pushed after the end has its ticket used at once`() async {
    let channel = makeChannel()
    _ = channel.finish()
    let latch = Latch()
    channel.push("a", ticket: .mutation(latch, of: nil))
    await latch.wait()
    channel.push("b", ticket: .action(4))
    #expect(passed.entries == [4])
  }

  @Test func `a cancelled effect's mutation is skipped, and its emitter goes on`() async {
    let channel = makeChannel()
    let latch = Latch()
    channel.push("a", ticket: .mutation(latch, of: Passenger(isCancelled: true)))
    channel.push("b", ticket: .mutation(Latch(), of: Passenger(isCancelled: false)))
    #expect(await channel.next() == "b")
    await latch.wait()
  }

  @Test func `a mutation's emitter resumes when the next element is requested`() async {
    let channel = makeChannel()
    let latch = Latch()
    channel.push("a", ticket: .mutation(latch, of: nil))
    channel.push("b", ticket: .action(1))
    #expect(await channel.next() == "a")
    #expect(await channel.next() == "b")
    await latch.wait()
  }

  @Test func `a consumer that is cancelled gets the end; the next one gets the element`() async {
    let channel = makeChannel()
    let consumer = Task { await channel.next() }
    consumer.cancel()
    #expect(await consumer.value == nil)
    channel.push("a", ticket: .action(0))
    #expect(await channel.next() == "a")
  }

  @Test func `the first iterator gets the elements, the second nothing`() async {
    let channel = makeChannel()
    channel.push("a", ticket: .action(0))
    var first = HookIterator(claiming: channel)
    var second = HookIterator(claiming: channel)
    #expect(claimedAgain.count == 1)
    #expect(await second.next() == nil)
    #expect(await first.next() == "a")
  }
}

/// Something whose end can be seen.
private final class Weight: Sendable {}

extension HookChannel<Weight> {
  /// - Returns: What was pushed.
  @discardableResult
  fileprivate func pushed(_ number: UInt64) -> Weight {
    let weight = Weight()
    push(weight, ticket: .action(number))
    return weight
  }
}
