import Foundation
import Hummingbird
import NIOCore

/// The fields of a submitted form, limited in number and size.
struct FormData: Sendable {
  private var fields: [String: String] = [:]

  /// Parses a request.
  ///
  /// - Throws: `HTTPError`: 415, 413 or 400.
  init(_ request: Request) async throws {
    let type = request.headers[.contentType].flatMap { MediaType(from: $0) }
    guard let type, type.isType(.applicationUrlEncoded) else {
      throw HTTPError(.unsupportedMediaType, message: "Send a form.")
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: 8192)
    } catch is NIOTooManyBytesError {
      throw HTTPError(.contentTooLarge, message: "That is too long.")
    }
    guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
      throw HTTPError(.badRequest, message: "That is no text.")
    }
    for field in text.split(separator: "&").prefix(20) {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map { $0.replacing("+", with: " ").removingPercentEncoding }
      guard let name = decoded[0], let value = decoded.count > 1 ? decoded[1] : "" else {
        throw HTTPError(.badRequest, message: "That is no form.")
      }
      fields[name] = value
    }
  }

  subscript(name: String) -> String { fields[name] ?? "" }

  /// Returns a path of this site, or `/`, so that a redirect never leads to another site.
  static func local(_ path: String) -> String {
    guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count < 500,
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return path
  }
}
