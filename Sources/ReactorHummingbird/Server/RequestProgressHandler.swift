import NIOCore
import NIOHTTPTypes

/// Notifies its connection when a request begins to arrive, and when it has arrived completely.
///
/// Its position is after the decoder, and it is used on the channel's event loop alone.
final class RequestProgressHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private var connection: ServedConnection?

  func handlerAdded(context: ChannelHandlerContext) {
    connection = try? context.pipeline.syncOperations.handler(type: ServedConnection.self)
  }

  func handlerRemoved(context: ChannelHandlerContext) { connection = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: connection?.setReceiving(true)
    case .end: connection?.setReceiving(false)
    case .body: break
    }
    context.fireChannelRead(data)
  }
}
