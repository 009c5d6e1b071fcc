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
    let growth = try await Growth.ofLateSteps(TestCounts.steps / 10, each: 20) {
      try await LiveClients(isAlone: isAlone)
    } _: { clients, _ in
      try await clients.connectAndDisconnect()
    }
    #expect(growth < Growth.mostLate)
  }
}

/// A desk that one client after the other looks at, perhaps beside one that stays.
private final class LiveClients: Sendable {
  private let desk: Desk
  private let states: KeyedLiveHubs<OneReactor<Desk>, Int>
  private let heartbeat: LiveHeartbeat
  private let staying: LiveSession?

  init(isAlone: Bool) async throws {
    let desk = Desk()
    let states = KeyedLiveHubs(nil, OneReactor(reactor: desk), keyed: { _ in .init() }) { $0.sold }
    let heartbeat = LiveHeartbeat(LiveOptions(clock: ManualClock()))
    let staying = try isAlone ? nil : Self.session(states, heartbeat)
    try await staying?.ready()
    (self.desk, self.states, self.heartbeat, self.staying) = (desk, states, heartbeat, staying)
  }

  func connectAndDisconnect() async throws {
    await desk.send(.add(1)).settled
    try await Self.session(states, heartbeat).ready()
  }

  private static func session(
    _ states: some LiveSource, _ heartbeat: LiveHeartbeat
  ) throws -> LiveSession {
    try LiveSession(
      [(states, nil)], lastEventID: nil, heartbeat: heartbeat, options: LiveOptions(),
      logger: .silent)
  }
}
