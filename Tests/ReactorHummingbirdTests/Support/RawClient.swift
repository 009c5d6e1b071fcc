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

  init(port: Int) async throws {
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
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

  /// What came first, or nothing where the server has closed before.
  func answer() async -> String { await parts.entries(upTo: 1)[0] ?? "" }
}
