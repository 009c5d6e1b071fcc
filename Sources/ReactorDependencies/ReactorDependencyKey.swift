/// The key of a dependency, with its default value.
public protocol ReactorDependencyKey {
  /// The type of the dependency.
  associatedtype Value: Sendable

  /// The value that is used if no other was set; read each time.
  static var defaultValue: Value { get }

  /// Whether a test may read the default.
  ///
  /// If false, which is the default, reading it fails the test.
  ///
  /// Return true if the default does the same in each test and uses nothing outside: a limit, a
  /// locale.
  static var allowsDefaultInTests: Bool { get }
}

extension ReactorDependencyKey {
  /// False: a test has to replace what it reads.
  public static var allowsDefaultInTests: Bool { false }
}
