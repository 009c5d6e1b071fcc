import Foundation
import NIOCore
import NIOPosix
import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Messages between hosts, and errors because of them, show nothing of a secret.
@Suite(.bounded) struct SecretCallTests {
  private func expectSilence(_ texts: [String]) {
    #expect(!texts.isEmpty)
    for text in texts { #expect(!text.contains(Secret.text), "\(text)") }
  }

  @Test(arguments: Secret.errors)
  func `no message shows what an error carries`(_ sample: Secret.Sample<any Error>) throws {
    let error = sample.value
    let frames = [
      try CallResponse(error).encoded(), try CallResponse(CreationError(cause: error)).encoded(),
      try CommandResult(.failure(error)).encoded(),
    ]
    expectSilence(frames.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test(arguments: Secret.errors)
  func `no failure shows what its cause carries`(_ sample: Secret.Sample<any Error>) {
    let (error, key) = (sample.value, JournalKey(name: "list", id: "1"))
    let outcomes = [ActionOutcome.failed(error), .droppedByMiddleware(error)]
    let failures =
      [ClusterFailure(error), ClusterFailure(thrown: error)]
      + outcomes.compactMap { ClusterFailure($0) }
    for failure in failures {
      expectSilence(Secret.texts(of: failure))
      expectSilence(Secret.texts(of: ClusterError.failed(key, reason: failure)))
    }
  }

  @Test(arguments: Secret.errors.indices)
  func `a thrown error is shown by its kind, on its own host and on another`(
    _ number: Int
  ) async throws {
    let texts = Log<String>()
    try await simulatedWorld(seeds: 0..<1) { world in
      for machine in [try await world.start("a"), try await world.start("b")] {
        let list = machine.lists["1"]
        do {
          let answer = try await list.ask { .fail(number, $0) }
          Issue.record("\(answer)")
        } catch {
          for text in Secret.texts(of: error) { texts.append(text) }
        }
        texts.append("\(try await list.outcome(of: .fail(number, Reply { _ in })))")
      }
    }
    expectSilence(texts.entries)
  }

  /// A server that answers with what it was sent.
  private final class Echo: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let status: Int

    init(_ status: Int) { self.status = status }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var body = unwrapInboundIn(data)
      var answer = ByteBuffer(
        string: "HTTP/1.1 \(status) Echo\r\nConnection: close\r\n"
          + "Content-Length: \(body.readableBytes)\r\n\r\n")
      answer.writeBuffer(&body)
      context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
  }

  @Test(arguments: [401, 404, 413, 500, 502])
  func `what another server answers to a call is shown by its status`(_ status: Int) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { $0.pipeline.addHandler(Echo(status)) }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(server.localAddress?.port)
    let transport = HTTPTransport(bodyLimit: 1 << 20, callLimit: 1)
    let error = try await #require(throws: (any Error).self) {
      _ = try await transport.call(
        Data("x".utf8), at: "http://127.0.0.1:\(port)", secret: Secret.text)
    }
    expectSilence(Secret.texts(of: error))
    await transport.close()
    try await server.close()
  }

  @Test func `a connection's error is shown by its kind`() async throws {
    // A part of this name is longer than 63 bytes: it is refused, and no server is asked for it.
    let host = Secret.text + String(repeating: "x", count: 64)
    let transport = HTTPTransport(bodyLimit: 1 << 20, callLimit: 1)
    let error = try await #require(throws: HostUnreachable.self) {
      _ = try await transport.call(Data("x".utf8), at: "http://\(host):1", secret: Secret.text)
    }
    expectSilence(Secret.texts(of: error))
    await transport.close()
  }

  @Test(arguments: [
    "host=127.0.0.1 port=1 password=correct SECRET", "host=127.0.0.1 port=1 password='SECRET",
    "postgresql://u:SECRET%zz@127.0.0.1:1/x", "postgresql://u:SECRET@[127.0.0.1/x",
    "postgresql://u:SECRET/y@127.0.0.1:1/x", "postgresql://u:y@SECRET@127.0.0.1:1/x",
  ])
  func `no error quotes a connection string that cannot be read`(_ info: String) async throws {
    let error = try await #require(throws: ClusterError.self) {
      _ = try await PostgresStore(
        info.replacing("SECRET", with: Secret.text), schema: "secrets", connections: 1,
        timeout: .seconds(5))
    }
    expectSilence(Secret.texts(of: error))
  }

  @Test(arguments: [
    "host=127.0.0.1,127.0.0.2 port=1,2 connect_timeout=2", "host=@/nowhere",
    "postgresql://u:p%40@[::1]:1/x",
  ])
  func `a connection string that leads nowhere is reported as that`(_ info: String) async throws {
    let error = try await #require(throws: ClusterError.self) {
      _ = try await PostgresStore(
        info, schema: "secrets", connections: 1, timeout: .seconds(5))
    }
    guard case .unusable = error else {
      Issue.record("\(error)")
      return
    }
  }
}
