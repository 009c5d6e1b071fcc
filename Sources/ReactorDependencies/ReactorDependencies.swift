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
public struct ReactorDependencies: Sendable {
  /// What is made here and now gets its dependencies from this.
  public static var current: ReactorDependencies { bound }

  @TaskLocal private static var bound = ReactorDependencies()

  /// What binds them: the children of a reactor have its values, said before any are bound.
  private static let inherited: TaskLocal<ReactorDependencies> = {
    InheritedLocals.add(TaskLocals($bound))
    return $bound
  }()

  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// All with their defaults.
  public init() {}

  /// A dependency by its key.
  ///
  /// - Parameter key: The key.
  public subscript<Key: ReactorDependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // Looked up first: where the value may be `nil`, a cast of nothing would succeed.
      guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
      return value as? Key.Value ?? Key.defaultValue
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
    change(&changed)
    return changed
  }
}
