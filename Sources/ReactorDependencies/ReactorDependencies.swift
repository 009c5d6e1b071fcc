import Reactor

/// What reactors need of the world: a clock, a client, a way to make ids.
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
/// A reactor takes them where it is made, and keeps what it has got:
///
/// ```swift
/// actor Search: Reactor {
///   @ReactorDependency(\.clock) private var clock
///   …
/// }
/// let search = ReactorDependencies.with { $0.clock = clock } make: { Search() }  // in a test
/// ```
///
/// So what a reactor has does not depend on who sends to it, nor on which task an effect runs in.
/// Its children have what it has. For what is made later, in an effect or by a registry, keep
/// ``current`` where it is right, and make it with `with(_:make:)`.
///
/// **In a test**, where `ReactorTesting` is linked, a dependency that is read and was not replaced
/// fails the test, with its name, and has its default all the same; in a detached task, which is
/// of no test, it fails the run. A key whose default serves tests says so, see
/// ``ReactorDependencyKey/allowsDefaultInTests``; a test that means the defaults sets
/// ``allowsDefaultsInTests``.
public struct ReactorDependencies: Sendable {
  /// What is made here and now gets its dependencies from this.
  public static var current: ReactorDependencies { bound }

  @TaskLocal private static var bound = ReactorDependencies()

  /// What binds them: the children of a reactor have its values, said before any are bound.
  private static let inherited: TaskLocal<ReactorDependencies> = {
    InheritedLocals.add(TaskLocals($bound))
    return $bound
  }()

  /// Whether a test may read the defaults of keys that were not replaced.
  ///
  /// It holds where the values hold: for what is made inside `with(_:make:)`, and its children.
  public var allowsDefaultsInTests = false

  /// Where a property asks for its dependency, while it does.
  var place: SourcePlace?
  /// Whether `with(_:make:)` is changing this: what is read to be set is no use of a default.
  private var isChanging = false
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// All with their defaults.
  public init() {}

  /// A dependency by its key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - name: The property that asks for it, for the message of a test that fails.
  ///   - fileID: Where that is.
  ///   - filePath: Where that is.
  ///   - line: Where that is.
  ///   - column: Where that is.
  public subscript<Key: ReactorDependencyKey>(
    key: Key.Type, name: StaticString = #function, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Key.Value {
    get {
      // Looked up first: where the value may be `nil`, a cast of nothing would succeed.
      if let value = values[ObjectIdentifier(key)] {
        return value as? Key.Value ?? Key.defaultValue
      }
      if !isChanging, !allowsDefaultsInTests, !Key.allowsDefaultInTests {
        let accessor = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        UnreplacedRead.tell(of: key, name, at: place ?? accessor)
      }
      return Key.defaultValue
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Makes something whose dependencies are the current ones but for some.
  ///
  /// **Runs on** the caller's executor. They hold for all that is made inside, by whatever it
  /// calls, and nowhere else.
  ///
  /// - Parameters:
  ///   - change: Sets some.
  ///   - make: Makes it.
  /// - Returns: What was made.
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

  /// The same where making takes a while.
  ///
  /// - Parameters:
  ///   - change: Sets some.
  ///   - make: Makes it.
  /// - Returns: What was made.
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
