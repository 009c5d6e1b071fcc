import Foundation
public import Hummingbird
public import Reactor

/// Where a route finds its reactor: the one there is, or one of a registry, by the path.
@usableFromInline
protocol ReactorSource<R>: Sendable {
  associatedtype R: Reactor
  associatedtype Key: Hashable & Sendable

  func key(in parameters: Parameters) throws -> Key

  /// Does something with the reactor, which is kept until it is done.
  nonisolated(nonsending) func with<Result>(
    _ key: Key, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result
}

/// One reactor, whatever the path.
@usableFromInline
struct OneReactor<R: Reactor>: ReactorSource {
  @usableFromInline
  struct Key: Hashable, Sendable {
    @inlinable
    init() {}
  }

  @usableFromInline let reactor: R

  @inlinable
  init(reactor: R) { self.reactor = reactor }

  @inlinable
  func key(in parameters: Parameters) -> Key { Key() }

  @inlinable
  nonisolated(nonsending) func with<Result>(
    _ key: Key, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result { try await body(reactor) }
}

/// One of many, whose key is a parameter of the path.
@usableFromInline
struct RegisteredReactors<ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor>:
  ReactorSource
{
  @usableFromInline let registry: ReactorRegistry<ID, R>
  @usableFromInline let parameter: String

  @inlinable
  init(registry: ReactorRegistry<ID, R>, parameter: String) {
    self.registry = registry
    self.parameter = parameter
  }

  @inlinable
  func key(in parameters: Parameters) throws -> ID {
    try Self.key(ReactorKey.text(parameters, parameter))
  }

  @inlinable
  static func key(_ text: String?) throws -> ID {
    guard let key = ID(text ?? "") else { throw ReactorKey.wrong(text, for: ID.self) }
    return key
  }

  @inlinable
  nonisolated(nonsending) func with<Result>(
    _ key: ID, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result { try await registry.with(key, body) }
}

/// The words of a path that are a key.
@usableFromInline
enum ReactorKey {
  /// A parameter of the path, as it is meant: with a blank where a client has sent %20.
  @usableFromInline
  static func text(_ parameters: Parameters, _ name: String) throws -> String {
    guard let text = parameters.get(name) else {
      throw ReactorHTTPError(
        .internalServerError, reason: "path", "the path of this route has no {\(name)}")
    }
    return text.utf8.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding ?? text : text
  }

  @usableFromInline
  static func wrong(_ text: String?, for type: Any.Type) -> ReactorHTTPError {
    ReactorHTTPError(.badRequest, reason: "key", "'\(text ?? "")' is no \(type)")
  }
}
