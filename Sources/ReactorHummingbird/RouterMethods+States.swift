public import Hummingbird
public import Reactor
public import ReactorComposition

extension RouterMethods {
  /// Adds a route that responds with a reactor's state as JSON.
  ///
  /// ```swift
  /// router.get("office", of: office) { $0.view }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reactor: The reactor.
  ///   - select: Selects the part of the state that clients see.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func get<R: Reactor, View: Encodable & Sendable>(
    _ path: RouterPath, of reactor: R, select: @escaping @Sendable (_ state: R.State) -> View
  ) -> Self { show(path, OneReactor(reactor: reactor), select) }

  /// Adds a route that responds with the state of a registry's reactor as JSON.
  ///
  /// A reactor that does not exist is made. What the registry's `make` throws is the response.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the parameter of the path that is the key.
  ///   - select: Selects the part of the state that clients see.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func get<
    ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor, View: Encodable & Sendable
  >(
    _ path: RouterPath, of registry: ReactorRegistry<ID, R>, key: String = "id",
    select: @escaping @Sendable (_ state: R.State) -> View
  ) -> Self { show(path, RegisteredReactors(registry: registry, parameter: key), select) }

  @inlinable
  func show<Source: ReactorSource>(
    _ path: RouterPath, _ source: Source,
    _ select: @escaping @Sendable (Source.R.State) -> some Encodable & Sendable
  ) -> Self {
    get(path) { request, context in
      do {
        let key = try source.key(in: context.parameters)
        let state = try await source.with(key) { await $0.visibleState }
        return try ActionResponse(select(state)).response
      } catch {
        return try ReactorHTTPError.response(to: error, context.logger)
      }
    }
  }
}

extension Reactor {
  /// The state that clients may see; of a journaled reactor, it is the last durable one.
  @inlinable
  nonisolated(nonsending) var visibleState: State {
    get async {
      if Self.isJournaled {
        var states = state.buffering(.newest).makeAsyncIterator()
        if let newest = await states.next() { return newest }
      }
      return await currentState
    }
  }
}
