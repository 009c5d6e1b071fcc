/// By what a dependency is known, and what it is where no other has been set.
public protocol ReactorDependencyKey {
  /// The kind of value.
  associatedtype Value: Sendable

  /// What it is unless something else was set; asked for each time.
  static var defaultValue: Value { get }
}
