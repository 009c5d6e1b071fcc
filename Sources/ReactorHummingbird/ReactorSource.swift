import Foundation
import Hummingbird
import Reactor

/// Where a route finds its reactor: the one there is, or one of a registry, by the path.
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
struct OneReactor<R: Reactor>: ReactorSource {
  struct Key: Hashable, Sendable {}

  let reactor: R

  func key(in parameters: Parameters) -> Key { Key() }

  nonisolated(nonsending) func with<Result>(
    _ key: Key, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result { try await body(reactor) }
}

/// One of many, whose key is a parameter of the path.
struct RegisteredReactors<ID: Hashable & Sendable & LosslessStringConvertible, R: Reactor>:
  ReactorSource
{
  let registry: ReactorRegistry<ID, R>
  let parameter: String

  func key(in parameters: Parameters) throws -> ID {
    guard let text = parameters.get(parameter) else {
      throw ReactorHTTPError(
        .internalServerError, reason: "path", "the path of this route has no {\(parameter)}")
    }
    // As a client has sent it: with %20 for a blank.
    return try Self.key(text.removingPercentEncoding ?? text)
  }

  static func key(_ text: String?) throws -> ID {
    guard let key = ID(text ?? "") else {
      throw ReactorHTTPError(.badRequest, reason: "key", "'\(text ?? "")' is no \(ID.self)")
    }
    return key
  }

  nonisolated(nonsending) func with<Result>(
    _ key: ID, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result { try await registry.with(key, body) }
}
