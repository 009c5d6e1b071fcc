import Reactor
import TestLimits
import TestSupport
import Testing

/// What a stream keeps, and for how long.
@Suite(.bounded) struct EventMemoryTests {
  @Test func `an event that has been handed out is released`() async {
    let events = EventBroadcaster<Token>()
    let stream = events.stream()
    let released = Log<Int>()
    for number in 1...3 { events.send(Token(number, released)) }
    _ = await stream.next()
    #expect(released.entries == [1])
    _ = await stream.next()
    #expect(released.entries == [1, 2])
  }

  @Test func `an event is buffered until the slowest stream has read it, and no longer`() async {
    let events = EventBroadcaster<Token>()
    let (fast, slow) = (events.stream(), events.stream())
    let released = Log<Int>()
    for number in 1...2 { events.send(Token(number, released)) }
    for _ in 1...2 { _ = await fast.next() }
    #expect(released.entries == [])
    _ = await slow.next()
    #expect(released.entries == [1])
    _ = await slow.next()
    #expect(released.entries == [1, 2])
  }

  @Test func `an event that no stream includes is not buffered`() async {
    let events = EventBroadcaster<Token>()
    let released = Log<Int>()
    let few = (0..<10).map { _ in events.stream { _ in false } }
    events.send(Token(1, released))
    #expect(released.entries == [1])
    let many = (0..<100).map { _ in events.stream { _ in false } }
    events.send(Token(2, released))
    #expect(await released.entries(upTo: 2) == [1, 2])
    withExtendedLifetime((few, many)) {}
  }

  @Test func `many events that will not be read are released`() async {
    let events = EventBroadcaster<Int>()
    var stream: EventStream<Int>? = events.stream()
    for event in 0..<TestCounts.rounds(1_000_000) { events.send(event) }
    #expect(await stream?.next() == 0)
    stream = nil
    stream = events.stream()
    events.send(7)
    #expect(await stream?.next() == 7)
  }

  @Test func `an event whose release sends another causes no deadlock`() async {
    let (events, other) = (EventBroadcaster<Token>(), Log<Int>())
    let stream = events.stream()
    for number in 1...2 {
      events.send(Token(number, other) { [weak events] in events?.send(Token(7, other)) })
    }
    for _ in 1...2 { _ = await stream.next() }
    #expect(other.entries == [1, 2])
  }
}

/// Reports when it is released.
private final class Token: Sendable {
  private let number: Int
  private let released: Log<Int>
  private let leaving: @Sendable () -> Void

  init(_ number: Int, _ released: Log<Int>, leaving: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.released = released
    self.leaving = leaving
  }

  deinit {
    leaving()
    released.append(number)
  }
}
