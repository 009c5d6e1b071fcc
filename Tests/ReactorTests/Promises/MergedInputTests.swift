import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct MergedInputTests {
  private let events = EventBroadcaster<Int>()

  /// A reactor that takes in what `events` has.
  private func merging() -> MutationHookedReactor {
    MutationHookedReactor { [events] _, mutation in
      Erased(mutation.merging(events.stream()))
    }
  }

  @Test func `mutations are emitted or come from another sequence`() async {
    let reactor = merging()
    await reactor.send(1).settled
    events.send(2)
    _ = await reactor.state.first { $0 == [1, 2] }
    await reactor.send(3).settled
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `actions are sent or come from another sequence`() async {
    let reactor = ActionHookedReactor { [events] _, action in
      Erased(action.merging(events.stream()))
    }
    await reactor.send(1).settled
    events.send(2)
    _ = await reactor.state.first { $0 == [1, 2] }
    await reactor.send(3).settled
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `each source keeps its order`() async {
    let reactor = merging()
    await reactor.send(-1).settled
    for event in 1...100 {
      events.send(event)
      reactor.send(-1 - event)
    }
    let state = await reactor.state.first { $0.count == 201 } ?? []
    #expect(state.filter { $0 > 0 } == Array(1...100))
    #expect(state.filter { $0 < 0 } == Array((-101)...(-1)).reversed())
  }

  @Test func `several sequences are merged by a chain`() async {
    let more = EventBroadcaster<Int>()
    let reactor = MutationHookedReactor { [events] _, mutation in
      Erased(mutation.merging(events.stream()).merging(more.stream()))
    }
    await reactor.send(1).settled
    events.send(2)
    _ = await reactor.state.first { $0 == [1, 2] }
    more.send(3)
    #expect(await reactor.state.first { $0.count == 3 } == [1, 2, 3])
  }

  @Test func `a sequence that ends does not end the others`() async {
    let reactor = MutationHookedReactor { _, mutation in
      Erased(mutation.merging([7, 8].async))
    }
    await reactor.send(1).settled
    _ = await reactor.state.first { $0.count == 3 }
    await reactor.send(2).settled
    #expect(await reactor.currentState.count == 4)
    #expect(reactor.reports.problems == [])
  }

  @Test func `the hook ends with the reactor, though its sequences go on`() async {
    let reactor = merging()
    await reactor.send(1).settled
    await reactor.stop().settled
    events.send(2)
    #expect(await reactor.currentState == [1])
    #expect(reactor.reports.problems == [])
  }

  @Test func `the other sequence is released when the reactor is`() async throws {
    let released = Gate()
    do {
      let reactor = MutationHookedReactor { _, mutation in
        let other = AsyncStream<Int> { $0.onTermination = { _ in released.open() } }
        return Erased(mutation.merging(other))
      }
      await reactor.send(1).settled
    }
    try await released.wait()
  }

  @Test func `the next element is requested once the hook has passed the last one on`() async {
    let asked = Log<Int>()
    let held = Gate()
    let reactor = MutationHookedReactor { _, mutation in
      let other = [1, 2].async.map { element in
        asked.append(element)
        return element
      }
      let slow = mutation.merging(other).map { element in
        try? await held.wait()
        return element
      }
      return Erased(slow)
    }
    reactor.send(0)
    #expect(await asked.entries(upTo: 1) == [1])
    held.open()
    _ = await reactor.state.first { $0.count == 3 }
    #expect(asked.entries == [1, 2])
  }

  @Test func `what is not read at the end is released, unreported`() async throws {
    let asked = Gate()
    let held = Gate()
    let reactor = MutationHookedReactor { _, mutation in
      let other = [1].async.map { element in
        asked.open()
        return element
      }
      let slow = mutation.merging(other).map { element in
        try? await held.wait()
        return element
      }
      return Erased(slow)
    }
    reactor.send(0)
    try await asked.wait()
    reactor.stop()
    let ended = reactor.stop()
    held.open()
    await ended.settled
    #expect(!reactor.reports.problems.contains("mutationDropped(1)"))
  }

  @Test func `a second iterator gets nothing, and starts nothing`() async {
    let asked = Log<Int>()
    let reactor = MutationHookedReactor { _, mutation in
      let merged = mutation.merging(
        [1].async.map { element in
          asked.append(element)
          return element
        })
      return Erased(chain(merged, merged))
    }
    await reactor.send(5).settled
    _ = await reactor.state.first { $0.count == 2 }
    await reactor.stop().settled
    #expect(asked.entries == [1])
  }

  @Test func `a restart merges again`() async {
    let reactor = merging()
    await reactor.send(1).settled
    await reactor.stop().settled
    await reactor.restart()
    await reactor.send(2).settled
    events.send(3)
    #expect(await reactor.state.first { $0.count == 3 } == [1, 2, 3])
  }
}
