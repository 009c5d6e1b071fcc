import Hummingbird
public import HummingbirdCore
import Logging
import NIOCore
public import ReactorLifecycle
import ServiceLifecycle

extension HTTPServerBuilder {
  /// An HTTP/1.1 server for reactors, which detects clients that disconnect, and announces its
  /// shutdown.
  ///
  /// ```swift
  /// let app = Application(router: router, server: .http1(serving: reactors))
  /// ```
  ///
  /// **A client that disconnects** cancels the task that handles its request, and so also what the
  /// task asks of a reactor. A live stream ends. A client that only closes its sending side counts
  /// as disconnected, even if it still reads, since the server cannot distinguish the two.
  ///
  /// **When the server shuts down**, it notifies the reactors that their time to drain has begun;
  /// see ``/ReactorLifecycle/ReactorService/shutdownHasBegun()``. From then on each response has
  /// `Connection: close`, and its connection is closed once the response is written. A live stream
  /// has this header from its beginning. A connection without a current request is closed at once.
  /// When the time is over, requests that wait for a reactor get the response that it has ended.
  /// The server then no longer waits for the rest of a request, or for a client to read a response.
  ///
  /// - Parameters:
  ///   - reactors: The service to notify.
  ///   - configuration: The configuration of the HTTP/1.1 server.
  /// - Returns: The server for an `Application`.
  public static func http1(
    serving reactors: ReactorService, configuration: HTTP1Channel.Configuration = .init()
  ) -> HTTPServerBuilder {
    var configuration = configuration
    let handlers = configuration.additionalChannelHandlers
    configuration.additionalChannelHandlers = {
      let last = ConnectionCloseHandler {
        switch reactors.phase {
        case .waiting, .running: false
        case .draining, .ended: true
        }
      }
      return [RequestProgressHandler()] + handlers() + [last]
    }
    return HTTPServerBuilder { [configuration] responder in
      ServingChannel(
        base: HTTP1Channel(responder: responder, configuration: configuration), reactors: reactors)
    }
  }
}

/// A channel whose connections detect that their clients have disconnected.
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
    // It is the first handler, and is added before anything is read.
    return channel.pipeline.addHandler(connection, position: .first).flatMap {
      base.setup(channel: channel, logger: logger)
    }.map { Value(base: $0, connection: connection) }
  }

  func handle(value: Value, logger: Logger) async {
    await withGracefulShutdownHandler {
      await value.connection.run { await base.handle(value: value.base, logger: logger) }
    } onGracefulShutdown: {
      reactors.shutdownHasBegun()
      reactors.onDrainTimeout { [weak connection = value.connection] in connection?.drainTimedOut()
      }
    }
  }
}
