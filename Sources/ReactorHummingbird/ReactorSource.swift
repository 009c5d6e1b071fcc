import Foundation
public import Hummingbird
public import Reactor
public import ReactorComposition

/// Finds the reactor of a request: a single one, or one of a registry by a parameter of the path.
@usableFromInline
protocol ReactorSource<R>: Sendable {
  associatedtype R: Reactor
  associatedtype Key: Hashable & Sendable

  func key(in parameters: Parameters) throws -> Key

  /// Uses the reactor, which is kept alive meanwhile.
  nonisolated(nonsending) func with<Result>(
    _ key: Key, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result
}

/// A single reactor, which does not depend on the path.
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

/// A registry, whose key is a parameter of the path.
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
    guard let key = ID(text ?? "") else { throw ReactorKey.invalidKey(text, for: ID.self) }
    return key
  }

  @inlinable
  nonisolated(nonsending) func with<Result>(
    _ key: ID, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result { try await registry.with(key, body) }
}

/// Converts parts of a path to keys.
@usableFromInline
enum ReactorKey {
  /// Returns a parameter of the path, percent-decoded.
  @usableFromInline
  static func text(_ parameters: Parameters, _ name: String) throws -> String {
    guard let text = parameters.get(name) else {
      throw ReactorHTTPError(
        .internalServerError, reason: "path", "the path of this route has no {\(name)}")
    }
    return try decoded(text)
  }

  /// Returns a part of a path, percent-decoded.
  static func decoded(_ text: String) throws -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    guard let decoded = text.removingPercentEncoding else {
      throw ReactorHTTPError(
        .badRequest, reason: "key", "'\(text)' is not percent-encoded UTF-8; a '%' itself is '%25'")
    }
    return decoded
  }

  /// Returns the canonical form of a path, since different spellings lead to the same reactor.
  static func canonicalPath(_ path: String) -> String {
    let parts = path.split(separator: "/").map { part in
      let text = (part.removingPercentEncoding ?? String(part))
        .precomposedStringWithCanonicalMapping
      return text.replacing("%", with: "%25").replacing("/", with: "%2F")
    }
    return "/" + parts.joined(separator: "/")
  }

  @usableFromInline
  static func invalidKey(_ text: String?, for type: Any.Type) -> ReactorHTTPError {
    ReactorHTTPError(.badRequest, reason: "key", "'\(text ?? "")' is no \(type)")
  }
}
