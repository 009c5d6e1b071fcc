import Reactor
import TestLimits
import TestSupport
import Testing

/// The steps of a mutation: what has emitted it, and which state it has made.
@Suite(.bounded) struct ObserverMutationTests {
  private let log = StepLog()

  private var transitions: [StateTransition] {
    log.steps.compactMap { if case .reduced(let transition) = $0.kind { transition } else { nil } }
  }

  @Test func `a reduced step has the effect that emitted it, if there is one`() async {
    let reactor = ScriptedReactor { _, action in
      switch action {
      case 1: .just(10)
      case 2:
        .merge(
          .run { emit in
            await emit(20)
            await emit(21)
          }, .run { emit in await emit(22) })
      default: .run { emit in await emit(30) }
      }
    }
    reactor.addObserver(log)
    for action in 1...3 { await reactor.send(action).settled }
    #expect(transitions.map { $0.mutation as? Int } == [10, 20, 21, 22, 30])
    #expect(transitions.map(\.effect) == [nil, 1, 1, 2, 3])
  }

  @Test func `so it has if the effect runs off the actor, and has suspended`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      guard action == 1 else { return .just(action) }
      return .run { emit in
        await gate.pass()
        await emit(10)
      }
    }
    reactor.addObserver(log)
    let waiting = reactor.send(1)
    await reactor.send(2).settled
    gate.open()
    await waiting.settled
    #expect(transitions.map(\.effect) == [nil, 1])
  }

  @Test func `so it has behind a hook that passes mutations on`() async {
    let reactor = HookedMutations()
    reactor.addObserver(log)
    await reactor.send(1).settled
    await reactor.send(2).settled
    #expect(transitions.map { $0.mutation as? Int } == [10, 11, 2])
    #expect(transitions.map(\.effect) == [1, 1, nil])
  }

  @Test func `each reduced step has the next version of the state`() async throws {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    for action in 1...5 { await reactor.send(action).settled }
    let versions = transitions.map(\.version)
    let first = try #require(versions.first)
    #expect(versions == (0..<5).map { first + $0 })
  }
}

/// The first action has an effect that emits two, any other is its own mutation; a hook passes
/// them on.
private actor HookedMutations: Reactor, MutationTransforming {
  typealias Action = Int
  typealias Mutation = Int
  let initialState: [Int] = []
  let pipeline = Pipeline()

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func mutate(action: Int) -> MutationStream<Int> {
    guard action == 1 else { return .just(action) }
    return .run { emit in
      await emit(10)
      await emit(11)
    }
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
