/// By what a dependency is known, and what it is where no other has been set.
public protocol ReactorDependencyKey {
  /// The kind of value.
  associatedtype Value: Sendable

  /// What it is unless something else was set; asked for each time.
  static var defaultValue: Value { get }

  /// Whether a test may read the default; if not, which is the default, reading it fails the test.
  ///
  /// True for what does the same in each test and reaches nothing outside: a limit, a locale.
  static var allowsDefaultInTests: Bool { get }
}

extension ReactorDependencyKey {
  /// False: a test replaces what it reads.
  public static var allowsDefaultInTests: Bool { false }
}
