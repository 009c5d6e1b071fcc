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
  private let keys: [any CarriedLocal]

  /// Some task-local values, by their projections: `TaskLocals(Request.$id, Trace.$span)`.
  ///
  /// - Parameter keys: The projections.
  public init<each Value: Sendable>(_ keys: repeat TaskLocal<each Value>) {
    var all: [any CarriedLocal] = []
    repeat all.append(each keys)
    self.keys = all
  }

  private init(keys: [any CarriedLocal]) { self.keys = keys }

  /// No task-local values.
  public static let none = TaskLocals()

  /// These, and further ones.
  ///
  /// - Parameter others: The further ones.
  /// - Returns: All of them.
  public func and(_ others: TaskLocals) -> TaskLocals { TaskLocals(keys: keys + others.keys) }

  @usableFromInline var isEmpty: Bool { keys.isEmpty }

  /// What the caller has of them.
  func capture() -> [any BoundLocal] { keys.map { $0.capture() } }
}

/// A task-local value that is to be carried, whatever its type.
private protocol CarriedLocal: Sendable {
  /// The value that the caller has.
  func capture() -> any BoundLocal
}

extension TaskLocal: CarriedLocal where Value: Sendable {
  fileprivate func capture() -> any BoundLocal { BoundTaskLocal(self, get()) }
}

/// A task-local value, to be bound around something.
@usableFromInline
protocol BoundLocal: Sendable {
  func bind(_ body: () -> Void)
  /// The same for something that suspends; it stays where it is.
  func bind(
    isolation: isolated (any Actor)?, _ body: () async throws -> Void
  ) async throws
}

struct BoundTaskLocal<Value: Sendable>: BoundLocal {
  private let local: TaskLocal<Value>
  private let value: Value

  init(_ local: TaskLocal<Value>, _ value: Value) { (self.local, self.value) = (local, value) }

  func bind(_ body: () -> Void) { local.withValue(value, operation: body) }

  func bind(
    isolation: isolated (any Actor)?, _ body: () async throws -> Void
  ) async throws {
    try await local.withValue(value, operation: body, isolation: isolation)
  }
}

extension ArraySlice<any BoundLocal> {
  /// Runs something with all of them bound, the last one innermost.
  func bindAll(_ body: () -> Void) {
    guard let first else { return body() }
    first.bind { dropFirst().bindAll(body) }
  }

  /// The same for something that suspends; it stays where it is.
  func bindAll(
    isolation: isolated (any Actor)?, _ body: () async throws -> Void
  ) async throws {
    guard let first else { return try await body() }
    try await first.bind(isolation: isolation) {
      try await dropFirst().bindAll(isolation: isolation, body)
    }
  }
}
