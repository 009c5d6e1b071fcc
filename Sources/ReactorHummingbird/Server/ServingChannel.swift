import Hummingbird
public import HummingbirdCore
import Logging
import NIOCore
public import ReactorLifecycle
import ServiceLifecycle

extension HTTPServerBuilder {
  /// An HTTP/1.1 server in front of reactors: it knows when a client has gone, and when it is to
  /// end.
  ///
  /// ```swift
  /// let app = Application(router: router, server: .http1(serving: reactors))
  /// ```
  ///
  /// **A client that goes away** cancels the task that handles its request, and thereby what that
  /// asks of a reactor; a live stream ends. A client that closes its sending side alone counts as
  /// gone, too, though it still reads: the end of what it sends is all that tells of its going.
  ///
  /// **When the server is to end**, it tells the reactors that their time to drain has begun; see
  /// ``/ReactorLifecycle/ReactorService/shutdownHasBegun()``. From then on each answer says
  /// `Connection: close`, and its connection is closed once the answer is written; a live stream
  /// says so from its beginning. A connection without a request under way is closed at once. When
  /// the time is up, requests that wait for a reactor get their answer, that it has ended, and what
  /// a client has yet to send of a request, or to read of an answer, is not waited for any longer.
  ///
  /// - Parameters:
  ///   - reactors: What is to be told.
  ///   - configuration: As of any HTTP/1.1 server.
  /// - Returns: What an `Application` is made with.
  public static func http1(
    serving reactors: ReactorService, configuration: HTTP1Channel.Configuration = .init()
  ) -> HTTPServerBuilder {
    var configuration = configuration
    let handlers = configuration.additionalChannelHandlers
    configuration.additionalChannelHandlers = {
      let last = LastAnswer {
        switch reactors.phase {
        case .waiting, .running: false
        case .draining, .ended: true
        }
      }
      return [RequestWatch()] + handlers() + [last]
    }
    return HTTPServerBuilder { [configuration] responder in
      ServingChannel(
        base: HTTP1Channel(responder: responder, configuration: configuration), reactors: reactors)
    }
  }
}

/// A channel of a server whose connections know when their clients have gone.
struct ServingChannel<Base: ServerChildChannel>: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let base: Base.Value
    let connection: ServedConnection

    var channel: any Channel { base.channel }
  }

  let base: Base
  let reactors: ReactorService

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let connection = ServedConnection()
    // The first of all handlers, and there before anything is read.
    return channel.pipeline.addHandler(connection, position: .first).flatMap {
      base.setup(channel: channel, logger: logger)
    }.map { Value(base: $0, connection: connection) }
  }

  func handle(value: Value, logger: Logger) async {
    await withGracefulShutdownHandler {
      await value.connection.run { await base.handle(value: value.base, logger: logger) }
    } onGracefulShutdown: {
      reactors.shutdownHasBegun()
      reactors.whenTimeIsUp { [weak connection = value.connection] in connection?.timeIsUp() }
    }
  }
}
