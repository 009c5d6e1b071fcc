import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// What is on its way to a task that is cancelled.
@Suite(.bounded) struct CancelledReaderTests {
  /// Each round catches the task at another moment.
  private let rounds = TestCounts.rounds(1000)

  @Test(arguments: [false, true])
  func `an event stays in the stream, before those that came after it`(isFiltered: Bool) async {
    for _ in 0..<rounds {
      let events = EventBroadcaster<Int>()
      let stream = isFiltered ? events.stream { $0 > 0 } : events.stream()
      let read = await Reader().read(from: stream) {
        for event in 1...2 { events.send(event) }
      }
      #expect(read == nil)
      events.finish()
      #expect(await stream.collected() == [1, 2])
    }
  }

  @Test(arguments: [false, true])
  func `the events of two cancelled tasks are put back in the order sent`(
    isFiltered: Bool
  ) async {
    let events = EventBroadcaster<Int>()
    let stream = isFiltered ? events.stream { $0 > 0 } : events.stream()
    let read = await Reader().readByTwoTasks(from: stream) {
      for event in 1...3 { events.send(event) }
    }
    #expect(read == [nil, nil])
    events.finish()
    #expect(await stream.collected() == [1, 2, 3])
  }

  @Test func `an event goes to the next task that waits for one`() async {
    for _ in 0..<rounds {
      let events = EventBroadcaster<Int>()
      let stream = events.stream()
      let next = Guarded<Task<Int?, Never>?>(nil)
      let read = await Reader().read(from: stream) {
        events.send(1)
        next.withLock { $0 = Task { await stream.next() } }
      }
      #expect(read == nil)
      #expect(await next.withLock { $0 }?.value == 1)
    }
  }
}

private actor Reader {
  /// Has an event sent to a task that reads, and cancels it before it can go on.
  func read(from stream: EventStream<Int>, _ send: @Sendable () -> Void) async -> Int? {
    let task = Task { await take(from: stream) }
    // Mostly it waits for the event by then.
    for _ in 0..<20 { await Task.yield() }
    send()
    task.cancel()
    return await task.value
  }

  /// Has events sent to two tasks that wait, and cancels both before either can go on.
  func readByTwoTasks(
    from stream: EventStream<Int>, _ send: @Sendable () -> Void
  ) async -> [Int?] {
    // Each waits for an event once it has begun.
    let one = Task.immediate { await self.take(from: stream) }
    let two = Task.immediate { await self.take(from: stream) }
    send()
    one.cancel()
    two.cancel()
    return [await one.value, await two.value]
  }

  private func take(from stream: EventStream<Int>) async -> Int? { await stream.next() }
}
