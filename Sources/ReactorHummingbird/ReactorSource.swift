import Foundation
public import Hummingbird
public import Reactor
public import ReactorComposition

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
    try parameters.requireKey(parameter, as: ID.self)
  }

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
    return try meant(text)
  }

  /// A word of a path as it is meant.
  static func meant(_ text: String) throws -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    guard let meant = text.removingPercentEncoding else {
      throw ReactorHTTPError(
        .badRequest, reason: "key", "'\(text)' is not percent-encoded UTF-8; a '%' itself is '%25'")
    }
    return meant
  }

  /// A path as the routes read it: several ways of writing it lead to one reactor.
  static func plain(_ path: String) -> String {
    let parts = path.split(separator: "/").map { part in
      let text = (part.removingPercentEncoding ?? String(part))
        .precomposedStringWithCanonicalMapping
      return text.replacing("%", with: "%25").replacing("/", with: "%2F")
    }
    return "/" + parts.joined(separator: "/")
  }

  @usableFromInline
  static func wrong(_ text: String?, for type: Any.Type) -> ReactorHTTPError {
    ReactorHTTPError(.badRequest, reason: "key", "'\(text ?? "")' is no \(type)")
  }
}
