import Foundation
import Hummingbird
import NIOCore
import RepositoryCore

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

  /// The page's address, which is one of this site.
  var back: String { Route.local(self["back"]) }

  /// Where the window of a page with scripts is; `nil` if the fields are not those of a window.
  var place: Place? {
    guard let window = WindowID(self["window"]), let index = Int(self["index"]),
      let route = Route(address: back)
    else { return nil }
    return Place(window, at: route, index: index, address: back)
  }
}
