import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor
@testable import ReactorComposition

/// One reactor for each key.
@Suite(.bounded) struct ReactorRegistryTests {
  private let instances = InstanceCounter()
  private let clock = ManualClock()

  private func registry(
    idle: Duration? = .steps(10), _ creation: Gate? = nil, fails: Log<Int>? = nil
  ) -> ReactorRegistry<Int, RoomReactor> {
    ReactorRegistry(idle: idle, clock: clock) { [instances] id in
      if let creation { try await creation.wait() }
      if let fails {
        fails.append(id)
        if fails.count == 1 { throw Failure(number: id) }
      }
      return RoomReactor(id, instances)
    }
  }

  // MARK: Making

  @Test func `a reactor is created at its first use, and once`() async throws {
    let rooms = registry()
    #expect(rooms.ids.isEmpty && rooms.count == 0)
    try await rooms[7].send(.add(1))
    #expect(try await rooms[7].ask { .count($0) } == 1)
    let id = try await rooms.with(7) { $0.id }
    #expect(id == 7 && rooms.ids == [7] && instances.made == 1)
  }

  @Test func `concurrent uses share one creation`() async throws {
    let creation = Gate()
    let rooms = registry(creation)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await rooms[1].send(.add(1)) } }
      await creation.reached()
      creation.open()
      try await group.waitForAll()
    }
    #expect(instances.made == 1)
    #expect(try await rooms[1].ask { .count($0) } == 20)
  }

  @Test func `cancelling one use does not cancel the creation for the others`() async throws {
    let creation = Gate()
    let rooms = registry(creation)
    let first = Task.immediate { try await rooms[1].send(.add(1)) }
    let second = Task.immediate { try await rooms[1].ask { .count($0) } }
    await creation.reached()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    creation.open()
    #expect(try await second.value == 0)
    #expect(instances.made == 1)
  }

  @Test func `a creation that fails fails for all that share it; the next use tries again`()
    async
    throws
  {
    let (creation, fails) = (Gate(), Log<Int>())
    let rooms = registry(creation, fails: fails)
    let asking = (0..<5).map { _ in Task.immediate { try await rooms[3].send(.add(1)) } }
    await creation.reached()
    creation.open()
    for ask in asking {
      await #expect(throws: Failure(number: 3)) { try await ask.value }
    }
    #expect(rooms.count == 0)
    try await rooms[3].send(.add(1))
    #expect(fails.entries == [3, 3] && instances.made == 1)
  }

  @Test func `making a reactor may use others, but not the one being made`() async throws {
    let rooms = Guarded<ReactorRegistry<Int, RoomReactor>?>(nil)
    let registry = ReactorRegistry<Int, RoomReactor>(idle: nil) { id in
      // 1 needs 2, which needs 3; 4 needs 5, which needs 4.
      let next = [1: 2, 2: 3, 4: 5, 5: 4][id]
      if let next { try await rooms.withLock { $0 }?[next].send(.add(1)) }
      return RoomReactor(id)
    }
    rooms.withLock { $0 = registry }
    defer { rooms.withLock { $0 = nil } }
    try await registry[1].send(.add(1))
    #expect(try await registry[3].ask { .count($0) } == 1)
    let error = await #expect(throws: RegistryError.self) { try await registry[4].send(.add(1)) }
    let text = error?.description
    #expect(text == "making a reactor waits for itself: 5 needs 4 needs 5")
  }

  @Test func `makings of two registries that wait for one another are refused`() async throws {
    let offices = Guarded<ReactorRegistry<String, RoomReactor>?>(nil)
    let rooms = ReactorRegistry<Int, RoomReactor>(idle: nil) { id in
      _ = try await offices.withLock { $0 }?["of \(id)"].ask { .count($0) }
      return RoomReactor(id)
    }
    let made = ReactorRegistry<String, RoomReactor>(idle: nil) { id in
      if id == "of 1" { try await rooms[1].send(.add(1)) }
      return RoomReactor(0)
    }
    offices.withLock { $0 = made }
    defer { offices.withLock { $0 = nil } }
    try await rooms[2].send(.add(1))
    let error = await #expect(throws: RegistryError.self) { try await rooms[1].send(.add(1)) }
    #expect(error?.description == "making a reactor waits for itself: of 1 needs 1 needs of 1")
  }

  // MARK: Idle

  @Test func `a reactor that is idle for long enough is released, and created again`() async throws
  {
    let rooms = registry()
    try await rooms[1].send(.add(1))
    await clock.advance(past: 10)
    // The reactor's job may yet have been under way, and then it begins to be idle anew: here, and
    // in the tests below.
    clock.advanceAutomatically()
    #expect(await instances.ends.entries(upTo: 1) == [1])
    #expect(try await rooms[1].ask { .count($0) } == 0)
    #expect(instances.made == 2 && instances.problems == [])
  }

  @Test func `a use restarts the idle time`() async throws {
    let rooms = registry()
    try await rooms[1].send(.add(1))
    _ = await clock.sleeps.entries(upTo: 1)
    clock.advance(to: 6)
    try await rooms[1].send(.add(1))
    clock.advance(to: 10)
    await clock.advance(past: 16)
    clock.advanceAutomatically()
    _ = await instances.ends.entries(upTo: 1)
    #expect(clock.sleeps.entries.prefix(2) == [10, 16])
  }

  @Test func `a reactor with work is not idle`() async throws {
    let (rooms, gate) = (registry(), Gate())
    let receipt = try await rooms.with(1) { $0.send(.wait(gate)) }
    await gate.reached()
    await clock.advance(past: 10)
    // It begins anew.
    _ = await clock.sleeps.entries(upTo: 2)
    #expect(rooms.ids == [1])
    gate.open()
    await receipt.settled
    clock.advanceAutomatically()
    _ = await instances.ends.entries(upTo: 1)
    #expect(instances.made == 1)
  }

  @Test func `a reactor that is asked is not idle before it has answered`() async throws {
    let rooms = registry()
    let asking = Task { try await rooms[1].ask { .keep($0) } }
    _ = try await rooms.with(1) { await $0.state.first { !$0.replies.isEmpty } }
    try await rooms[2].send(.add(1))
    await clock.advance(past: 10)
    clock.advanceAutomatically()
    #expect(await instances.ends.entries(upTo: 1) == [2])
    #expect(rooms.ids == [1])
    asking.cancel()
    _ = await asking.result
  }

  @Test func `a reactor that is observed is not idle`() async throws {
    let rooms = registry()
    var states: HandleStream<RoomReactor.State>.Iterator? = rooms[1].state.makeAsyncIterator()
    #expect(try await states?.next()?.count == 0)
    try await rooms[1].send(.add(5))
    try await rooms[2].send(.add(1))
    await clock.advance(past: 10)
    clock.advanceAutomatically()
    #expect(await instances.ends.entries(upTo: 1) == [2])
    #expect(rooms.ids == [1])
    #expect(try await states?.next()?.count == 5)
    states = nil
    #expect(await instances.ends.entries(upTo: 2) == [2, 1])
  }

  @Test func `a handle's outputs are those from when they are iterated`() async throws {
    let rooms = registry()
    let heard = Log<String>()
    try await rooms[1].send(.say("before"))
    // The reactor is there, so that it listens before it first waits.
    let listening = Task.immediate {
      for try await word in rooms[1].outputs {
        heard.append(word)
        if word == "end" { return }
      }
    }
    try await rooms[1].send(.say("a"))
    try await rooms[1].send(.say("end"))
    try await listening.value
    #expect(heard.entries.suffix(2) == ["a", "end"])
  }

  @Test func `one task serves all keys, and none runs while no reactor is idle`() async throws {
    let rooms = registry()
    for id in 0..<100 { try await rooms[id].send(.add(1)) }
    _ = await clock.sleeps.entries(upTo: 1)
    #expect(clock.sleeperCount == 1)
    let sweeper = rooms.table.withLock { $0.sweeper }
    clock.advance(to: 10)
    clock.advanceAutomatically()
    _ = await instances.ends.entries(upTo: 100)
    await sweeper?.value
    #expect(clock.sleeperCount == 0 && clock.sleeps.entries.first == 10)
  }

  @Test func `a registry that is released releases its reactors`() async throws {
    weak var registry: ReactorRegistry<Int, RoomReactor>?
    do {
      let rooms = self.registry()
      registry = rooms
      for id in 0..<10 { try await rooms[id].send(.add(1)) }
    }
    _ = await instances.ends.entries(upTo: 10)
    _ = await clock.ends.entries(upTo: clock.sleeps.count)
    #expect(registry == nil && clock.sleeperCount == 0)
  }

  // MARK: All of them

  @Test func `a broadcast reaches all reactors, and creates none`() async throws {
    let rooms = registry()
    for id in 0..<10 { try await rooms[id].send(.add(id)) }
    let receipt = rooms.broadcast { $0.isMultiple(of: 2) ? .add(100) : nil }
    #expect(Set(receipt.accepted) == [0, 2, 4, 6, 8] && receipt.refused.isEmpty)
    await receipt.settled
    for id in 0..<10 {
      #expect(try await rooms[id].ask { .count($0) } == (id.isMultiple(of: 2) ? 100 + id : id))
    }
    #expect(rooms.broadcast(.add(1)).accepted.count == 10 && instances.made == 10)
  }

  @Test func `a broadcast returns the keys that refused`() async throws {
    let rooms = registry()
    for id in 0..<3 { try await rooms[id].send(.add(id)) }
    try await rooms.with(1) { await $0.stop().settled }
    let receipt = rooms.broadcast(.add(1))
    #expect(Set(receipt.accepted) == [0, 2] && receipt.refused == [1: .stopped])
  }

  @Test func `a reactor can be ended by hand, and is created again`() async throws {
    let rooms = registry()
    try await rooms[1].send(.add(3))
    await rooms.stop(1, .cancel)
    #expect(rooms.count == 0)
    #expect(try await rooms[1].ask { .count($0) } == 0)
    #expect(instances.made == 2 && instances.problems == [])
  }

  @Test func `a reactor that was stopped by its user is created again`() async throws {
    let rooms = registry()
    try await rooms.with(1) { await $0.stop().settled }
    #expect(try await rooms[1].ask { .count($0) } == 0)
    #expect(instances.made == 2 && instances.problems == [])
  }

  @Test func `a broadcast does not end the idle time of reactors that take no action`() async throws
  {
    let rooms = registry()
    for id in 1...2 { try await rooms[id].send(.add(1)) }
    clock.advance(to: 5)
    rooms.broadcast { $0 == 1 ? .add(1) : nil }
    let since = rooms.table.withLock { table in
      [table.entries[1], table.entries[2]].map { $0?.idleSince }
    }
    #expect(since == [.steps(5), .steps(0)])
  }

  @Test func `releasing idle reactors takes a few at a time`() async throws {
    let (rooms, gate) = (registry(), Gate())
    for id in 0..<10 { try await rooms[id].send(.wait(gate)) }
    await gate.reached(by: 10)
    let first = rooms.table.withLock { table in
      let ending = table.takeIdle(since: .steps(0), at: .steps(1), 4)
      return ending.isEmpty ? table.first?.id : nil
    }
    #expect(first == 4)
    gate.open()
  }

  // MARK: Stopping

  @Test func `a drain waits for what runs, and then refuses`() async throws {
    let (rooms, gate) = (registry(), Gate())
    for id in 0..<5 { try await rooms[id].send(.wait(gate)) }
    await gate.reached(by: 5)
    let draining = Task.immediate { await rooms.drain(within: .steps(100)) }
    await #expect(throws: RegistryError.self) { try await rooms[9].send(.add(1)) }
    gate.open()
    #expect(await draining.value.isEmpty)
    #expect(rooms.count == 0)
  }

  @Test func `a drain returns what it has had to abandon`() async throws {
    let (rooms, gate, creation) = (registry(), Gate(), Gate())
    try await rooms[1].send(.wait(gate))
    try await rooms[2].send(.add(1))
    await gate.reached()
    let late = ReactorRegistry<Int, RoomReactor>(idle: nil, clock: clock) { id in
      await creation.pass()
      return RoomReactor(id)
    }
    let asking = Task { try await late[5].send(.add(1)) }
    await creation.reached()
    let draining = Task { await (rooms.drain(within: .steps(5)), late.drain(within: .steps(1))) }
    await clock.advance(past: 5)
    await clock.advance(past: 6)
    let (abandoned, unmade) = await draining.value
    #expect(abandoned.map { $0.id as? Int } == [1])
    let text = abandoned.first?.description ?? ""
    #expect(text.hasPrefix("'1' (RoomReactor#") && text.contains("'wait', running for"), "\(text)")
    #expect(unmade.map(\.description) == ["'5': still being made"])
    await #expect(throws: RegistryError.self) { try await asking.value }
    creation.open()
    // Again, for what was still being made then.
    #expect(await late.drain(within: .steps(100)).isEmpty && late.count == 0)
  }

  @Test func `a drain completes what a factory has sent`() async throws {
    let (creation, work) = (Gate(), Gate())
    let rooms = sendingRegistry(creation, work)
    let asking = Task { try await rooms[1].send(.add(1)) }
    await creation.reached()
    let draining = Task.immediate { await rooms.drain(within: .steps(100)) }
    await #expect(throws: RegistryError.self) { try await asking.value }
    creation.open()
    await work.reached()
    #expect(rooms.count == 1)
    work.open()
    #expect(await draining.value.isEmpty && rooms.count == 0)
  }

  @Test func `a stop returns what it has cut short in reactors being made`() async throws {
    let (creation, work) = (Gate(), Gate())
    let rooms = sendingRegistry(creation, work)
    let asking = Task { try await rooms[1].send(.add(1)) }
    await creation.reached()
    let stopping = Task.immediate { await rooms.stop() }
    await #expect(throws: RegistryError.self) { try await asking.value }
    creation.open()
    #expect(await stopping.value.flatMap(\.actions).count == 1)
    #expect(rooms.count == 0)
  }

  /// Whose factory sends an action before it goes on.
  private func sendingRegistry(
    _ creation: Gate, _ work: Gate
  ) -> ReactorRegistry<Int, RoomReactor> {
    ReactorRegistry(idle: nil, clock: clock) { id in
      let room = RoomReactor(id)
      room.send(.wait(work))
      await creation.pass()
      return room
    }
  }

  @Test func `a stop at once returns what it has cut short`() async throws {
    let (rooms, gate) = (registry(), Gate())
    for id in 0..<3 { try await rooms[id].send(.wait(gate)) }
    await gate.reached(by: 3)
    let abandoned = await rooms.stop()
    #expect(Set(abandoned.map { $0.id as? Int }) == [0, 1, 2] && rooms.count == 0)
    #expect(await rooms.stop().isEmpty)
  }
}
