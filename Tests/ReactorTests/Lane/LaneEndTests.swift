import Reactor
import TestLimits
import TestSupport
import Testing

/// Where an effect ends that was evicted from its lane, or has none.
@Suite(.bounded) struct LaneEndTests {
  private actor Search: Reactor {
    nonisolated let initialState = 0
    nonisolated let pipeline = Pipeline()
    nonisolated let executor = ManualExecutor()
    nonisolated let gate = Gate()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func lane(for action: Int) -> Lane? { action < 0 ? nil : .latest("search") }

    func mutate(action: Int) -> MutationStream<Int> {
      guard action != 0 else { return .empty }
      guard action > 0 else { return .run { [gate] _ in await gate.pass() } }
      return .run { [gate] emit in
        await gate.pass()
        await emit(action)
      }
    }

    func reduce(state: inout Int, mutation: Int) { state = mutation }

    nonisolated func report(_ report: ReactorReport) {}
  }

  // In a process of its own: while others simulate, jobs come in another number.
  @Test func `an evicted effect ends without a job of its reactor`() async {
    await #expect(processExitsWith: .success) {
      await LaneEndTests().end(10, before: 0, as: "evicted(search)")
    }
  }

  @Test func `an effect in no lane finishes without a job of its reactor`() async {
    await #expect(processExitsWith: .success) { await LaneEndTests().end(-1, as: "finished") }
  }

  @Test func `a cancelled effect in no lane ends without a job of its reactor`() async {
    await #expect(processExitsWith: .success) {
      await LaneEndTests().end(-1, before: nil, isCancelled: true, as: "cancelled")
    }
  }

  /// Has an effect end while no thread works for its reactor.
  private func end(
    _ action: Int, before next: Int? = nil, isCancelled: Bool = false, as outcome: String
  ) async {
    let (search, news) = (Search(), Log<String>())
    let executor = search.executor
    let first = search.send(action)
    let ending = Task.immediate { news.append(await first.outcome.text) }
    // The turn, and the task that begins to wait.
    var runs = 2
    await executor.run { executor.runs == 2 }
    await search.gate.reached()
    if let next {
      search.send(next)
      runs += 1
      await executor.run { executor.runs == 3 }
    }
    if isCancelled {
      // It asks for a job, in which the reactor looks at what was cancelled.
      first.cancel()
      runs += 1
    }
    let coming = Task { [runs] in
      await executor.arrivals(upTo: runs + 1)
      news.append("came to the reactor")
    }
    search.gate.open()
    let heard = await news.entries(upTo: 1)[0]
    precondition(heard == outcome, heard)
    executor.wake()
    _ = await (ending.value, coming.value)
  }

  // In a process of its own: others observe all reactors.
  @Test func `an effect that was observed when it began ends on its reactor`() async {
    await #expect(processExitsWith: .success) { await LaneEndTests().finishObserved() }
  }

  private struct Idle: ReactorObserver {
    var needs: ObserverNeeds { .actions }
    func observe(_ step: ReactorStep) {}
  }

  private func finishObserved() async {
    let (search, news) = (Search(), Log<String>())
    let executor = search.executor
    let registration = search.addObserver(Idle())
    let first = search.send(-1)
    let ending = Task.immediate { news.append(await first.outcome.text) }
    let working = Task { await executor.run { Task.isCancelled } }
    await search.gate.reached()
    // Then the turn of the first is over, too.
    await search.send(0).settled
    working.cancel()
    executor.wake()
    await working.value
    registration.remove()
    let before = executor.arrivals
    let coming = Task {
      await executor.arrivals(upTo: before + 1)
      news.append("came to the reactor")
      await executor.run { Task.isCancelled }
    }
    search.gate.open()
    let heard = await news.entries(upTo: 1)[0]
    precondition(heard == "came to the reactor", heard)
    await ending.value
    coming.cancel()
    executor.wake()
    await coming.value
  }

  @Test func `an effect that ends as it is cancelled has one outcome`() async {
    for _ in 0..<200 { await endAndCancel() }
  }

  private func endAndCancel() async {
    let search = Search()
    let receipt = search.send(-1)
    let working = Task { [executor = search.executor] in
      await executor.run { Task.isCancelled }
    }
    await search.gate.reached()
    let cancelling = Task.detached { receipt.cancel() }
    search.gate.open()
    await cancelling.value
    let outcome = await receipt.outcome.text
    #expect(["finished", "cancelled"].contains(outcome))
    #expect(await receipt.outcome.text == outcome)
    working.cancel()
    search.executor.wake()
    await working.value
  }

  @Test func `an effect that was cancelled before it was evicted has been cancelled`() async {
    let search = Search()
    let working = Task { [executor = search.executor] in
      await executor.run { Task.isCancelled }
    }
    let first = search.send(10)
    await search.gate.reached()
    first.cancel()
    let second = search.send(11)
    await search.gate.reached(by: 2)
    search.gate.open()
    #expect(await first.outcome.text == "cancelled")
    #expect(await second.outcome.text == "finished")
    working.cancel()
    search.executor.wake()
    await working.value
  }
}
