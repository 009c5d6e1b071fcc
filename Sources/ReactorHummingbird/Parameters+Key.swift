public import Hummingbird

extension Parameters {
  /// A parameter of the path, read as a reactor's key as the routes of this module read it: a blank
  /// where a client has sent `%20`.
  ///
  /// ```swift
  /// let id = try context.parameters.requireKey("id")
  /// ```
  ///
  /// - Parameters:
  ///   - name: The parameter's name.
  ///   - type: What the key is.
  /// - Returns: The key.
  /// - Throws: ``ReactorHTTPError``: 400 where it is not percent-encoded UTF-8, or no such key; 500
  ///   where the path has no such parameter.
  @inlinable
  public func requireKey<ID: LosslessStringConvertible>(
    _ name: String, as type: ID.Type = String.self
  ) throws -> ID {
    let text = try ReactorKey.text(self, name)
    guard let key = ID(text) else { throw ReactorKey.wrong(text, for: type) }
    return key
  }
}
