import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct EventBufferingTests {
  @Test func `a stream that buffers the newest drops the oldest, and counts them`() async {
    let events = EventBroadcaster<Int>()
    let stream = events.stream().buffering(last: 2)
    for event in 1...5 { events.send(event) }
    #expect(stream.droppedCount == 3)
    events.finish()
    #expect(await stream.collected() == [4, 5])
    #expect(stream.droppedCount == 3)
  }

  @Test func `a stream that buffers the oldest drops the newest, and counts them`() async {
    let events = EventBroadcaster<Int>()
    let stream = events.stream().buffering(first: 2)
    for event in 1...5 { events.send(event) }
    #expect(stream.droppedCount == 3)
    #expect(await stream.next() == 1)
    events.send(6)
    events.finish()
    #expect(await stream.collected() == [2, 6])
  }

  @Test func `events buffered before the limit count as if sent after it`() async {
    let events = EventBroadcaster<Int>()
    let (last, first) = (events.stream(), events.stream())
    for event in 1...5 { events.send(event) }
    events.finish()
    #expect(last.buffering(last: 2).droppedCount == 3)
    #expect(first.buffering(first: 1).droppedCount == 4)
    #expect(await last.collected() == [4, 5])
    #expect(await first.collected() == [1])
  }

  @Test func `a smaller limit drops what a larger one has buffered`() async {
    let events = EventBroadcaster<Int>()
    let last = events.stream().buffering(last: 4)
    let first = events.stream().buffering(last: 4)
    for event in 1...5 { events.send(event) }
    #expect(last.buffering(last: 1).droppedCount == 4)
    #expect(first.buffering(first: 1).droppedCount == 4)
    events.finish()
    #expect(await last.collected() == [5])
    #expect(await first.collected() == [2])
  }

  @Test func `a task that waits gets the event, and none is dropped`() async {
    let events = EventBroadcaster<Int>()
    let stream = events.stream().buffering(last: 1)
    for event in 1...20 {
      let next = Task.immediate { await stream.next() }
      events.send(event)
      #expect(await next.value == event)
    }
    #expect(stream.droppedCount == 0)
  }

  @Test func `only events that the filter passes count`() async {
    let events = EventBroadcaster<Int>()
    let stream = events.stream { $0.isMultiple(of: 2) }.buffering(last: 2)
    for event in 1...10 { events.send(event) }
    events.finish()
    #expect(stream.droppedCount == 3)
    #expect(await stream.collected() == [8, 10])
  }

  @Test func `without a limit again, no further event is dropped`() async {
    let events = EventBroadcaster<Int>()
    let stream = events.stream().buffering(last: 1)
    for event in 1...3 { events.send(event) }
    _ = stream.buffering(last: .max)
    for event in 4...6 { events.send(event) }
    events.finish()
    #expect(stream.droppedCount == 2)
    #expect(await stream.collected() == [3, 4, 5, 6])
  }

  @Test func `streams without a limit have every event`() async {
    let events = EventBroadcaster<Int>()
    let (all, few) = (events.stream(), events.stream().buffering(last: 1))
    for event in 1...4 { events.send(event) }
    events.finish()
    #expect(await all.collected() == [1, 2, 3, 4])
    #expect(await few.collected() == [4])
  }

  @Test func `a stream of a reactor's actions can be limited`() async {
    let reactor = ScriptedReactor()
    let actions = reactor.actions().buffering(last: 3)
    for action in 0..<10 { reactor.send(action) }
    await reactor.stop(.drain).settled
    #expect(actions.droppedCount == 7)
    #expect(await actions.collected() == [7, 8, 9])
  }

  @Test func `each of many streams has the last event, and counts those it dropped`() async {
    let events = EventBroadcaster<Int>()
    let streams = (0..<200).map { _ in events.stream().buffering(last: 2) }
    for event in 0..<50 { events.send(event) }
    events.finish()
    for stream in streams {
      let seen = await stream.collected()
      #expect(seen.last == 49)
      #expect(seen == seen.sorted())
      #expect(seen.count + stream.droppedCount == 50)
    }
  }

  @Test func `a dropped event is released`() async {
    final class Token: Sendable {}
    let events = EventBroadcaster<Token>()
    let stream = events.stream().buffering(last: 1)
    weak var first: Token?
    do {
      let token = Token()
      first = token
      events.send(token)
    }
    #expect(first != nil)
    events.send(Token())
    #expect(first == nil)
    withExtendedLifetime(stream) {}
  }
}
