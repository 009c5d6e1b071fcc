import Reactor
import TestLimits
import TestSupport
import Testing

/// A task that is on the right executor stays there: no thread is woken without work.
@Suite(.bounded) struct HopTests {
  @Test func `an observer that receives states that are ready stays on its executor`() async {
    let reactor = MainReactor()
    let executor = ManualExecutor()
    let reader = Reader(executor)
    let isDone = Log<Int>()
    let running = Task { await executor.run { isDone.count > 0 } }
    let jobs = Task { await reader.jobsToRead(200, of: reactor) }
    await reader.isReady.pass()
    for number in 1...100 { await reactor.send(number).settled }
    reader.mayRead.open()
    #expect(await jobs.value == 0)
    isDone.append(0)
    executor.wake()
    await running.value
  }
}

/// An observer and a reactor on the main actor's executor.
@MainActor @Suite(.bounded) struct HopOnMainTests {
  @Test func `what an observer waits for runs before other jobs that wait`() async {
    let reactor = MainReactor()
    let log = Log<String>()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    reactor.send(1)
    let other = Task { log.append("other") }
    #expect(await states.next() == [1])
    #expect(await states.next() == [1, 2])
    log.append("seen")
    await other.value
    #expect(log.entries == ["seen", "other"])
  }

  @Test func `an observer that never waits yields now and then`() async {
    let reactor = MainReactor()
    let stop = Gate()
    var states = reactor.state.makeAsyncIterator()
    _ = await states.next()
    let other = Task { stop.open() }
    // Would never end if it kept the executor.
    while !stop.isOpen {
      reactor.send(1)
      _ = await states.next()
      _ = await states.next()
    }
    await other.value
    #expect(await reactor.currentState.count.isMultiple(of: 2))
  }

  @Test func `an effect that observes its own reactor does not overtake the turn it is in`() async {
    let reactor = SelfObservingReactor()
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1, 10, 2])
  }
}

/// Sends to itself from an effect that then observes, on the main actor's executor.
private actor SelfObservingReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  nonisolated let initialState: [Int] = []
  nonisolated let pipeline = Pipeline()
  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  func mutate(action: Int) -> MutationStream<Int> {
    guard action == 1 else { return .just(action) }
    return .merge(
      .run { emit in
        await emit(1)
        self.send(2)
        var states = self.state.makeAsyncIterator()
        while let state = await states.next(), !state.contains(2) {}
      },
      .just(10))
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

/// Reads states on an executor that counts what runs there.
private actor Reader {
  nonisolated let executor: ManualExecutor
  nonisolated let isReady = Gate()
  nonisolated let mayRead = Gate()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: ManualExecutor) { self.executor = executor }

  /// How many jobs of this actor it takes to read so many states that are there already.
  func jobsToRead(_ count: Int, of reactor: MainReactor) async -> Int {
    var states = reactor.state.makeAsyncIterator()
    _ = await states.next()
    isReady.open()
    await mayRead.pass()
    let before = executor.runs
    for _ in 0..<count { _ = await states.next() }
    return executor.runs - before
  }
}
