import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Reactor
import ReactorRuntime

/// Calls between hosts over HTTP, with one route: `POST /reactor-cluster/1`.
///
/// Holds: `server`, and the number of responses that are being sent, each guarded by its own lock.
final class HTTPTransport: ClusterTransport {
  private static let path = "reactor-cluster/1"
  private static let type = "application/x-reactor-cluster"

  private let bodyLimit: Int
  private let client: HTTPClient
  private let server = Guarded<Task<Void, any Error>?>(nil)
  private let pendingResponses = PendingResponses()

  init(bodyLimit: Int, callLimit: Int) {
    self.bodyLimit = bodyLimit
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = callLimit
    configuration.timeout.connect = .seconds(2)
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  // MARK: Serving

  func serve(
    at address: String, secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) async throws {
    guard let url = URL(string: address), url.scheme == "http", let port = url.port,
      url.host() != nil
    else {
      throw ClusterError.invalid(
        "an address is where other hosts reach this one, http://name:port, and not '\(address)'")
    }
    let router = Router()
    router.post("\(RouterPath(Self.path))") { [bodyLimit, pendingResponses] request, _ in
      try await Self.respond(to: request, secret(), bodyLimit, pendingResponses, receive)
    }
    // The answers do not announce that a connection closes, unlike those of ReactorHummingbird with
    // `ConnectionCloseHandler`. A call on a closed connection is repeated with the same identifier.
    let running = OneShotEvent()
    let isRunning = Guarded(false)
    let app = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("0.0.0.0", port: port)),
      onServerRunning: { _ in
        isRunning.withLock { $0 = true }
        running.fire()
      },
      // Errors are reported to the caller.
      logger: Logger(label: "ReactorCluster") { _ in SwiftLogNoOpLogHandler() })
    let serving = Task {
      defer { running.fire() }
      try await app.runService(gracefulShutdownSignals: [])
    }
    server.withLock { $0 = serving }
    await running.wait()
    guard isRunning.withLock({ $0 }) else {
      let why: String
      do {
        try await serving.value
        why = "it ended"
      } catch { why = ReportText.text(ofError: error) }
      throw ClusterError.invalid("this host cannot listen at '\(address)': \(why)")
    }
  }

  private static func respond(
    to request: Request, _ secret: String?, _ limit: Int, _ pendingResponses: PendingResponses,
    _ receive: @Sendable (Data) async -> Data
  ) async throws -> Response {
    guard let secret, let shown = request.headers[.authorization],
      isSame(shown, "Bearer \(secret)")
    else { return refusal(.unauthorized, "this is for hosts of the same cluster\n") }
    guard request.headers[.contentType] == type else {
      return refusal(.unsupportedMediaType, "a call is \(type)\n")
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      return refusal(.contentTooLarge, "a call has \(limit) bytes at most\n")
    }
    let token = pendingResponses.begin()
    let answer = await receive(Data(body.readableBytesView))
    return Response(
      status: .ok, headers: [.contentType: type],
      body: ResponseBody(contentLength: answer.count) { writer in
        try await writer.write(ByteBuffer(bytes: answer))
        try await writer.finish(nil)
        withExtendedLifetime(token) {}
      })
  }

  private static func refusal(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// Compares all bytes, so that the duration reveals nothing.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: Calling

  func call(_ message: Data, at address: String, secret: String) async throws -> Data {
    guard message.count <= bodyLimit else {
      throw ClusterError.invalid("a call of \(message.count) bytes; it may have \(bodyLimit)")
    }
    var request = HTTPClientRequest(url: "\(address)/\(Self.path)")
    request.method = .POST
    request.headers.add(name: "Authorization", value: "Bearer \(secret)")
    request.headers.add(name: "Content-Type", value: Self.type)
    request.body = .bytes(ByteBuffer(bytes: message))
    let response = try await execute(request)
    if response.status == .payloadTooLarge {
      throw ClusterError.invalid("a call of \(message.count) bytes is too long for \(address)")
    }
    guard response.status == .ok else {
      // The body is not quoted, since the server may not be a host of a cluster.
      let text = "it refused the call (\(response.status.code))"
      // A call that was rejected with such a status has not begun.
      if (400..<500).contains(response.status.code) { throw HostUnreachable(text) }
      throw Refused(description: text)
    }
    return Data(try await response.body.collect(upTo: bodyLimit).readableBytesView)
  }

  /// Sends a request without a deadline; the caller checks the time, and whether the host is alive.
  ///
  /// Error messages of other libraries are not quoted.
  private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
    do {
      return try await client.execute(request, deadline: .distantFuture)
    } catch let error as HTTPClientError
      where [.connectTimeout, .getConnectionFromPoolTimeout].contains(error)
    {
      throw HostUnreachable("there was no connection in time")
    } catch let error as IOError
      where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
    {
      let isRefused = error.errnoCode == ECONNREFUSED
      throw HostUnreachable(
        isRefused ? "the connection was refused" : "its network is not reachable")
    } catch is NIOConnectionError {
      throw HostUnreachable("no address of that name could be connected to")
    }
  }

  private struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  func close() async {
    let serving = server.withLock { server in
      defer { server = nil }
      return server
    }
    // The outcome of a command is stored nowhere else, so answers are sent before the server stops.
    try? await ClusterClock(ContinuousClock()).limit(to: .seconds(1)) { [pendingResponses] in
      await pendingResponses.waitUntilSent()
    }
    serving?.cancel()
    _ = await serving?.result
    try? await client.shutdown()
  }
}
