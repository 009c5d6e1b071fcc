package import Foundation

/// How hosts reach one another.
package protocol ClusterTransport: Sendable {
  /// Begins to answer calls.
  ///
  /// - Parameters:
  ///   - address: Where, as the user gave it.
  ///   - secret: What a caller has to show.
  ///   - receive: Answers a call.
  /// - Throws: Where it cannot be listened there.
  func serve(
    at address: String, secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) async throws

  /// Calls a host; cancelled with its task.
  ///
  /// - Throws: ``NotReached`` where the call did not arrive; anything else where it is not known
  ///   whether it did.
  func call(_ message: Data, at address: String, secret: String) async throws -> Data

  /// Calls no more, and answers none.
  func close() async
}

/// A host that could not be reached: it knows nothing of the call.
package struct NotReached: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// A cluster of one host calls no other.
struct NoTransport: ClusterTransport {
  func serve(
    at address: String, secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) {}

  func call(_ message: Data, at address: String, secret: String) throws -> Data {
    throw NotReached("this cluster has one host")
  }

  func close() {}
}
