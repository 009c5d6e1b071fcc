import Logging
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorHummingbird

/// A late live client costs as much as one of the first.
@Suite(.bounded) struct LiveGrowthTests {
  @Test(arguments: [false, true])
  func `a client that comes and goes`(isAlone: Bool) async throws {
    let growth = try await Growth.late(TestCounts.steps / 10, each: 20) {
      try await LiveClients(isAlone: isAlone)
    } _: { clients, _ in
      try await clients.comeAndGo()
    }
    #expect(growth < Growth.mostLate)
  }
}

/// A desk that one client after the other looks at, perhaps beside one that stays.
private final class LiveClients: Sendable {
  private let desk: Desk
  private let states: LiveStates<OneReactor<Desk>, Int>
  private let pulse: LivePulse
  private let staying: LiveSession?

  init(isAlone: Bool) async throws {
    let desk = Desk()
    let states = LiveStates(nil, OneReactor(reactor: desk), keyed: { _ in .init() }) { $0.sold }
    let pulse = LivePulse(LiveOptions(clock: HandClock()))
    let staying = try isAlone ? nil : Self.session(states, pulse)
    try await staying?.ready()
    (self.desk, self.states, self.pulse, self.staying) = (desk, states, pulse, staying)
  }

  func comeAndGo() async throws {
    await desk.send(.add(1)).settled
    try await Self.session(states, pulse).ready()
  }

  private static func session(
    _ states: some LiveSource, _ pulse: LivePulse
  ) throws -> LiveSession {
    try LiveSession(
      [(states, nil)], lastEventID: nil, pulse: pulse, options: LiveOptions(), logger: .silent)
  }
}
