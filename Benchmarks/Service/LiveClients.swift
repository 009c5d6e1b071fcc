import Foundation
import NIOCore
import NIOPosix
import Reactor
import ReactorRuntime

/// Many clients that look at one room, each on a connection of its own.
///
/// The room's news is the time at which it was sent; a client looks at the clock when it has it.
struct LiveClients {
  let count: Int
  let port: Int
  private let tally = LiveTally()

  init(_ count: Int, port: Int) {
    self.count = count
    self.port = port
  }

  func run(states: Int) async throws {
    let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let bootstrap = ClientBootstrap(group: loops).channelInitializer { [tally] channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(LiveReader(tally))
      }
    }
    var channels: [any Channel] = []
    for _ in 0..<count {
      let channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
      let head = "GET /rooms/hall/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
      try await channel.writeAndFlush(ByteBuffer(string: head))
      channels.append(channel)
    }
    await tally.reached(count)
    tally.reset()
    let sender = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
    for number in 1...states {
      let body = #"{"announce":{"_0":"@\#(LiveTally.now)@"}}"#
      let head =
        "POST /rooms/hall/actions HTTP/1.1\r\nHost: localhost\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      try await sender.writeAndFlush(ByteBuffer(string: head + body))
      // The next one when all have this one: how late it is, not how long a queue may grow.
      await tally.reached(count * number)
    }
    let (late, bytes) = tally.taken
    let sorted = late.sorted()
    func at(_ part: Double) -> Double { Double(sorted[Int(Double(sorted.count - 1) * part)]) / 1e6 }
    ServiceBench.say("p50 \(at(0.5))")
    ServiceBench.say("p99 \(at(0.99))")
    ServiceBench.say("bytes \(bytes / sorted.count)")
    for channel in channels + [sender] { try? await channel.close() }
    try await loops.shutdownGracefully()
  }
}

/// What the clients have had.
///
/// Holds: `state`, guarded by its own lock; whoever waits is resumed outside it.
final class LiveTally: Sendable {
  private struct State: Sendable {
    var late: [UInt64] = []
    var bytes = 0
    var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Guarded(State())

  static var now: UInt64 { NIODeadline.now().uptimeNanoseconds }

  func note(late: UInt64, bytes: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.late.append(late)
      state.bytes += bytes
      guard let waiting = state.waiting, state.late.count >= waiting.count else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    waiter?.resume()
  }

  /// Waits until so many states have come, over all clients.
  func reached(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.late.count < count { state.waiting = (count, continuation) }
        return state.late.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  func reset() { state.withLock { $0 = State() } }

  var taken: (late: [UInt64], bytes: Int) { state.withLock { ($0.late, $0.bytes) } }
}

/// Reads one stream: an event ends with an empty line.
final class LiveReader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let tally: LiveTally
  private var text = ""

  init(_ tally: LiveTally) { self.tally = tally }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    while let end = text.range(of: "\n\n") {
      let event = text[..<end.lowerBound]
      if event.contains("data: ") {
        let sent = event.split(separator: "@").dropFirst().first.flatMap { UInt64($0) }
        tally.note(late: sent.map { LiveTally.now - $0 } ?? 0, bytes: event.utf8.count + 2)
      }
      text = String(text[end.upperBound...])
    }
  }
}
