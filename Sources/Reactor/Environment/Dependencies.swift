/// What reactors need of the world: a clock, a client, a way to make ids.
///
/// Each is a key with a default, and a name:
///
/// ```swift
/// enum ClockKey: DependencyKey {
///   static var defaultValue: any Clock<Duration> { ContinuousClock() }
/// }
/// extension Dependencies {
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
///   @Dependency(\.clock) private var clock
///   …
/// }
/// let search = Dependencies.with { $0.clock = clock } make: { Search() }  // in a test
/// ```
///
/// So what a reactor has does not depend on who sends to it, nor on which task an effect runs in.
/// For what is made later, in an effect or by a registry, keep ``current`` where it is right, and
/// make it with `with(_:make:)`.
public struct Dependencies: Sendable {
  /// What is made here and now gets its dependencies from this.
  public static var current: Dependencies { bound }

  @TaskLocal private static var bound = Dependencies()

  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// All with their defaults.
  public init() {}

  /// A dependency by its key.
  ///
  /// - Parameter key: The key.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
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
    _ change: (inout Dependencies) -> Void, make: () throws(Failure) -> Made
  ) throws(Failure) -> Made {
    var changed = current
    change(&changed)
    let result = $bound.withValue(changed) {
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
    _ change: (inout Dependencies) -> Void,
    make: nonisolated(nonsending) () async throws -> Made
  ) async rethrows -> Made {
    var changed = current
    change(&changed)
    return try await $bound.withValue(changed, operation: make)
  }
}

/// By what a dependency is known, and what it is where nobody has set another.
public protocol DependencyKey {
  /// The kind of value.
  associatedtype Value: Sendable

  /// What it is unless something else was set; asked for each time.
  static var defaultValue: Value { get }
}

/// A dependency, as it was where its owner was made.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
  /// The dependency.
  public let wrappedValue: Value

  /// Takes it from ``Dependencies/current``.
  ///
  /// - Parameter name: Which one.
  public init(_ name: KeyPath<Dependencies, Value>) {
    wrappedValue = Dependencies.current[keyPath: name]
  }
}
