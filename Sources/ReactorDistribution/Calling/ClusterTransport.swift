package import Foundation

/// Sends calls between hosts.
package protocol ClusterTransport: Sendable {
  /// Starts to answer calls.
  ///
  /// - Parameters:
  ///   - address: The address of this host, as the user specified it.
  ///   - secret: The secret that a caller has to send.
  ///   - receive: Answers a call.
  /// - Throws: An error if this host cannot listen at the address.
  func serve(
    at address: String, secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) async throws

  /// Calls a host; the call is cancelled with its task.
  ///
  /// - Throws: ``HostUnreachable`` if the call did not arrive; any other error if that is unknown.
  func call(_ message: Data, at address: String, secret: String) async throws -> Data

  /// Sends no more calls, and answers none.
  func close() async
}

/// A host could not be reached, so it has not received the call.
package struct HostUnreachable: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The transport of a cluster with one host, which calls no other.
struct NoTransport: ClusterTransport {
  func serve(
    at address: String, secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) {}

  func call(_ message: Data, at address: String, secret: String) throws -> Data {
    throw HostUnreachable("this cluster has one host")
  }

  func close() {}
}
