import Foundation
import HTTPTypes
public import Hummingbird
public import Reactor
public import ReactorComposition

/// One of the views that a stream of several live states can contain; see
/// `get(_:streaming:options:)`.
public struct LiveView: Sendable {
  let source: any LiveSource

  /// Creates a view of a reactor's states, which clients request by name: `?office`.
  ///
  /// - Parameters:
  ///   - name: The name in the query, and the name of the events.
  ///   - reactor: The reactor.
  ///   - select: Selects the part of the state that clients see.
  public init<R: Reactor, View: Encodable & Sendable>(
    _ name: String, of reactor: R, select: @escaping @Sendable (_ state: R.State) -> View
  ) {
    source = KeyedLiveHubs(
      name, OneReactor(reactor: reactor), keyed: { _ in .init() }, select: select)
  }

  /// Creates a view of the reactors of a registry, which clients request by name and key:
  /// `?cart=42&cart=43`.
  ///
  /// - Parameters:
  ///   - name: The name in the query. With the key, it is the name of the events: `cart/42`.
  ///   - registry: The registry.
  ///   - select: Selects the part of the state that clients see.
  public init<
    ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor, View: Encodable & Sendable
  >(
    _ name: String, of registry: ReactorRegistry<ID, R>,
    select: @escaping @Sendable (_ state: R.State) -> View
  ) {
    let reactors = RegisteredReactors(registry: registry, parameter: name)
    source = KeyedLiveHubs(
      name, reactors, keyed: { try RegisteredReactors<ID, R>.key($0) }, select: select)
  }
}

extension RouterMethods {
  /// Adds a route that streams a reactor's states as server-sent events.
  ///
  /// ```swift
  /// router.get("office/events", streaming: office) { $0.view }
  /// // new EventSource("/office/events").onmessage = (event) => show(JSON.parse(event.data))
  /// ```
  ///
  /// The first event is the current state. Then the newest state is sent whenever the client can
  /// receive it, and states in between are skipped. So a slow client costs the memory of one state.
  /// The selected part is encoded once for all clients, and is not sent if it has not changed.
  ///
  /// **Reconnecting**: the `id` of an event consists of the reactor and the version of the state. A
  /// client that reconnects with it as `Last-Event-ID` gets the current state if that differs.
  ///
  /// **End**: the stream ends when the reactor ends, when the client disconnects, and when the
  /// server shuts down. So it does not delay the shutdown.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reactor: The reactor.
  ///   - options: The heartbeat, and the delay before a client reconnects.
  ///   - select: Selects the part of the state that clients see.
  /// - Returns: The router.
  @discardableResult
  public func get<R: Reactor, View: Encodable & Sendable>(
    _ path: RouterPath, streaming reactor: R, options: LiveOptions = LiveOptions(),
    select: @escaping @Sendable (_ state: R.State) -> View
  ) -> Self {
    let states = KeyedLiveHubs(
      nil, OneReactor(reactor: reactor), keyed: { _ in .init() }, select: select)
    return stream(path, options) { _, _ in [(states, nil)] }
  }

  /// Adds a route that streams the states of a registry's reactors; see
  /// `get(_:streaming:options:select:)`.
  ///
  /// A reactor is in use while a client is connected.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the parameter of the path that is the key.
  ///   - options: The heartbeat, and the delay before a client reconnects.
  ///   - select: Selects the part of the state that clients see.
  /// - Returns: The router.
  @discardableResult
  public func get<
    ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor, View: Encodable & Sendable
  >(
    _ path: RouterPath, streaming registry: ReactorRegistry<ID, R>, key: String = "id",
    options: LiveOptions = LiveOptions(),
    select: @escaping @Sendable (_ state: R.State) -> View
  ) -> Self {
    let reactors = RegisteredReactors(registry: registry, parameter: key)
    let states = KeyedLiveHubs(
      nil, reactors, keyed: { try RegisteredReactors<ID, R>.key($0) }, select: select)
    return stream(path, options) { _, context in
      try [(states, context.parameters.get(key).map(ReactorKey.decoded))]
    }
  }

  /// Adds a route that streams the states of several reactors in one stream, for a whole page.
  ///
  /// A browser has at most six connections to a server, and a stream takes one.
  ///
  /// ```swift
  /// router.get("events", streaming: [
  ///   LiveView("cart", of: carts) { $0.view },
  ///   LiveView("office", of: office) { $0.totals },
  /// ])
  /// // new EventSource("/events?office&cart=42&cart=43")
  /// //   .addEventListener("cart/42", (event) => …)
  /// ```
  ///
  /// If one of the reactors ends, the stream ends. Everything else is as in
  /// `get(_:streaming:options:select:)`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - views: The views that clients may request.
  ///   - options: The heartbeat, the delay before a client reconnects, and the maximum number of
  ///     states in one stream.
  /// - Returns: The router.
  @discardableResult
  public func get(
    _ path: RouterPath, streaming views: [LiveView], options: LiveOptions = LiveOptions()
  ) -> Self {
    stream(path, options) { request, _ in
      let wanted = request.uri.queryParameters
      guard (1...options.limit).contains(wanted.count) else {
        throw ReactorHTTPError(
          .badRequest, reason: "views",
          "ask for 1 to \(options.limit) of: \(views.compactMap(\.source.name))")
      }
      return try wanted.map { name, key in
        guard let view = views.first(where: { $0.source.name == String(name) }) else {
          throw ReactorHTTPError(.notFound, reason: "view", "there is no view '\(name)'")
        }
        return (view.source, key.isEmpty ? nil : String(key))
      }
    }
  }

  private func stream(
    _ path: RouterPath, _ options: LiveOptions,
    _ wanted:
      @escaping @Sendable (Request, Context) throws -> [(source: any LiveSource, key: String?)]
  ) -> Self {
    let heartbeat = LiveHeartbeat(options)
    return get(path) { request, context in
      do {
        let session = try LiveSession(
          try wanted(request, context), lastEventID: request.headers[.lastEventID],
          heartbeat: heartbeat,
          options: options, logger: context.logger)
        try await session.ready()
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // A stream cannot announce the end of its connection later, since its headers have been
        // sent.
        if ServedConnection.current != nil { headers[.connection] = "close" }
        return Response(
          status: .ok, headers: headers, body: ResponseBody { try await session.write(to: &$0) })
      } catch {
        return try ReactorHTTPError.response(to: error, context.logger)
      }
    }
  }
}

extension HTTPField.Name {
  /// The header with the `id` of the last event that a browser has received.
  static let lastEventID = named("Last-Event-ID")
}
