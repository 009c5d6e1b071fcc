import Foundation
import HTTPTypes
public import Hummingbird
public import Reactor
public import ReactorComposition

/// What one stream of live states can have in it, among others; see
/// `get(_:streaming:options:)`.
public struct LiveView: Sendable {
  let source: any LiveSource

  /// The states of a reactor, under a name: `?office`.
  ///
  /// - Parameters:
  ///   - name: What clients ask for it by, and what its events are called.
  ///   - reactor: The reactor.
  ///   - select: What of the state clients see.
  public init<R: Reactor, View: Encodable & Sendable>(
    _ name: String, of reactor: R, select: @escaping @Sendable (_ state: R.State) -> View
  ) {
    source = LiveStates(name, OneReactor(reactor: reactor), keyed: { _ in .init() }, select: select)
  }

  /// The states of a registry's reactors, under a name and a key: `?room=lobby&room=hall`.
  ///
  /// - Parameters:
  ///   - name: What clients ask for them by, and what their events are called: `room/lobby`.
  ///   - registry: The registry.
  ///   - select: What of the state clients see.
  public init<
    ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor, View: Encodable & Sendable
  >(
    _ name: String, of registry: ReactorRegistry<ID, R>,
    select: @escaping @Sendable (_ state: R.State) -> View
  ) {
    let reactors = RegisteredReactors(registry: registry, parameter: name)
    source = LiveStates(
      name, reactors, keyed: { try RegisteredReactors<ID, R>.key($0) }, select: select)
  }
}

extension RouterMethods {
  /// Shows a reactor's state live: a stream of server-sent events.
  ///
  /// ```swift
  /// router.get("office/events", streaming: office) { $0.view }
  /// // new EventSource("/office/events").onmessage = (event) => show(JSON.parse(event.data))
  /// ```
  ///
  /// The first event is the current state; then comes the newest one whenever the client can take
  /// it, and those in between are skipped, so that a slow client costs one state. What is selected
  /// is encoded once, for all clients; where it has not changed nothing is sent.
  ///
  /// **Coming again**: an event's `id` is the reactor and the state's version. A client that comes
  /// again with it as `Last-Event-ID` gets the state if that is another one.
  ///
  /// **Ends** when the reactor does, when the client goes, and when the server is to end: so it
  /// holds up nobody.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reactor: The reactor.
  ///   - options: Heartbeat, and when to come again.
  ///   - select: What of the state clients see.
  /// - Returns: The router.
  @discardableResult
  public func get<R: Reactor, View: Encodable & Sendable>(
    _ path: RouterPath, streaming reactor: R, options: LiveOptions = LiveOptions(),
    select: @escaping @Sendable (_ state: R.State) -> View
  ) -> Self {
    let states = LiveStates(
      nil, OneReactor(reactor: reactor), keyed: { _ in .init() }, select: select)
    return stream(path, options) { _, _ in [(states, nil)] }
  }

  /// Shows the states of a registry's reactors live; see `get(_:streaming:options:select:)`.
  ///
  /// A reactor is in use while a client looks.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the path's parameter that is the key.
  ///   - options: Heartbeat, and when to come again.
  ///   - select: What of the state clients see.
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
    let states = LiveStates(
      nil, reactors, keyed: { try RegisteredReactors<ID, R>.key($0) }, select: select)
    return stream(path, options) { _, context in
      try [(states, context.parameters.get(key).map(ReactorKey.meant))]
    }
  }

  /// Shows the states of several reactors live, in one stream for a whole page: a browser has six
  /// connections to a server, and a stream takes one.
  ///
  /// ```swift
  /// router.get("events", streaming: [
  ///   LiveView("room", of: rooms) { $0.view },
  ///   LiveView("office", of: office) { $0.totals },
  /// ])
  /// // new EventSource("/events?office&room=lobby&room=hall")
  /// //   .addEventListener("room/lobby", (event) => …)
  /// ```
  ///
  /// For the rest it is `get(_:streaming:options:select:)`. If one of the reactors ends, the stream
  /// does.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - views: What clients may ask for.
  ///   - options: Heartbeat, when to come again, and how many states one stream may have.
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
    let pulse = LivePulse(options)
    return get(path) { request, context in
      do {
        let session = try LiveSession(
          try wanted(request, context), lastEventID: request.headers[.lastEventID], pulse: pulse,
          options: options, logger: context.logger)
        try await session.ready()
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // When the stream is to end, it is too late to say that its connection does.
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
  /// What a browser says of the last event that it has seen.
  static let lastEventID = named("Last-Event-ID")
}
