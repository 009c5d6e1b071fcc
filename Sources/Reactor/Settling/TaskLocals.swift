/// The task-local values that an action carries from its sender.
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
/// `mutate`, the action's effects, and `reduce` for their mutations see the sender's values of
/// these task-locals, or the default value if the sender had none. It does not matter which task
/// runs the reactor, or where the action has waited. An effect has no other task-local values: what
/// it needs is listed here, or is part of the action.
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

  /// Creates a list of task-local values by their projections, as in
  /// `TaskLocals(Request.$id, Trace.$span)`.
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

  /// Returns these task-local values and further ones.
  ///
  /// - Parameter others: The further ones.
  /// - Returns: All of them.
  public func and(_ others: TaskLocals) -> TaskLocals { TaskLocals(keys: keys + others.keys) }

  @usableFromInline var isEmpty: Bool { keys.isEmpty }

  /// Returns the caller's values of them.
  func capture() -> [any BoundLocal] { keys.map { $0.capture() } }
}

/// A task-local value that is carried, of any type.
private protocol CarriedLocal: Sendable {
  /// Returns the caller's value.
  func capture() -> any BoundLocal
}

extension TaskLocal: CarriedLocal where Value: Sendable {
  fileprivate func capture() -> any BoundLocal { BoundTaskLocal(self, get()) }
}

/// A task-local value, to be bound around an operation.
@usableFromInline
protocol BoundLocal: Sendable {
  func bind(_ body: () -> Void)
  /// The same for an async operation, which stays in its isolation.
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
  /// Runs an operation with all of them bound, the last one innermost.
  func bindAll(_ body: () -> Void) {
    guard let first else { return body() }
    first.bind { dropFirst().bindAll(body) }
  }

  /// The same for an async operation, which stays in its isolation.
  func bindAll(
    isolation: isolated (any Actor)?, _ body: () async throws -> Void
  ) async throws {
    guard let first else { return try await body() }
    try await first.bind(isolation: isolation) {
      try await dropFirst().bindAll(isolation: isolation, body)
    }
  }
}
