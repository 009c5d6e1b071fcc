import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorHummingbird

/// What a live stream costs whose client is slow.
@Suite(.bounded) struct SlowClientTests {
  /// A client that takes its first state when the gate is open.
  private struct Slow: ResponseBodyWriter {
    let states: Log<String>
    let gate: Gate

    func write(_ buffer: ByteBuffer) async throws {
      guard let data = String(buffer: buffer).split(separator: "\n").last(where: Self.isData)
      else { return }
      states.append(String(data.dropFirst(6)))
      await gate.pass()
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}

    private static func isData(_ line: Substring) -> Bool { line.hasPrefix("data: ") }
  }

  private let desk = Desk()
  private let heartbeat = LiveHeartbeat(LiveOptions(clock: ManualClock()))

  private func stream(
    of states: some LiveSource, to log: Log<String>, _ gate: Gate
  ) async throws -> Task<Void, any Error> {
    let session = try LiveSession(
      [(states, nil)], lastEventID: nil, heartbeat: heartbeat, options: LiveOptions(),
      logger: .silent)
    try await session.ready()
    return Task {
      var writer: any ResponseBodyWriter = Slow(states: log, gate: gate)
      try await session.write(to: &writer)
    }
  }

  @Test func `a client that does not read costs the newest state, and no other`() async throws {
    let states = KeyedLiveHubs(nil, OneReactor(reactor: desk), keyed: { _ in .init() }) { $0.sold }
    let (slow, quick, gate, open) = (Log<String>(), Log<String>(), Gate(), Gate())
    open.open()
    let stuck = try await stream(of: states, to: slow, gate)
    let reading = try await stream(of: states, to: quick, open)
    // Both have begun with the first state.
    _ = await slow.entries(upTo: 1)
    _ = await quick.entries(upTo: 1)
    for number in 1...20 {
      await desk.send(.add(1)).settled
      // A client that reads has each of them, so the other could have been given each.
      _ = await quick.entries(upTo: number + 1)
    }
    gate.open()
    _ = await slow.entries(upTo: 2)
    await desk.stop().settled
    try await stuck.value
    try await reading.value
    #expect(slow.entries == ["0", "20"])
    #expect(quick.entries == (0...20).map { "\($0)" })
  }
}
