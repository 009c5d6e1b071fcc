import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// The end of one key's reactor: `stop` cancels if requested, `drain` completes all work.
@Suite(.bounded) struct RegistryOneKeyTests {
  private let instances = InstanceCounter()
  private let gate = Gate()

  /// A registry in which the reactor of a key has an effect that waits at the gate.
  private func rooms(waiting id: Int) async throws -> ReactorRegistry<Int, RoomReactor> {
    let rooms = ReactorRegistry<Int, RoomReactor>(idle: nil) { [instances] in
      RoomReactor($0, instances)
    }
    try await rooms[id].send(.wait(gate))
    await gate.reached()
    return rooms
  }

  @Test func `draining a key completes what has begun`() async throws {
    let rooms = try await rooms(waiting: 1)
    let counts = Log<Int>()
    let watching = Task { for try await state in rooms[1].state { counts.append(state.count) } }
    _ = await counts.entries(upTo: 1)
    let draining = Task.immediate { await rooms.drain(1) }
    gate.open()
    #expect(await draining.value.isEmpty)
    _ = await watching.result
    #expect(counts.entries == [0, 100])
    #expect(rooms.count == 0)
  }

  @Test func `after draining a key, its next use creates another reactor`() async throws {
    let rooms = try await rooms(waiting: 1)
    gate.open()
    await rooms.drain(1)
    #expect(try await rooms[1].ask { .count($0) } == 0)
    #expect(instances.made == 2 && instances.problems == [])
  }

  @Test func `a drain that is cancelled cuts short what has not ended, and returns it`()
    async throws
  {
    let rooms = try await rooms(waiting: 1)
    let identity = try await rooms.with(1) { $0.identity }
    let draining = Task.immediate { await rooms.drain(1) }
    draining.cancel()
    let abandoned = await draining.value
    #expect(abandoned.map(\.reactor) == [identity])
    #expect(abandoned.map(\.key) == ["1"])
    #expect(abandoned.first?.actions.map(\.number.rawValue) == [0])
    #expect(try await rooms[1].ask { .count($0) } == 0)
    #expect(instances.problems == [])
  }

  @Test func `stopping a key by cancelling waits for nothing`() async throws {
    let rooms = try await rooms(waiting: 1)
    await rooms.stop(1, .cancel)
    #expect(rooms.count == 0 && !gate.isOpen)
  }

  @Test func `a key without a reactor has nothing to drain`() async {
    let rooms = ReactorRegistry<Int, RoomReactor>(idle: nil) { RoomReactor($0) }
    #expect(await rooms.drain(1).isEmpty)
    #expect(rooms.count == 0)
  }
}
