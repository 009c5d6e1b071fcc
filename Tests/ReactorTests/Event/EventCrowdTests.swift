import Reactor
import TestLimits
import TestSupport
import Testing

/// Many streams of the same events: none pays for another, and a sender pays for few.
@Suite(.bounded) struct EventCrowdTests {
  private let events = EventBroadcaster<Int>()

  /// Streams that a task each waits at.
  private func waiting(
    _ count: Int, _ body: @escaping @Sendable (EventStream<Int>) async -> [Int]
  ) -> [Task<[Int], Never>] {
    (0..<count).map { _ in
      let stream = events.stream()
      // It runs here until it waits.
      return Task.immediate { await body(stream) }
    }
  }

  @Test func `events are delivered while many streams open and close`() async {
    let half = TestCounts.rounds(50_000)
    var streams = (0..<2 * half).map { _ in events.stream() }
    events.send(1)
    streams.removeSubrange(..<half)
    for event in 2...100 { events.send(event) }
    #expect(await streams[0].next() == 1)
    #expect(await streams[half - 1].next() == 1)
    #expect(await streams[half - 1].next() == 2)
  }

  @Test func `many reactors that merge a broadcaster receive its event`() async {
    let listeners = (0..<TestCounts.rounds(16_000)).map { _ in Listener(events) }
    for listener in listeners { #expect(await listener.currentState == 0) }
    events.send(7)
    for listener in listeners { #expect(await listener.state.first { $0 != 0 } == 7) }
  }

  @Test func `of many filters, a sender calls only a few itself`() async {
    let asked = Log<Bool>()
    let streams = (0..<1000).map { _ in
      events.stream { _ in
        asked.append(Sender.isCurrent)
        return true
      }
    }
    Sender.$isCurrent.withValue(true) { events.send(1) }
    for stream in streams { #expect(await stream.next() == 1) }
    #expect(asked.count == 1000)
    #expect(asked.entries.count { $0 } <= 64)
  }

  @Test func `of few filters, a sender calls each itself`() {
    let asked = Log<Bool>()
    let streams = (0..<10).map { _ in
      events.stream { _ in
        asked.append(Sender.isCurrent)
        return true
      }
    }
    Sender.$isCurrent.withValue(true) { events.send(1) }
    #expect(asked.entries == Array(repeating: true, count: 10))
    withExtendedLifetime(streams) {}
  }

  @Test func `a sender does not go on delivering what others send meanwhile`() async {
    let (asked, events) = (Log<Bool>(), events)
    let stream = events.stream { event in
      asked.append(Sender.isCurrent)
      // What another task would do at this very moment.
      if event < 5000 { events.send(event + 1) }
      return true
    }
    Sender.$isCurrent.withValue(true) { events.send(1) }
    for event in 1...5000 { #expect(await stream.next() == event) }
    #expect(asked.count == 5000)
    #expect(asked.entries.count { $0 } <= 1024)
  }

  @Test func `each of many streams has every event, in the order sent`() async {
    let tasks = waiting(300) { await $0.collected() }
    for event in 1...100 { events.send(event) }
    events.finish()
    for task in tasks { #expect(await task.value == Array(1...100)) }
  }

  @Test func `each of many filtered streams has its events, in the order sent`() async {
    let streams = (0..<300).map { number in events.stream { $0 % 300 == number } }
    for event in 0..<900 { events.send(event) }
    events.finish()
    for (number, stream) in streams.enumerated() {
      #expect(await stream.collected() == [number, number + 300, number + 600])
    }
  }

  @Test func `events of several senders reach each of many streams in the same order`() async {
    let tasks = waiting(100) { await $0.collected() }
    let events = events
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask { for number in 0..<50 { events.send(sender * 1000 + number) } }
      }
    }
    events.finish()
    let first = await tasks[0].value
    #expect(first.count == 200)
    for task in tasks { #expect(await task.value == first) }
  }

  @Test func `finishing ends every stream that is waited for`() async {
    let tasks = waiting(300) { await $0.collected() }
    events.finish()
    for task in tasks { #expect(await task.value == []) }
  }

  @Test func `a task that was cancelled removes no event from its stream`() async {
    let streams = (0..<300).map { _ in events.stream() }
    let tasks = streams.map { stream in Task.immediate { await stream.next() } }
    for task in tasks { task.cancel() }
    events.send(1)
    for (stream, task) in zip(streams, tasks) {
      guard await task.value == nil else { continue }
      #expect(await stream.next() == 1)
    }
  }

  @Test func `tasks that share one of many streams are served in the order they waited`() async {
    let others = waiting(100) { await $0.collected() }
    let stream = events.stream()
    let tasks = (0..<3).map { _ in Task.immediate { await stream.next() } }
    for event in 1...4 { events.send(event) }
    for (index, task) in tasks.enumerated() { #expect(await task.value == index + 1) }
    #expect(await stream.next() == 4)
    events.finish()
    for other in others { #expect(await other.value == [1, 2, 3, 4]) }
  }

  @Test func `a stream has nothing that was sent before it was opened`() async {
    let tasks = waiting(300) { await $0.collected() }
    events.send(1)
    let (late, choosy) = (events.stream(), events.stream { $0 > 0 })
    events.send(2)
    events.finish()
    #expect(await late.collected() == [2])
    #expect(await choosy.collected() == [2])
    for task in tasks { #expect(await task.value == [1, 2]) }
  }

  @Test func `an effect's own action is not a later one, with many streams open`() async {
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .empty }
      return .run { emit in
        let (all, chosen) = (reactor.actions(), reactor.actions { $0 < 10 })
        await emit(await all.next() ?? 0)
        await emit(await chosen.next() ?? 0)
      }
    }
    let streams = (0..<100).map { _ in reactor.actions() }
    let receipt = reactor.send(1)
    reactor.send(7)
    await receipt.settled
    #expect(await reactor.currentState == [7, 7])
    for stream in streams {
      #expect(await stream.next() == 1)
      #expect(await stream.next() == 7)
    }
  }

  @Test func `streams that open and close take no event from those that remain`() async {
    let events = events
    let streams = (0..<100).map { number in
      number % 2 == 0 ? events.stream() : events.stream { _ in true }
    }
    await withTaskGroup(of: Void.self) { group in
      for kind in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            let own = (0..<10).map { _ in kind == 0 ? events.stream() : events.stream { $0 > 50 } }
            let tasks = own.map { stream in Task.immediate { await stream.next() } }
            if kind == 2 { for task in tasks { task.cancel() } }
          }
        }
      }
      group.addTask { for event in 1...200 { events.send(event) } }
      await group.waitForAll()
    }
    events.finish()
    for stream in streams { #expect(await stream.collected() == Array(1...200)) }
  }
}

/// Whether the current task is sending.
private enum Sender {
  @TaskLocal static var isCurrent = false
}

/// Merges a broadcaster, as the documentation has it.
private actor Listener: Reactor, MutationTransforming {
  typealias Action = Never
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  let events: EventBroadcaster<Int>

  init(_ events: EventBroadcaster<Int>) { self.events = events }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.merging(events.stream())
  }

  func mutate(action: Never) -> MutationStream<Int> {}
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}
