public import Hummingbird
public import Reactor
public import ReactorComposition

extension RouterMethods {
  /// Shows a reactor's state, as JSON.
  ///
  /// ```swift
  /// router.get("office", of: office) { $0.view }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reactor: The reactor.
  ///   - select: What of the state clients see.
  /// - Returns: The router.
  @inlinable
  @discardableResult
  public func get<R: Reactor, View: Encodable & Sendable>(
    _ path: RouterPath, of reactor: R, select: @escaping @Sendable (_ state: R.State) -> View
  ) -> Self { show(path, OneReactor(reactor: reactor), select) }

  /// Shows the states of a registry's reactors, as JSON.
  ///
  /// A reactor that there is not is made for it; what the registry's `make` throws is the answer.
  ///
  /// - Parameters:
  ///   - path: The path, with the key in it.
  ///   - registry: The registry.
  ///   - key: The name of the path's parameter that is the key.
  ///   - select: What of the state clients see.
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
        let state = try await source.with(key) { await $0.shownState }
        return try ActionAnswer(select(state)).response
      } catch {
        return try ReactorHTTPError.response(to: error, context.logger)
      }
    }
  }
}

extension Reactor {
  /// The state as clients may see it: of a journaled reactor, that which no crash takes back.
  @inlinable
  nonisolated(nonsending) var shownState: State {
    get async {
      if Self.isJournaled {
        var states = state.buffering(.newest).makeAsyncIterator()
        if let newest = await states.next() { return newest }
      }
      return await currentState
    }
  }
}
