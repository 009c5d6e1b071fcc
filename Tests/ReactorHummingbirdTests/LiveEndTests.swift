import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Reactor
import ServiceLifecycleTestKit
import TestLimits
import TestSupport
import Testing

@testable import ReactorHummingbird

/// How a stream ends whose client does not read: on a channel that is not writable.
@Suite(.bounded) struct LiveEndTests {
  /// A client that does not read: what does not fit is waited with until the task is cancelled.
  private struct Unread: ResponseBodyWriter {
    let channel: NIOAsyncTestingChannel
    let log: Log<String>
    /// Where a write stays; `nil` for one that is taken.
    var stuck: Gate?

    func write(_ buffer: ByteBuffer) async throws {
      let text = String(buffer: buffer)
      log.append(text.hasPrefix("id: ") ? "state" : "retry")
      if text.hasPrefix("id: ") { try await stuck?.wait() }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
      log.append("finish")
      if !channel.isWritable { try await Gate().wait() }
    }
  }

  private let desk = Desk()
  private let log = Log<String>()
  private let channel = NIOAsyncTestingChannel()

  /// Ends the server while a client has one state, and its channel is full.
  private func end(stuck: Gate? = nil) async throws {
    let connection = ServedConnection()
    try await channel.pipeline.addHandler(connection).get()
    let states = KeyedLiveHubs(nil, OneReactor(reactor: desk), keyed: { _ in .init() }) { $0 }
    let session = try LiveSession(
      [(states, nil)], lastEventID: nil,
      heartbeat: LiveHeartbeat(LiveOptions(clock: ManualClock())),
      options: LiveOptions(), logger: .silent)
    try await session.ready()
    await testGracefulShutdown { [channel, log] trigger in
      async let served: Void = connection.run {
        var writer: any ResponseBodyWriter = Unread(channel: channel, log: log, stuck: stuck)
        try? await session.write(to: &writer)
      }
      _ = await log.entries(upTo: 2)
      channel.isWritable = false
      try? await channel.eventLoop.submit { channel.pipeline.fireChannelWritabilityChanged() }.get()
      trigger.triggerGracefulShutdown()
      await served
    }
  }

  @Test func `a stream that is in a write does not delay the end`() async throws {
    try await end(stuck: Gate())
    #expect(log.entries.starts(with: ["retry", "state"]))
  }

  @Test func `a stream that is idle after a write that filled the channel ends at once`()
    async throws
  {
    try await end()
    #expect(log.entries.starts(with: ["retry", "state"]))
  }
}
