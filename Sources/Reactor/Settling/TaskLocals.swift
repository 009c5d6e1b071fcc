/// The task-local values that an action brings along from its sender.
///
/// ```swift
/// enum Request { @TaskLocal static var id: String? }
///
/// actor OrderReactor: Reactor {
///   let pipeline = Pipeline(carrying: TaskLocals(Request.$id))
///   // …
/// }
/// ```
///
/// `mutate`, the action's effects, and what is reduced for it have the sender's values of these,
/// whoever wakes the reactor and wherever the action has waited; the default value where the sender
/// had none. Of all others an effect has none: what it needs is named here, or stands in the
/// action.
///
/// A list that several reactors share is a constant:
///
/// ```swift
/// extension TaskLocals { static let ofRequests = TaskLocals(Request.$id, Trace.$span) }
///
/// let pipeline = Pipeline(carrying: .ofRequests)
/// ```
public struct TaskLocals: Sendable {
  @usableFromInline let keys: [any CarriedKey]

  /// Some task-local values, by their projections: `TaskLocals(Request.$id, Trace.$span)`.
  ///
  /// - Parameter keys: The projections.
  @inlinable
  public init<each Value: Sendable>(_ keys: repeat TaskLocal<each Value>) {
    var all: [any CarriedKey] = []
    repeat all.append(CarriedKeyOf(each keys))
    self.keys = all
  }

  private init(keys: [any CarriedKey]) { self.keys = keys }

  /// No task-local values.
  public static let none = TaskLocals()

  /// These, and further ones.
  ///
  /// - Parameter others: The further ones.
  /// - Returns: All of them.
  public func and(_ others: TaskLocals) -> TaskLocals { TaskLocals(keys: keys + others.keys) }

  var isEmpty: Bool { keys.isEmpty }

  /// What the caller has of them; `nil` where none are named.
  func capture() -> (any CarriedValue)? {
    var values: (any CarriedValue)?
    for key in keys { values = key.capture(before: values) }
    return values
  }
}

/// A task-local value that is to be carried, whatever its type.
@usableFromInline
protocol CarriedKey: Sendable {
  /// The value that the caller has, before some others.
  func capture(before rest: (any CarriedValue)?) -> any CarriedValue
}

/// A task-local value on its way with an action, and those behind it.
@usableFromInline
protocol CarriedValue: AnyObject, Sendable {
  /// Runs something with the values.
  func bind(_ body: () -> Void)

  /// The same for something that suspends; it stays where it is.
  func bind(isolation: isolated (any Actor)?, _ body: () async throws -> Void) async throws
}

@usableFromInline
struct CarriedKeyOf<Value: Sendable>: CarriedKey {
  @usableFromInline let key: TaskLocal<Value>

  @inlinable
  init(_ key: TaskLocal<Value>) { self.key = key }

  @inlinable
  func capture(before rest: (any CarriedValue)?) -> any CarriedValue {
    CarriedValueOf(key, key.get(), rest)
  }
}

@usableFromInline
final class CarriedValueOf<Value: Sendable>: CarriedValue {
  @usableFromInline let key: TaskLocal<Value>
  @usableFromInline let value: Value
  @usableFromInline let rest: (any CarriedValue)?

  @inlinable
  init(_ key: TaskLocal<Value>, _ value: Value, _ rest: (any CarriedValue)?) {
    self.key = key
    self.value = value
    self.rest = rest
  }

  @inlinable
  func bind(_ body: () -> Void) {
    key.withValue(value) {
      if let rest { rest.bind(body) } else { body() }
    }
  }

  @inlinable
  func bind(
    isolation: isolated (any Actor)?, _ body: () async throws -> Void
  ) async throws {
    try await key.withValue(
      value,
      operation: {
        if let rest {
          try await rest.bind(isolation: isolation, body)
        } else {
          try await body()
        }
      }, isolation: isolation)
  }
}
