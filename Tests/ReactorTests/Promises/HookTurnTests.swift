import Reactor
import TestLimits
import TestSupport
import Testing

/// Turns behind `transform(mutation:)`.
@Suite(.bounded) struct HookTurnTests {
  /// A reactor that writes down, in order, what becomes of an action: `m` in `mutate`, `h` in the
  /// hook.
  private func makeReactor(
    _ log: Log<String>,
    _ script: @escaping MutationHookedReactor.Script = MutationHookedReactor.echo
  ) -> MutationHookedReactor {
    MutationHookedReactor { _, mutation in
      Erased(
        mutation.map { number in
          log.append("h\(number)")
          return number
        })
    } _: { reactor, action in
      log.append("m\(action)")
      return script(reactor, action)
    }
  }

  @Test func `of many actions none is lost, and each is in its order`() async {
    let count = TestCounts.rounds(5_000)
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing)
    await reactor.sendAll(1...count).last?.settled
    #expect(await reactor.currentState == Array(1...count))
  }

  @Test func `an action is taken only when the last one's mutation has been passed on`() async {
    let log = Log<String>()
    let reactor = makeReactor(log) { reactor, action in
      log.append("\(reactor.currentState)")
      return .just(action)
    }
    await reactor.sendAll(1...3).last?.settled
    #expect(log.entries == ["m1", "[]", "h1", "m2", "[1]", "h2", "m3", "[1, 2]", "h3"])
  }

  @Test func `the turn waits for a hook that suspends elsewhere`() async {
    let log = Log<String>()
    let gates = (0...3).map { _ in Gate() }
    let reactor = MutationHookedReactor { _, mutation in
      Erased(
        mutation.map { number in
          await gates[number].pass()
          return number
        })
    } _: { _, action in
      log.append("m\(action)")
      return .just(action)
    }
    let receipts = await reactor.sendAll(1...3)
    for number in 1...3 {
      await gates[number].reached()
      #expect(log.entries == (1...number).map { "m\($0)" })
      gates[number].open()
      await receipts[number - 1].settled
    }
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `every kind of work keeps its place among the others`() async {
    let log = Log<String>()
    let reactor = makeReactor(log) { reactor, action in
      switch action % 5 {
      case 0: .empty
      case 1: .just(action)
      case 2: .of(action, -action)
      case 3:
        .run { emit in
          reactor.assertIsolated()
          await emit(action)
          await emit(-action)
        }
      default: .run { emit in await emit(action) }
      }
    }
    await reactor.sendAll(0..<200).last?.settled
    let expected = (0..<200).flatMap { action in
      switch action % 5 {
      case 0: [Int]()
      case 2, 3: [action, -action]
      default: [action]
      }
    }
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == expected)
    #expect(log.entries.filter { $0.hasPrefix("m") } == (0..<200).map { "m\($0)" })
  }

  @Test func `a long burst needs no deeper stack than one action`() async {
    let count = TestCounts.rounds(5_000)
    let reactor = CountingHookedReactor()
    await reactor.sendAll(count)
    #expect(await reactor.currentState == count)
  }

  @Test func `a reactor on the main actor passes the hook as well`() async {
    let reactor = MainHookedReactor()
    await reactor.sendAll(200)
    #expect(await reactor.currentState == 200)
  }

  @Test func `a hook that iterates its input in a task of its own is served by the drain`() async {
    let inMutate = Log<Int?>()
    let reactor = MutationHookedReactor { _, mutation in
      let (shaped, continuation) = AsyncStream<Int>.makeStream()
      Task {
        for await number in mutation { continuation.yield(number * 10) }
        continuation.finish()
      }
      return Erased(shaped)
    } _: { _, action in
      inMutate.append(currentTask)
      return .just(action)
    }
    await reactor.sendAll(1...50).last?.settled
    #expect(await reactor.state.first { $0.count == 50 } == (1...50).map { $0 * 10 })
    #expect(Set(inMutate.entries).count == 1)
  }

  @Test func `a reactor that is no longer referenced is released after a burst`() async {
    var reactor: MutationHookedReactor? = MutationHookedReactor(
      hook: MutationHookedReactor.passing)
    await reactor?.sendAll(1...100).last?.settled
    let released = reactor?.released
    reactor = nil
    await released?.pass()
  }
}

/// Which task runs now, to compare.
private var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

/// Counts, behind a hook that changes nothing.
private actor CountingHookedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  /// Returns when so many actions, sent in one go, have been taken.
  func sendAll(_ count: Int) async {
    for _ in 1..<count { send(1) }
    await send(1).settled
  }
}

/// The same on the main actor's executor.
private actor MainHookedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func reduce(state: inout Int, mutation: Int) {
    MainActor.preconditionIsolated()
    state += mutation
  }

  /// Returns when so many actions, sent in one go, have been taken.
  func sendAll(_ count: Int) async {
    for _ in 1..<count { send(1) }
    await send(1).settled
  }
}
