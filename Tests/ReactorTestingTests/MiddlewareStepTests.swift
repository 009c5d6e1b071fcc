import Reactor
import ReactorTesting
import Testing
import TestLimits

private actor StrictReactor: Reactor {
  typealias Action = Int
  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline(through: [
    ActionStage(for: Int.self) { $0 < 0 ? .drop(DropReason("negative")) : .pass }
  ])

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

@Suite(.bounded) struct MiddlewareStepTests {
  @Test func `an action that the middleware drops changes nothing, and is reported`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(StrictReactor(), in: simulation)
      await test.send(2) { $0 = 2 }
      await test.sendRefused(-1, because: .middleware)
      await test.send(1) { $0 = 3 }
      await test.finish()
    }
  }
}
