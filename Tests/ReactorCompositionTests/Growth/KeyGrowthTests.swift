import ReactorComposition
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Children and the keys of a registry, and tasks that wait for one, cost in proportion to their
/// number.
@Suite(.bounded) struct KeyGrowthTests {
  @Test func `children that come and go`() async throws {
    let growth = try await Growth.of(100) { count in
      let reactor = NurseryReactor()
      await reactor.send(.have(Array(0..<count))).settled
      for id in 0..<count { reactor.children[id]?.send(1) }
      await reactor.send(.have([])).settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `children that drain with their parent`() async throws {
    let growth = try await Growth.of(100) { count in
      let reactor = NurseryReactor()
      await reactor.send(.have(Array(0..<count))).settled
      await reactor.stop(.drain).settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `keys that are created, used and stopped`() async throws {
    let growth = try await Growth.of(100) { count in
      let rooms = ReactorRegistry<Int, RoomReactor>(idle: .seconds(100)) { RoomReactor($0) }
      for id in 0..<count { try await rooms[id].send(.add(1)) }
      await rooms.broadcast(.add(1)).settled
      for id in (0..<count).reversed() { await rooms.drain(id) }
    }
    #expect(growth < Growth.most)
  }

  @Test func `keys that are idle`() async throws {
    let growth = try await Growth.of(100) { count in
      let instances = InstanceCounter()
      let rooms = ReactorRegistry<Int, RoomReactor>(idle: .milliseconds(1)) {
        RoomReactor($0, instances)
      }
      for id in 0..<count { try await rooms[id].send(.add(1)) }
      _ = await instances.ends.entries(upTo: count)
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true])
  func `tasks that wait for one key`(cancels: Bool) async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let gate = Gate()
      let rooms = ReactorRegistry<Int, RoomReactor>(idle: nil) { id in
        await gate.pass()
        return RoomReactor(id)
      }
      let tasks = (0..<count).map { _ in
        PipelineTasks.inheriting { try? await rooms[0].send(.add(1)) }
      }
      await Task.yield()
      await gate.reached()
      if cancels { for task in tasks.reversed() { task.cancel() } }
      gate.open()
      for task in tasks { await task.value }
    }
    #expect(growth < Growth.most)
  }

  @Test func `keys that the creation of one waits for`() async throws {
    let growth = try await Growth.of(250) { count in
      let gate = Gate()
      let rooms = ReactorRegistry<Int, RoomReactor>(idle: nil) { id in
        await gate.pass()
        return RoomReactor(id)
      }
      let houses = ReactorRegistry<Int, RoomReactor>(idle: nil) { id in
        try await withThrowingTaskGroup { group in
          for id in 0..<count { group.addTask { try await rooms[id].send(.add(1)) } }
          try await group.waitForAll()
        }
        return RoomReactor(id)
      }
      async let house: Void = houses[0].send(.add(1))
      await gate.reached(by: count)
      gate.open()
      try await house
    }
    #expect(growth < Growth.most)
  }
}

/// Has the children whose keys are sent.
actor NurseryReactor: Reactor {
  enum Action { case have([Int]), touch }
  struct State {
    var ids: [Int] = []
    var touches = 0
  }

  let initialState = State()
  let pipeline = Pipeline()
  nonisolated let children: ReactorChildren<Int, TickReactor>

  init() { children = pipeline.children(\.ids) { _, _ in TickReactor() } }

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .have(let ids): state.ids = ids
    case .touch: state.touches += 1
    }
  }
}
