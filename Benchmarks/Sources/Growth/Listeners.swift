import Reactor

/// A screen as the documentation writes it: it takes in what a service tells everybody.
actor Screen: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let events: EventBroadcaster<Int>

  init(_ events: EventBroadcaster<Int>) { self.events = events }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.merging(events.stream())
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

extension Growth {
  @Sendable
  static func listeners() async {
    for count in [1000, 2000, 8000, 16_000, 100_000] {
      await streams(count)
      await screens(count)
    }
  }

  /// Streams that nobody asks.
  private static func streams(_ count: Int) async {
    let events = EventBroadcaster<Int>()
    var start = ContinuousClock.now
    var streams = (0..<count).map { _ in events.stream() }
    tell("listeners, a stream opened", count, (ContinuousClock.now - start).each(count))
    start = .now
    for event in 0..<10 { events.send(event) }
    tell("listeners, an event sent, nobody waits", count, (ContinuousClock.now - start).each(10))
    withExtendedLifetime(streams) { start = .now }
    streams = []
    tell("listeners, a stream closed", count, (ContinuousClock.now - start).each(count))
  }

  private static func screens(_ count: Int) async {
    let events = EventBroadcaster<Int>()
    let start = ContinuousClock.now
    var screens: [Screen] = []
    for _ in 0..<count {
      let screen = Screen(events)
      await screen.send(1).settled
      screens.append(screen)
    }
    tell("listeners, a reactor made and used", count, (ContinuousClock.now - start).each(count))
    // Each has to be waiting: it is, once it has had an event and its job is over.
    events.send(1)
    for screen in screens { _ = await screen.state.first { $0 >= 2 } }
    try? await Task.sleep(for: .milliseconds(500))
    let sending = ContinuousClock.now
    events.send(1)
    let sent = ContinuousClock.now
    for screen in screens { _ = await screen.state.first { $0 >= 3 } }
    tell("listeners, an event sent, all wait", count, (sent - sending).each(1))
    tell("listeners, an event seen by all", count, (ContinuousClock.now - sending).each(1))
  }
}
