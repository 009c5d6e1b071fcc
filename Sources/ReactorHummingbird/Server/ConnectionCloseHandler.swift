import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Announces the end of a connection with `Connection: close` in the last response, once the server
/// shuts down.
///
/// Hummingbird closes a connection after the current response, and that response does not announce
/// it. A client that keeps connections open then sends its next request on a closed one. Nor does
/// Hummingbird wait until the response is written, so a long one is truncated. The event that
/// begins the shutdown is therefore not forwarded by this handler.
///
/// It is the last handler before Hummingbird's, and is used on the channel's event loop alone.
final class ConnectionCloseHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum Phase {
    case open
    /// The connection ends with the response to the last request that has arrived.
    case ending
    /// A response has announced that it is the last.
    case last
    /// No further request is read; the client has to send it on another connection.
    case closing
  }

  private let isDraining: @Sendable () -> Bool
  private var phase = Phase.open
  /// The number of requests whose responses have not ended.
  private var unanswered = 0
  /// Completes when the newest response has been written.
  private var written: EventLoopFuture<Void>?
  private var connection: ServedConnection?

  /// Creates a handler.
  ///
  /// - Parameter isDraining: Returns whether the shutdown has begun, even if the server has not
  ///   been notified yet.
  init(isDraining: @escaping @Sendable () -> Bool) { self.isDraining = isDraining }

  func handlerAdded(context: ChannelHandlerContext) {
    connection = try? context.pipeline.syncOperations.handler(type: ServedConnection.self)
  }

  func handlerRemoved(context: ChannelHandlerContext) { connection = nil }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is ChannelShouldQuiesceEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    guard phase == .open else { return }
    phase = .ending
    if unanswered == 0 { close(context) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) {
      if phase == .last { phase = .closing }
      unanswered += 1
    }
    if phase != .closing { context.fireChannelRead(data) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.kind != .informational:
      context.write(wrapOutboundOut(.head(announcingClose(head))), promise: promise)
    case .head, .body: context.write(data, promise: promise)
    case .end:
      let promise = promise ?? context.eventLoop.makePromise()
      context.write(data, promise: promise)
      written = promise.futureResult
      unanswered -= 1
      if phase == .last || phase == .closing || phase == .ending && unanswered == 0 {
        close(context)
      }
    }
  }

  private func announcingClose(_ head: HTTPResponse) -> HTTPResponse {
    var head = head
    // If several requests have arrived, only the response to the last one may announce the end.
    if unanswered == 1, phase == .ending || isDraining() {
      head.headerFields[.connection] = "close"
    }
    if head.headerFields[.connection] == "close" { phase = .last }
    return head
  }

  /// Closes the connection once all responses are written, or at once if that is not awaited.
  private func close(_ context: ChannelHandlerContext) {
    phase = .closing
    let channel = context.channel
    guard let written, connection?.shouldAwaitResponseEnd(on: channel) != false else {
      context.flush()
      return context.close(promise: nil)
    }
    written.whenComplete { _ in channel.close(promise: nil) }
  }
}
