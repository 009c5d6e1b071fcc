/// A dependency, as it was where its owner was made.
@propertyWrapper
public struct ReactorDependency<Value: Sendable>: Sendable {
  /// The dependency.
  public let wrappedValue: Value

  /// Takes it from ``ReactorDependencies/current``.
  ///
  /// - Parameters:
  ///   - name: Which one.
  ///   - fileID: Where a test fails that did not replace it.
  ///   - filePath: Where a test fails that did not replace it.
  ///   - line: Where a test fails that did not replace it.
  ///   - column: Where a test fails that did not replace it.
  public init(
    _ name: KeyPath<ReactorDependencies, Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    var values = ReactorDependencies.current
    values.place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    wrappedValue = values[keyPath: name]
  }
}
