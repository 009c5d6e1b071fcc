import Reactor
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// Telling many is left to a task, which takes part in a simulation.
@Suite(.bounded) struct SimulatedCrowdTests {
  private func order(seed: UInt64) async throws -> [Int] {
    let order = Order()
    try await simulate(seeds: [seed]) { _ in
      let events = EventBroadcaster<Int>()
      await withTaskGroup(of: Void.self) { group in
        for listener in 0..<100 {
          let stream = events.stream()
          group.addTask {
            for await event in stream {
              order.heard.withLock { $0.append(listener * 10 + event) }
            }
          }
        }
        for event in 0..<5 {
          events.send(event)
          await Task.yield()
        }
        events.finish()
      }
    }
    return order.heard.withLock { $0 }
  }

  @Test func `many subscribers receive events in an order that the seed decides`() async throws {
    let (first, again, other) = try await (order(seed: 1), order(seed: 1), order(seed: 2))
    #expect(first.count == 500)
    #expect(first == again)
    #expect(first != other)
    for listener in 0..<100 {
      #expect(first.filter { $0 / 10 == listener }.map { $0 % 10 } == Array(0..<5))
    }
  }

  @Test func `many reactors that merge a broadcaster agree`() async throws {
    try await simulate(seeds: 1...10) { _ in
      let events = EventBroadcaster<Int>()
      let rooms = (0..<100).map { _ in Room(events) }
      for room in rooms { await room.send(0).settled }
      for event in 1...3 { events.send(event) }
      for room in rooms { #expect(await room.state.first { $0.count == 4 } == [0, 1, 2, 3]) }
    }
  }
}

private final class Order: Sendable {
  let heard = Mutex<[Int]>([])
}

private actor Room: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()
  private let events: EventBroadcaster<Int>

  init(_ events: EventBroadcaster<Int>) { self.events = events }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.merging(events.stream())
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
