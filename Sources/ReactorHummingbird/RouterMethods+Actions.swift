public import Hummingbird
public import Reactor
public import ReactorComposition

extension RouterMethods {
  /// Adds a route through which clients send actions to a reactor as JSON.
  ///
  /// ```swift
  /// router.post("office/actions", sending: office)
  /// // curl -H 'Content-Type: application/json' -d '{"open": {}}' …/office/actions
  /// ```
  ///
  /// The response is the outcome of the action: `200` if it has finished, otherwise a
  /// ``ReactorHTTPError``. With `Prefer: respond-async` the response is `202`, as soon as the
  /// action has been accepted.
  ///
  /// **A client that disconnects** cancels the action, unless the request has an `Idempotency-Key`.
  /// Then the action continues, and the same request again gets the same response. For this, build
  /// the server with `http1(serving:)`. A client that closes its sending side after the request
  /// counts as disconnected, even if it still reads. A client whose `Request-Timeout` is over is
  /// treated in the same way. The deadline of the options cancels the action in any case.
  ///
  /// **A journaled reactor** stores the key and the response in its journal, so the same request
  /// gets the same response also after a crash. If the action had begun and its outcome is unknown,
  /// the response is `409`. An effect that changes something outside before it has emitted a
  /// mutation is run again after a crash. Emit first, and wait with `emit.durable()`. With
  /// `Prefer: respond-async` the key is only stored in memory.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reactor: The reactor.
  ///   - options: Limits and deadlines.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func post<R: Reactor>(
    _ path: RouterPath, sending reactor: R, options: ActionOptions = ActionOptions()
  ) -> Self where R.Action: Decodable { send(path, OneReactor(reactor: reactor), options) }

  /// Adds a route through which clients send actions to the reactors of a registry as JSON.
  ///
  /// ```swift
  /// router.post("carts/{id}/actions", sending: carts)
  /// ```
  ///
  /// What the registry's `make` throws is the response, so it can reject unknown keys. Everything
  /// else is as in ``post(_:sending:options:)``.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the parameter of the path that is the key.
  ///   - options: Limits and deadlines.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func post<ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor>(
    _ path: RouterPath, sending registry: ReactorRegistry<ID, R>, key: String = "id",
    options: ActionOptions = ActionOptions()
  ) -> Self where R.Action: Decodable {
    send(path, RegisteredReactors(registry: registry, parameter: key), options)
  }

  /// Adds a route that makes an action from the body of a request, and responds with the reactor's
  /// reply as JSON.
  ///
  /// ```swift
  /// router.post("office/tickets", asking: office) { (order: Order, reply: Reply<Ticket>) in
  ///   .buy(order.seats, reply)
  /// }
  /// ```
  ///
  /// The response is `200` with the reply, otherwise a ``ReactorHTTPError``. Everything else is as
  /// in ``post(_:sending:options:)``.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reactor: The reactor.
  ///   - options: Limits and deadlines.
  ///   - action: Makes the action from the body and the reply that it carries.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func post<R: Reactor, Body: Decodable & Sendable, Value: Encodable & Sendable>(
    _ path: RouterPath, asking reactor: R, options: ActionOptions = ActionOptions(),
    _ action: @escaping @Sendable (_ body: Body, _ reply: Reply<Value>) -> R.Action
  ) -> Self { ask(path, OneReactor(reactor: reactor), options, action) }

  /// Adds a route through which clients ask the reactors of a registry; see
  /// ``post(_:asking:options:_:)``.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the parameter of the path that is the key.
  ///   - options: Limits and deadlines.
  ///   - action: Makes the action from the body and the reply that it carries.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func post<
    ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor, Body: Decodable & Sendable,
    Value: Encodable & Sendable
  >(
    _ path: RouterPath, asking registry: ReactorRegistry<ID, R>, key: String = "id",
    options: ActionOptions = ActionOptions(),
    _ action: @escaping @Sendable (_ body: Body, _ reply: Reply<Value>) -> R.Action
  ) -> Self { ask(path, RegisteredReactors(registry: registry, parameter: key), options, action) }

  @inlinable
  func send<Source: ReactorSource>(
    _ path: RouterPath, _ source: Source, _ options: ActionOptions
  ) -> Self where Source.R.Action: Decodable {
    let route = ActionRoute(options)
    return post(path) { request, context in
      let parameters = context.parameters
      return try await route.respond(to: request, context.logger) { read, hasBegun in
        let key = try source.key(in: parameters)
        let action = try read.decode(Source.R.Action.self)
        return try await source.with(key) { reactor in
          try await reactor.once(read, &hasBegun) { _ in
            read.isAsynchronous
              ? try ActionResponse(accepted: reactor.send(action))
              : try ActionResponse(
                await reactor.outcome(of: action, within: read.deadline, clock: read.clock),
                of: reactor.identity)
          }
        }
      }
    }
  }

  @inlinable
  func ask<Source: ReactorSource, Body: Decodable & Sendable, Value: Encodable & Sendable>(
    _ path: RouterPath, _ source: Source, _ options: ActionOptions,
    _ action: @escaping @Sendable (Body, Reply<Value>) -> Source.R.Action
  ) -> Self {
    let route = ActionRoute(options)
    return post(path) { request, context in
      let parameters = context.parameters
      return try await route.respond(to: request, context.logger) { read, hasBegun in
        let key = try source.key(in: parameters)
        let body = try read.decode(Body.self)
        return try await source.with(key) { reactor in
          try await reactor.once(read, &hasBegun) { recorder in
            read.isAsynchronous
              ? try ActionResponse(accepted: reactor.send(action(body, Reply { _ in })))
              : try ActionResponse(
                await reactor.ask(within: read.deadline, clock: read.clock) { reply in
                  action(body, recorder?.recording(reply) ?? reply)
                })
          }
        }
      }
    }
  }
}
