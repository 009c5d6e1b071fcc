/// A dependency, as it was where its owner was made.
@propertyWrapper
public struct ReactorDependency<Value: Sendable>: Sendable {
  /// The dependency.
  public let wrappedValue: Value

  /// Takes it from ``ReactorDependencies/current``.
  ///
  /// - Parameter name: Which one.
  public init(_ name: KeyPath<ReactorDependencies, Value>) {
    wrappedValue = ReactorDependencies.current[keyPath: name]
  }
}
