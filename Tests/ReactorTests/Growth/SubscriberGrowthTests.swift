import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Subscribers that come, see two elements and go cost in proportion to their number.
@Suite(.bounded) struct SubscriberGrowthTests {
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
      await Growth.runSubscribers(of: count, at: { states }) { reactor.send(1) }
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
      await Growth.runSubscribers(of: count, at: { alerts }) { reactor.send(.alert("now")) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of a derived stream`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = TickReactor()
      let derived = reactor.state.derived { $0 }
      await Growth.runSubscribers(of: count, at: { derived }) { reactor.send(1) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `derived streams of a state`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = TickReactor()
      await Growth.runSubscribers(of: count, at: { reactor.state.derived { $0 } }) {
        reactor.send(1)
      }
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true])
  func `subscribers that wait for a relay, each for a step of its own`(cancels: Bool) async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let progress = RelayProgress()
      let tasks = (1...count).map { version in
        let mark = progress.mark(UInt64(version))
        return PipelineTasks.inheriting { _ = await mark.passed() }
      }
      await Task.yield()
      if cancels {
        for task in tasks.reversed() { task.cancel() }
      } else {
        for version in 1...count { progress.pass(UInt64(version), shown: UInt64(version)) }
      }
      for task in tasks { await task.value }
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of outputs`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = SayingReactor()
      await Growth.runSubscribers(of: count, at: { reactor.outputs() }) { reactor.send("yes") }
    }
    #expect(growth < Growth.most)
  }

  @Test func `subscribers of a shared state`() async throws {
    let growth = try await Growth.of(250) { count in
      let shared = SharedState(0)
      await Growth.runSubscribers(of: count, at: { shared.state }) { shared.change { $0 += 1 } }
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true])
  func `streams of a broadcaster`(choose: Bool) async throws {
    let growth = try await Growth.of(250) { count in
      let events = EventBroadcaster<Int>()
      await Growth.runSubscribers(
        of: count, at: { choose ? events.stream { $0 > 0 } : events.stream() }
      ) {
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
}

/// Puts out what it is sent.
private actor SayingReactor: Reactor {
  typealias Action = String
  typealias Mutation = Never
  typealias Output = String

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: String) -> MutationStream<Never> {
    output(action)
    return .empty
  }

  func reduce(state: inout Int, mutation: Never) {}
}
