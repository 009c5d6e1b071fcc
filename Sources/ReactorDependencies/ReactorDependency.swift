/// A dependency, with the value that it had when its owner was created.
@propertyWrapper
public struct ReactorDependency<Value: Sendable>: Sendable {
  /// The dependency.
  public let wrappedValue: Value

  /// Reads the dependency from ``ReactorDependencies/current``.
  ///
  /// - Parameters:
  ///   - name: The dependency.
  ///   - fileID: The source location at which a test fails that did not replace it; leave it and
  ///     the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public init(
    _ name: KeyPath<ReactorDependencies, Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    var values = ReactorDependencies.current
    values.place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    wrappedValue = values[keyPath: name]
  }
}
