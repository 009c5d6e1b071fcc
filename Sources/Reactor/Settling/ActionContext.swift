/// What comes with an action from its sender, and goes with it to its work: the chain it is tracked
/// by, what observers want to know of the sender, and task-local values.
///
/// It is in the action's ``Envelope``, and goes with the action into its lane and through the
/// hooks, and with a mutation through its hook.
///
/// **The seam.** ``run(_:)`` and ``run(_:isolation:)`` are what `mutate` and every effect body with
/// a context run through. A span or a measurement, which binds a task-local value around both,
/// belongs there. An effect without a context does not come there; all pass `start` of ``Engine``.
@usableFromInline
package final class ActionContext: Sendable {
  let chain: ActionChain?
  /// The action's membership in the chain; `nil` where only its work belongs to the chain.
  @usableFromInline let member: ChainMember?
  /// What observers want to know of the sender; the action's work does not have it.
  let origin: ActionOrigin?
  let values: [any BoundLocal]

  init(
    chain: ActionChain?, member: ChainMember? = nil, origin: ActionOrigin? = nil,
    values: [any BoundLocal]
  ) {
    (self.chain, self.member) = (chain, member)
    (self.origin, self.values) = (origin, values)
  }

  /// Part of no chain, and without values.
  @usableFromInline static let none = ActionContext(chain: nil, values: [])

  var isNone: Bool { chain == nil && origin == nil && values.isEmpty }

  /// The same for the action's work, with further values, which are bound inside those that are
  /// there.
  func ofWork(with values: [any BoundLocal]) -> ActionContext {
    if values.isEmpty, origin == nil, member == nil { return self }
    return ActionContext(chain: chain, values: self.values + values)
  }

  /// Runs `mutate`, or something else of a turn.
  ///
  /// What is of no chain is so here as well, though it may run in the task of a caller that is of
  /// one.
  @usableFromInline
  func run(_ body: () -> Void) {
    if ActionChain.isAnyOpen {
      ActionChain.$current.withValue(chain) { bind(body) }
    } else {
      bind(body)
    }
  }

  func bind(_ body: () -> Void) { values[...].bindAll(body) }

  /// Runs an effect's body, where it is isolated.
  @usableFromInline
  func run(
    _ body: () async throws -> Void, isolation: isolated (any Actor)?
  ) async throws {
    guard let chain else { return try await values[...].bindAll(isolation: isolation, body) }
    try await ActionChain.$current.withValue(
      chain, operation: { try await values[...].bindAll(isolation: isolation, body) },
      isolation: isolation)
  }
}
