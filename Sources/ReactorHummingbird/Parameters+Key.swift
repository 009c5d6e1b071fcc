public import Hummingbird

extension Parameters {
  /// Returns a parameter of the path as a reactor's key, percent-decoded as the routes of this
  /// module do.
  ///
  /// A client that sends `%20` means a blank.
  ///
  /// ```swift
  /// let id = try context.parameters.requireKey("id")
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the parameter.
  ///   - type: The type of the key.
  /// - Returns: The key.
  /// - Throws: ``ReactorHTTPError``: 400 if the parameter is not percent-encoded UTF-8 or not a key
  ///   of this type; 500 if the path has no such parameter.
  @inlinable
  public func requireKey<ID: LosslessStringConvertible>(
    _ name: String, as type: ID.Type = String.self
  ) throws -> ID {
    let text = try ReactorKey.text(self, name)
    guard let key = ID(text) else { throw ReactorKey.invalidKey(text, for: type) }
    return key
  }
}
