import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Subscribers that come, see two elements and go cost in proportion to their number.
@Suite(.bounded) struct SubscriberGrowthTests {
  /// Has so many tasks iterate a sequence each: sends until each has seen two elements, and cancels
  /// them.
  private func crowd<Elements: AsyncSequence & Sendable>(
    of count: Int, at elements: @escaping @Sendable () -> Elements, _ send: () -> Void
  ) async where Elements.Failure == Never {
    let seen = Seen()
    let all = (0..<count).map { _ in elements() }
    await withTaskGroup { group in
      for elements in all {
        group.addTask { for await _ in elements { seen.count.add(1, ordering: .relaxed) } }
      }
      for round in 1...2 {
        await Task.yield()
        send()
        while seen.count.load(ordering: .relaxed) < round * count { await Task.yield() }
      }
      group.cancelAll()
    }
  }

  @Test(arguments: ["every", "newest", "last"])
  func `subscribers of a state`(policy: String) async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = TickReactor()
      let states =
        switch policy {
        case "newest": reactor.state.buffering(.newest)
        case "last": reactor.state.buffering(.last(2) { _ in })
        default: reactor.state
        }
      await crowd(of: count, at: { states }) { reactor.send(1) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of a state that are behind`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = TickReactor()
      let states = reactor.state.buffering(.last(2) { _ in })
      var observers = (0..<count).map { _ in states.makeAsyncIterator() }
      for index in observers.indices { _ = await observers[index].next() }
      for _ in 0..<10 { await reactor.send(1).settled }
      for index in observers.indices { _ = await observers[index].next() }
      while observers.popLast() != nil {}
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of a pulse`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = ProfileReactor()
      let alerts = reactor.state.pulses(of: \.$alert)
      await crowd(of: count, at: { alerts }) { reactor.send(.alert("now")) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of a derived stream`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = TickReactor()
      let derived = reactor.state.derived { $0 }
      await crowd(of: count, at: { derived }) { reactor.send(1) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `derived streams of a state`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = TickReactor()
      await crowd(of: count, at: { reactor.state.derived { $0 } }) { reactor.send(1) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of outputs`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = RoomReactor(0)
      await crowd(of: count, at: { reactor.outputs() }) { reactor.send(.say("yes")) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of a shared state`() async throws {
    let growth = try await Growth.of(250) { count in
      let shared = SharedState(0)
      await crowd(of: count, at: { shared.state }) { shared.change { $0 += 1 } }
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true])
  func `streams of a broadcaster`(choose: Bool) async throws {
    let growth = try await Growth.of(250) { count in
      let events = EventBroadcaster<Int>()
      await crowd(of: count, at: { choose ? events.stream { $0 > 0 } : events.stream() }) {
        events.send(1)
      }
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true])
  func `tasks that wait for the next event of one stream`(cancels: Bool) async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let events = EventBroadcaster<Int>()
      let stream = events.stream()
      await withTaskGroup { group in
        let tasks = (0..<count).map { _ in
          PipelineTasks.inheriting { _ = await stream.next() }
        }
        group.addTask { for task in tasks { await task.value } }
        await Task.yield()
        if cancels {
          for task in tasks.reversed() { task.cancel() }
        } else {
          for event in 0..<count { events.send(event) }
        }
      }
    }
    #expect(growth < Growth.most)
  }

  @Test func `combined states of one reactor`() async throws {
    let growth = try await Growth.of(100) { count in
      let (one, two) = (TickReactor(), TickReactor())
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      await crowd(of: count, at: { combining(one.state, two.state) }) { group.send(1) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions of a group that a combined state has yet to show`() async throws {
    let growth = try await Growth.of(250) { count in
      let (one, two) = (TickReactor(), TickReactor())
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      var states = combining(one.state, two.state).makeAsyncIterator()
      _ = await states.next()
      for _ in 0..<count { group.send(1) }
      while let (sum, _) = await states.next(), sum < count {}
    }
    #expect(growth < Growth.most)
  }
}

/// How many elements have been seen.
private final class Seen: Sendable {
  let count = Atomic(0)
}
