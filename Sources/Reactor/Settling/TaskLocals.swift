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
  @usableFromInline let keys: [CarriedKey]

  /// Some task-local values, by their projections: `TaskLocals(Request.$id, Trace.$span)`.
  ///
  /// - Parameter keys: The projections.
  @inlinable
  public init<each Value: Sendable>(_ keys: repeat TaskLocal<each Value>) {
    var all: [CarriedKey] = []
    repeat all.append(CarriedKey(each keys))
    self.keys = all
  }

  /// A task-local value, by its projection: `TaskLocals(Request.$id)`.
  ///
  /// - Parameter key: The projection.
  @inlinable
  public init<Value: Sendable>(_ key: TaskLocal<Value>) { keys = [CarriedKey(key)] }

  // These two are written out: a parameter pack is not specialised, and then each action looks the
  // types of the values up.

  /// Two task-local values, by their projections: `TaskLocals(Request.$id, Trace.$span)`.
  ///
  /// - Parameters:
  ///   - first: A projection.
  ///   - second: Another.
  @inlinable
  public init<First: Sendable, Second: Sendable>(
    _ first: TaskLocal<First>, _ second: TaskLocal<Second>
  ) {
    keys = [CarriedKey(first), CarriedKey(second)]
  }

  /// Three task-local values, by their projections.
  ///
  /// - Parameters:
  ///   - first: A projection.
  ///   - second: Another.
  ///   - third: A third one.
  @inlinable
  public init<First: Sendable, Second: Sendable, Third: Sendable>(
    _ first: TaskLocal<First>, _ second: TaskLocal<Second>, _ third: TaskLocal<Third>
  ) {
    keys = [CarriedKey(first), CarriedKey(second), CarriedKey(third)]
  }

  private init(keys: [CarriedKey]) { self.keys = keys }

  /// No task-local values.
  public static let none = TaskLocals()

  /// These, and further ones.
  ///
  /// - Parameter others: The further ones.
  /// - Returns: All of them.
  public func and(_ others: TaskLocals) -> TaskLocals { TaskLocals(keys: keys + others.keys) }

  @usableFromInline var isEmpty: Bool { keys.isEmpty }

  /// What the caller has of them, before some others; `nil` where there is nothing.
  @inlinable
  func capture(before rest: CarriedValue? = nil) -> CarriedValue? {
    var values = rest
    for key in keys { values = key.capture(key, values) }
    return values
  }
}

/// A task-local value that is to be carried, whatever its type.
///
/// It is closures, made where the type is known: methods of something generic would look it up for
/// each action.
@usableFromInline
final class CarriedKey: Sendable {
  /// The value that the caller has, before some others.
  @usableFromInline let capture:
    @Sendable (_ key: CarriedKey, _ rest: CarriedValue?) -> CarriedValue
  /// Runs something with one of this key's values, and those behind it.
  @usableFromInline let bind: @Sendable (_ value: CarriedValue, _ body: () -> Void) -> Void
  /// The same for something that suspends; it stays where it is.
  @usableFromInline let bindEffect:
    @Sendable (
      _ value: CarriedValue, _ isolation: isolated (any Actor)?, _ body: () async throws -> Void
    ) async throws -> Void

  /// A key whose values let those behind them be bound.
  init() {
    capture = { CarriedValue(of: $0, $1) }
    bind = { value, body in
      if let rest = value.rest { rest.bind(body) } else { body() }
    }
    bindEffect = { value, isolation, body in
      if let rest = value.rest {
        try await rest.bind(isolation: isolation, body)
      } else {
        try await body()
      }
    }
  }

  @inlinable
  init<Value: Sendable>(_ local: TaskLocal<Value>) {
    capture = { CarriedValueOf(local.get(), of: $0, $1) }
    bind = { value, body in
      local.withValue(CarriedValueOf<Value>.value(of: value)) {
        if let rest = value.rest { rest.bind(body) } else { body() }
      }
    }
    bindEffect = { value, isolation, body in
      try await local.withValue(
        CarriedValueOf<Value>.value(of: value),
        operation: {
          if let rest = value.rest {
            try await rest.bind(isolation: isolation, body)
          } else {
            try await body()
          }
        }, isolation: isolation)
    }
  }
}

/// A task-local value on its way with an action, and those behind it.
///
/// `@unchecked`, because it can be inherited from: its fields are constants, and so are those of
/// its heirs.
@usableFromInline
class CarriedValue: @unchecked Sendable {
  @usableFromInline let key: CarriedKey
  @usableFromInline let rest: CarriedValue?

  @inlinable
  init(of key: CarriedKey, _ rest: CarriedValue?) {
    self.key = key
    self.rest = rest
  }

  /// This value with others behind it, which are bound inside.
  func followed(by rest: CarriedValue?) -> CarriedValue {
    preconditionFailure("every heir has its own")
  }

  /// Runs something with the values.
  @inlinable
  func bind(_ body: () -> Void) { key.bind(self, body) }

  /// The same for something that suspends; it stays where it is.
  @inlinable
  func bind(
    isolation: isolated (any Actor)?, _ body: () async throws -> Void
  ) async throws {
    try await key.bindEffect(self, isolation, body)
  }
}

@usableFromInline
final class CarriedValueOf<Value: Sendable>: CarriedValue, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value, of key: CarriedKey, _ rest: CarriedValue?) {
    self.value = value
    super.init(of: key, rest)
  }

  override func followed(by rest: CarriedValue?) -> CarriedValue {
    CarriedValueOf(value, of: key, self.rest?.followed(by: rest) ?? rest)
  }

  /// What is in a value of a key that has made it, and so knows its type.
  @inlinable
  static func value(of carried: CarriedValue) -> Value {
    unsafeDowncast(carried, to: CarriedValueOf.self).value
  }
}
