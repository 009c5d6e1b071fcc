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
  /// - Throws: When there is no answer; it is not known then whether the call arrived.
  func call(_ message: Data, at address: String, secret: String) async throws -> Data

  /// Calls no more, and answers none.
  func close() async
}

/// A cluster of one host calls nobody.
struct NoTransport: ClusterTransport {
  struct Unreachable: Error {}

  func serve(
    at address: String, secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) {}

  func call(_ message: Data, at address: String, secret: String) throws -> Data {
    throw Unreachable()
  }

  func close() {}
}
