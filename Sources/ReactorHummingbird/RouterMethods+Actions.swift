public import Hummingbird
public import Reactor
public import ReactorComposition

extension RouterMethods {
  /// Lets clients send actions to a reactor, as JSON.
  ///
  /// ```swift
  /// router.post("office/actions", sending: office)
  /// // curl -H 'Content-Type: application/json' -d '{"open": {}}' …/office/actions
  /// ```
  ///
  /// The answer is how the action's work ended: `200` when it has finished, else what
  /// ``ReactorHTTPError`` says. With `Prefer: respond-async` it is `202`, as soon as the action has
  /// been taken.
  ///
  /// **A client that goes away** cancels the action, unless it gave an `Idempotency-Key`: then the
  /// action goes on, and the same request again gets the same answer. For that the server is built
  /// with `http1(serving:)`. A client that closes its sending side after its request, and still
  /// reads, counts as gone. It is the same with one that waits no longer than its
  /// `Request-Timeout`; the deadline of the options cancels the action in any case.
  ///
  /// **A journaled reactor** keeps the key and the answer in its journal, so that the same request
  /// gets the same answer after a crash as well; or a `409` where it had been begun, and what came
  /// of it is not known. An effect that touches the world before it has emitted anything is done
  /// anew after a crash: emit first, and wait with `emit.durable()`. With `Prefer: respond-async`
  /// the key is known in memory alone.
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

  /// Lets clients send actions to the reactors of a registry, as JSON; see
  /// ``post(_:sending:options:)``.
  ///
  /// ```swift
  /// router.post("rooms/{id}/actions", sending: rooms)
  /// ```
  ///
  /// What the registry's `make` throws is the answer: there a key that there is not is refused.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the path's parameter that is the key.
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

  /// Lets clients ask a reactor: what they send is made into an action, and the answer is JSON.
  ///
  /// ```swift
  /// router.post("office/tickets", asking: office) { (order: Order, reply: Reply<Ticket>) in
  ///   .buy(order.seats, reply)
  /// }
  /// ```
  ///
  /// The answer is `200` with what the reactor replied, else what ``ReactorHTTPError`` says. For
  /// the rest it is ``post(_:sending:options:)``.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reactor: The reactor.
  ///   - options: Limits and deadlines.
  ///   - action: Makes the action from the body and the reply that it is to carry.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func post<R: Reactor, Body: Decodable & Sendable, Value: Encodable & Sendable>(
    _ path: RouterPath, asking reactor: R, options: ActionOptions = ActionOptions(),
    _ action: @escaping @Sendable (_ body: Body, _ reply: Reply<Value>) -> R.Action
  ) -> Self { ask(path, OneReactor(reactor: reactor), options, action) }

  /// Lets clients ask the reactors of a registry; see ``post(_:asking:options:_:)``.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the path's parameter that is the key.
  ///   - options: Limits and deadlines.
  ///   - action: Makes the action from the body and the reply that it is to carry.
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
              ? try ActionAnswer(taken: reactor.send(action))
              : try ActionAnswer(
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
          try await reactor.once(read, &hasBegun) { note in
            read.isAsynchronous
              ? try ActionAnswer(taken: reactor.send(action(body, Reply { _ in })))
              : try ActionAnswer(
                await reactor.ask(within: read.deadline, clock: read.clock) { reply in
                  action(body, note?.noting(reply) ?? reply)
                })
          }
        }
      }
    }
  }
}
