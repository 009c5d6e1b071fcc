import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// The ten-thousandth action, member or key costs as much as one of the first.
@Suite(.bounded) struct LongCompositionTests {
  @Test func `a parent whose children come and go`() async throws {
    let growth = try await Growth.ofLateSteps {
      NurseryReactor()
    } _: { reactor, number in
      await reactor.send(.have([number])).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a group with combined states`() async throws {
    let growth = try await Growth.ofLateSteps {
      CombinedTicks()
    } _: { ticks, number in
      await ticks.group.send(1).settled
      await ticks.show(2 * (number + 1))
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a group of two members in a declared order`() async throws {
    let growth = try await Growth.ofLateSteps {
      let group = ReactorGroup<Int>()
      let (one, two) = (TickReactor(), TickReactor())
      group.add(one, keeping: true)
      try group.add(two, after: one, keeping: true) { $0 }
      return group
    } _: { group, _ in
      await group.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a group whose members come and go`() async throws {
    let growth = try await Growth.ofLateSteps {
      ReactorGroup<Int>()
    } _: { group, _ in
      let member = TickReactor()
      group.add(member)
      await group.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a key of a registry`() async throws {
    let growth = try await Growth.ofLateSteps {
      ReactorRegistry<Int, RoomReactor>(idle: .seconds(100)) { RoomReactor($0) }
    } _: { rooms, _ in
      try await rooms[0].send(.add(1))
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a registry whose keys come and go`() async throws {
    let growth = try await Growth.ofLateSteps {
      ReactorRegistry<Int, RoomReactor>(idle: .seconds(100)) { RoomReactor($0) }
    } _: { rooms, number in
      try await rooms[number].send(.add(1))
      await rooms.drain(number)
    }
    #expect(growth < Growth.mostLate)
  }
}

/// A group of two, and their combined states, which one task observes.
private final class CombinedTicks: Sendable {
  let group = ReactorGroup<Int>()
  private let seen: ObservedTicks

  init() {
    let (one, two) = (TickReactor(), TickReactor())
    group.add(one, keeping: true)
    group.add(two, keeping: true)
    seen = ObservedTicks(one, combining(one.state, two.state).derived { $0 + $1 })
  }

  /// Returns once that sum has been observed.
  func show(_ sum: Int) async { await seen.show(sum) }
}
