import NIOCore
import NIOPosix
import TestSupport

/// A client that sends what the test says, and no more.
struct RawClient: Sendable {
  private final class Reader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    let parts: Log<String?>

    init(_ parts: Log<String?>) { self.parts = parts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      parts.append(String(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) { parts.append(nil) }
  }

  private let channel: any Channel
  private let parts = Log<String?>()

  /// - Parameters:
  ///   - port: The server's.
  ///   - reads: Whether it reads before ``read()`` is called.
  /// - Throws: Where it cannot connect.
  init(port: Int, reads: Bool = true) async throws {
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: reads)
      .channelInitializer { [parts] in $0.pipeline.addHandler(Reader(parts)) }
      .connect(host: "127.0.0.1", port: port).get()
  }

  /// Sends the head of a request with JSON, and what there is of its body as yet.
  func begin(_ path: String, length: Int, _ body: String, headers: String = "") async throws {
    try await send(
      "POST /\(path) HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(length)\r\n\(headers)\r\n\(body)")
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text))
  }

  func read() async throws { try await channel.setOption(.autoRead, value: true).get() }

  func close() async throws { try await channel.close() }

  /// All that came until the server closed the connection.
  func rest() async -> String {
    var count = 1
    while true {
      let parts = await parts.entries(upTo: count)
      if let last = parts.last, last == nil { return parts.compactMap { $0 }.joined() }
      count = parts.count + 1
    }
  }

  /// What has come, once there is a text in it.
  func answer(until text: String) async -> String {
    var count = 1
    while true {
      let parts = await parts.entries(upTo: count)
      let all = parts.compactMap { $0 }.joined()
      if all.contains(text) || parts.contains(nil) { return all }
      count = parts.count + 1
    }
  }

  /// What came first, or nothing where the server has closed before.
  func answer() async -> String { await parts.entries(upTo: 1)[0] ?? "" }
}
