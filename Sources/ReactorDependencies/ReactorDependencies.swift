import Reactor

/// The dependencies of reactors on the outside world: a clock, a client, a generator of
/// identifiers.
///
/// Each is a key with a default, and a name:
///
/// ```swift
/// enum ClockKey: ReactorDependencyKey {
///   static var defaultValue: any Clock<Duration> { ContinuousClock() }
/// }
/// extension ReactorDependencies {
///   var clock: any Clock<Duration> {
///     get { self[ClockKey.self] }
///     set { self[ClockKey.self] = newValue }
///   }
/// }
/// ```
///
/// A reactor reads them when it is created, and keeps the values:
///
/// ```swift
/// actor Search: Reactor {
///   @ReactorDependency(\.clock) private var clock
///   …
/// }
/// let search = ReactorDependencies.with { $0.clock = clock } make: { Search() }  // in a test
/// ```
///
/// So a reactor's dependencies do not depend on which code sends to it, nor on the task that an
/// effect runs in. Its children have the same dependencies. For objects that are created later, in
/// an effect or by a registry, store ``current`` at the right place, and create them with
/// `with(_:make:)`.
///
/// **In a test** that links `ReactorTesting`, reading a dependency that was not replaced fails the
/// test, with the dependency's name, and returns the default. In a detached task, which belongs to
/// no test, it fails the whole run. A key whose default is suitable for tests declares that with
/// ``ReactorDependencyKey/allowsDefaultInTests``; a test that needs the defaults sets
/// ``allowsDefaultsInTests``.
public struct ReactorDependencies: Sendable {
  /// The dependencies of what the current task creates now.
  public static var current: ReactorDependencies { bound }

  @TaskLocal private static var bound = ReactorDependencies()

  /// The task-local that binds the dependencies.
  ///
  /// It is registered before any value is bound, so that the children of a reactor inherit it.
  private static let inherited: TaskLocal<ReactorDependencies> = {
    InheritedLocals.add(TaskLocals($bound))
    return $bound
  }()

  /// Whether a test may read the defaults of keys that were not replaced.
  ///
  /// It applies where the values apply: to what is created inside `with(_:make:)`, and to its
  /// children.
  public var allowsDefaultsInTests = false

  /// The source location of the property that reads a dependency, during the read.
  var place: SourcePlace?
  /// Whether `with(_:make:)` is changing this value: a read in order to set is no use of a default.
  private var isChanging = false
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates dependencies that all have their defaults.
  public init() {}

  /// The dependency of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - name: The property that reads it, for the message of a failing test.
  ///   - fileID: The source location of the property; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public subscript<Key: ReactorDependencyKey>(
    key: Key.Type, name: StaticString = #function, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Key.Value {
    get {
      // Looked up first: if `Value` is optional, casting a missing value would succeed.
      if let value = values[ObjectIdentifier(key)] {
        return value as? Key.Value ?? Key.defaultValue
      }
      if !isChanging, !allowsDefaultsInTests, !Key.allowsDefaultInTests {
        let accessor = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        UnreplacedRead.report(of: key, name, at: place ?? accessor)
      }
      return Key.defaultValue
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Creates something with the current dependencies, some of which are replaced.
  ///
  /// **Runs on** the caller's executor. The replaced values apply to everything that is created
  /// inside, also by code that `make` calls, and to nothing else.
  ///
  /// - Parameters:
  ///   - change: Replaces some dependencies.
  ///   - make: Creates the object.
  /// - Returns: The object.
  /// - Throws: What `make` throws.
  public static func with<Made, Failure: Error>(
    _ change: (inout ReactorDependencies) -> Void, make: () throws(Failure) -> Made
  ) throws(Failure) -> Made {
    let result = inherited.withValue(changed(by: change)) {
      do throws(Failure) {
        return Result<Made, Failure>.success(try make())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Creates something asynchronously, with the current dependencies, some of which are replaced.
  ///
  /// - Parameters:
  ///   - change: Replaces some dependencies.
  ///   - make: Creates the object.
  /// - Returns: The object.
  /// - Throws: What `make` throws.
  nonisolated(nonsending) public static func with<Made>(
    _ change: (inout ReactorDependencies) -> Void,
    make: nonisolated(nonsending) () async throws -> Made
  ) async rethrows -> Made {
    try await inherited.withValue(changed(by: change), operation: make)
  }

  private static func changed(by change: (inout ReactorDependencies) -> Void) -> Self {
    var changed = current
    changed.isChanging = true
    change(&changed)
    changed.isChanging = false
    return changed
  }
}
