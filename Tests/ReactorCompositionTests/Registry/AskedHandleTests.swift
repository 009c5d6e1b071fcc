import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// What is asked of a key within a time, of which making the reactor is a part.
@Suite(.bounded) struct AskedHandleTests {
  private let instances = InstanceCounter()
  private let clock = ManualClock()
  private let creation = Gate()

  private func rooms() -> ReactorRegistry<Int, RoomReactor> {
    ReactorRegistry(idle: nil) { [instances, creation] id in
      try await creation.wait()
      return RoomReactor(id, instances)
    }
  }

  @Test func `an ask does not wait for a creation that takes longer than its time`() async {
    let rooms = rooms()
    let asking = Task { [clock] in
      try await rooms[1].ask(within: .steps(5), clock: clock) { .count($0) }
    }
    await creation.reached()
    await clock.advance(past: 5)
    await #expect {
      try await asking.value
    } throws: { error in
      guard case .timedOut(.steps(5)) = (error as? AskError)?.reason else { return false }
      return true
    }
  }

  @Test func `a creation that took too long serves the next ask`() async throws {
    let rooms = rooms()
    let asking = Task { [clock] in
      try await rooms[1].ask(within: .steps(5), clock: clock) { .count($0) }
    }
    await creation.reached()
    await clock.advance(past: 5)
    _ = await asking.result
    creation.open()
    #expect(try await rooms[1].ask { .count($0) } == 0)
    #expect(instances.made == 1)
  }

  @Test func `the time that is left after the creation is for the answer`() async throws {
    let rooms = rooms()
    let asking = Task { [clock] in
      try await rooms[1].ask(within: .steps(5), clock: clock) { .keep($0) }
    }
    await creation.reached()
    clock.advance(to: 3)
    creation.open()
    await clock.advance(past: 5)
    await #expect(throws: AskError.self) { try await asking.value }
  }

  @Test func `an ask does not wait for a drain that takes longer than its time`() async throws {
    let rooms = rooms()
    creation.open()
    let gate = Gate()
    try await rooms.with(1) { room in
      room.send(.wait(gate))
      room.stop(.drain)
    }
    await gate.reached()
    let asking = Task { [clock] in
      try await rooms[1].ask(within: .steps(5), clock: clock) { .count($0) }
    }
    await clock.advance(past: 5)
    await #expect {
      try await asking.value
    } throws: { error in
      guard case .timedOut(.steps(5)) = (error as? AskError)?.reason else { return false }
      return true
    }
    #expect(!gate.isOpen)
    gate.open()
    #expect(try await rooms[1].ask { .count($0) } == 0)
    #expect(instances.made == 2)
  }

  @Test func `an answer in time is returned`() async throws {
    let rooms = rooms()
    creation.open()
    #expect(
      try await rooms[1].ask(within: .steps(5), clock: clock) { .count($0) } == 0)
    #expect(try await rooms[1].ask(within: .steps(5), clock: clock) { .count($0) } == 0)
  }

  @Test func `the error of a creation is thrown by the ask`() async {
    let rooms = ReactorRegistry<Int, RoomReactor>(idle: nil) { id in throw Failure(number: id) }
    await #expect(throws: Failure.self) {
      try await rooms[1].ask(within: .steps(5), clock: clock) { .count($0) }
    }
  }
}
