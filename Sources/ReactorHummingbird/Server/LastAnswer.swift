import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a connection with an answer that says so, `Connection: close`, once the server is to end.
///
/// Hummingbird closes a connection after the answer under way, and that answer does not say it: a
/// client that keeps connections sends its next request into one that is closed. Nor does it wait
/// until the answer is written, so that a long one is cut off. The event that begins the end goes
/// no further than here.
///
/// It is the last handler before Hummingbird's, and is used on the channel's event loop alone.
final class LastAnswer: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum Phase {
    case open
    /// The connection ends with the answer to the last request that has come.
    case ending
    /// An answer has said that it is the last.
    case last
    /// No further request is read: its client is to send it on another connection.
    case closing
  }

  private let isDraining: @Sendable () -> Bool
  private var phase = Phase.open
  /// How many requests have come whose answers have not ended.
  private var unanswered = 0
  /// When all of the newest answer is written.
  private var written: EventLoopFuture<Void>?
  private var connection: ServedConnection?

  /// - Parameter isDraining: Whether the end has begun, though the server may not know it yet.
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
      context.write(wrapOutboundOut(.head(begun(head))), promise: promise)
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

  private func begun(_ head: HTTPResponse) -> HTTPResponse {
    var head = head
    // Requests that came together are all answered: only the answer to the last one may say it.
    if unanswered == 1, phase == .ending || isDraining() {
      head.headerFields[.connection] = "close"
    }
    if head.headerFields[.connection] == "close" { phase = .last }
    return head
  }

  /// Closes the connection once all answers are written, or at once where that is not waited for.
  private func close(_ context: ChannelHandlerContext) {
    phase = .closing
    let channel = context.channel
    guard let written, connection?.waits(for: channel) != false else {
      context.flush()
      return context.close(promise: nil)
    }
    written.whenComplete { _ in channel.close(promise: nil) }
  }
}
