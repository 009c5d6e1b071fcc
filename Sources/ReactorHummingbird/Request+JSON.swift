import HTTPTypes
public import Hummingbird

extension Request {
  /// Requires that the request declares its body as JSON, as the routes of this module do.
  ///
  /// A page of another origin can make a browser send a form or a text, with the cookies of this
  /// origin. It cannot send JSON, unless the service allows it.
  ///
  /// ```swift
  /// try request.requireJSON()
  /// let order = try await request.decode(as: Order.self, context: context)
  /// ```
  ///
  /// - Throws: ``ReactorHTTPError`` with status 415.
  public func requireJSON() throws {
    let type = headers[.contentType].flatMap { MediaType(from: $0) }
    guard type?.isType(.applicationJson) == true else { throw ReactorHTTPError.notJSON }
  }
}

extension ReactorHTTPError {
  static let notJSON = Self(
    .unsupportedMediaType, reason: "contentType",
    "send JSON, and say so: Content-Type: application/json")
}
