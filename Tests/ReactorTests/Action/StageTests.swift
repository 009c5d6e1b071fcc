import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct StageTests {
  @Test func `a stage changes, drops or repeats an action, or adds to its mutations`()
    async
  {
    let reactor = ScriptedReactor()
    await reactor.addStage { _, action, mutate in
      switch action {
      case 0: .empty
      case 1: mutate(10)
      case 2: .concat(mutate(2), mutate(2))
      default: .concat(.just(-1), mutate(action))
      }
    }
    for action in 0...3 { await reactor.send(action).settled }
    #expect(await reactor.currentState == [10, 2, 2, -1, 3])
  }

  @Test func `an action that a stage drops has finished`() async {
    let reactor = ScriptedReactor()
    await reactor.addStage { _, _, _ in .empty }
    guard case .finished = await reactor.outcome(of: 1) else {
      Issue.record("it has not finished")
      return
    }
  }

  @Test func `the stage that was added first runs first`() async {
    let reactor = ScriptedReactor()
    await reactor.addStage { _, action, mutate in mutate(action * 10) }
    await reactor.addStage { _, action, mutate in mutate(action + 1) }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [11])
  }

  @Test func `a stage reads the state, and runs on the reactor`() async {
    let reactor = ScriptedReactor()
    await reactor.addStage { reactor, action, mutate in
      reactor.preconditionIsolated()
      return reactor.currentState.contains(action) ? .empty : mutate(action)
    }
    for action in [1, 2, 1, 3, 2] { reactor.send(action) }
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == [1, 2, 3])
  }

  @Test func `a stage that is removed does not run again, and is released`() async {
    let reactor = ScriptedReactor()
    weak var token: Token?
    let stage = await {
      let made = Token()
      token = made
      return await reactor.addStage { _, action, mutate in
        withExtendedLifetime(made) { mutate(action * 10) }
      }
    }()
    await reactor.send(1).settled
    stage.remove()
    stage.remove()
    await reactor.send(2).settled
    #expect(await reactor.currentState == [10, 2])
    #expect(token == nil)
  }

  @Test func `stages are added and removed while eight threads send`() async {
    let reactor = ScriptedReactor()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 {
            let stage = await reactor.addStage { _, action, mutate in mutate(action + 1) }
            await reactor.send(0).settled
            stage.remove()
          }
        }
      }
    }
    let state = await reactor.currentState
    #expect(state.count == 4_000)
    #expect(state.allSatisfy { (1...8).contains($0) })
    await reactor.send(0).settled
    #expect(await reactor.currentState.last == 0)
  }

  @Test func `a stage stays through a restart`() async {
    let reactor = ScriptedReactor()
    await reactor.addStage { _, action, mutate in mutate(-action) }
    await reactor.restart()
    await reactor.send(1).settled
    #expect(await reactor.currentState == [-1])
  }

  @Test func `stages run behind hooks and in a lane as well`() async {
    let reactor = HookedAndLanedReactor()
    await reactor.addStage { _, action, mutate in mutate(action * 10) }
    for action in 1...3 { await reactor.send(action).settled }
    #expect(await reactor.currentState == [10, 20, 30])
  }

  private final class Token: Sendable {}
}

/// Every hook there is, each letting pass what comes, and a lane.
private actor HookedAndLanedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()

  func lane(for action: Int) -> Lane { .sequential("all") }

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func mutate(action: Int) -> MutationStream<Int> { .run { emit in await emit(action) } }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
