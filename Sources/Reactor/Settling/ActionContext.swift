/// What comes with an action from its sender, and goes with it to its work: the chain it is tracked
/// by, and task-local values.
///
/// It is in the action's ``Envelope``, and goes with the action into its lane and through the
/// hooks, and with a mutation through its hook.
///
/// **The seam.** ``run(_:)`` and ``run(_:isolation:)`` are what `mutate` and every effect body with
/// a context run through. Whatever is to be around both, a span or a measurement, belongs there and
/// nowhere else: to be told of them is not enough to bind a task-local value.
@usableFromInline
final class ActionContext: Sendable {
  @usableFromInline let chain: ActionChain?
  /// As what the action is part of the chain; `nil` where only its work is.
  @usableFromInline let member: ChainMember?
  @usableFromInline let values: CarriedValue?

  @usableFromInline
  init(chain: ActionChain?, values: CarriedValue?, member: ChainMember? = nil) {
    self.chain = chain
    self.member = member
    self.values = values
  }

  /// Part of no chain, and without values.
  @usableFromInline static let none = ActionContext(chain: nil, values: nil)

  var isNone: Bool { chain == nil && values == nil }

  /// The same with further values, which are bound inside those that are there.
  func with(_ values: CarriedValue?) -> ActionContext {
    guard let values else { return self }
    return ActionContext(chain: chain, values: self.values?.followed(by: values) ?? values)
  }

  /// Runs `mutate`, or something else of a turn.
  ///
  /// What is of no chain is so here as well, though it may run in the task of somebody who is of
  /// one.
  @inlinable
  func run(_ body: () -> Void) {
    if ActionChain.isAnyOpen { runInChain(body) } else { bind(body) }
  }

  @usableFromInline
  func runInChain(_ body: () -> Void) {
    ActionChain.$current.withValue(chain) { bind(body) }
  }

  @inlinable
  func bind(_ body: () -> Void) {
    if let values { values.bind(body) } else { body() }
  }

  /// Runs an effect's body, where it is isolated.
  @usableFromInline
  func run(
    _ body: () async throws -> Void, isolation: isolated (any Actor)?
  ) async throws {
    guard let chain else { return try await bind(body, isolation: isolation) }
    try await ActionChain.$current.withValue(
      chain, operation: { try await bind(body, isolation: isolation) }, isolation: isolation)
  }

  private func bind(
    _ body: () async throws -> Void, isolation: isolated (any Actor)?
  ) async throws {
    if let values {
      try await values.bind(isolation: isolation, body)
    } else {
      try await body()
    }
  }
}
