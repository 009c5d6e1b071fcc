import Reactor
import TestSupport
import Testing

/// What a stream keeps, and for how long.
@Suite(.timeLimit(.minutes(5))) struct EventMemoryTests {
  @Test func `an event that has been handed out is let go`() async {
    let events = EventBroadcaster<Token>()
    let stream = events.stream()
    let gone = Log<Int>()
    for number in 1...3 { events.send(Token(number, gone)) }
    _ = await stream.next()
    #expect(gone.entries == [1])
    _ = await stream.next()
    #expect(gone.entries == [1, 2])
  }

  @Test func `an event that sends another while it is let go does not stand in its own way`() async
  {
    let (events, other) = (EventBroadcaster<Token>(), Log<Int>())
    let stream = events.stream()
    for number in 1...2 {
      events.send(Token(number, other) { [weak events] in events?.send(Token(7, other)) })
    }
    for _ in 1...2 { _ = await stream.next() }
    #expect(other.entries == [1, 2])
  }
}

/// Says when it is gone.
private final class Token: Sendable {
  private let number: Int
  private let gone: Log<Int>
  private let leaving: @Sendable () -> Void

  init(_ number: Int, _ gone: Log<Int>, leaving: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.gone = gone
    self.leaving = leaving
  }

  deinit {
    leaving()
    gone.append(number)
  }
}
