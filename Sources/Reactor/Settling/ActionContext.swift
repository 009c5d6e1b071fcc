/// The context of an action, from its sender to its work: the chain by which it is tracked, what
/// observers need to know about the sender, and task-local values.
///
/// It is stored in the action's ``Envelope``. It accompanies the action into its lane and through
/// the hooks, and a mutation through its hook.
///
/// **Extension point.** `mutate` and every effect body with a context run through ``run(_:)`` and
/// ``run(_:isolation:)``. A span or a measurement that binds a task-local value around both belongs
/// there. An effect without a context does not run through them; every effect passes `start` of
/// ``Engine``.
@usableFromInline
package final class ActionContext: Sendable {
  let chain: ActionChain?
  /// The action's membership in the chain; `nil` if only its work belongs to the chain.
  @usableFromInline let member: ChainMember?
  /// What observers need to know about the sender; not part of the context of the action's work.
  let origin: ActionOrigin?
  let values: [any BoundLocal]

  init(
    chain: ActionChain?, member: ChainMember? = nil, origin: ActionOrigin? = nil,
    values: [any BoundLocal]
  ) {
    (self.chain, self.member) = (chain, member)
    (self.origin, self.values) = (origin, values)
  }

  /// A context without a chain and without values.
  @usableFromInline static let none = ActionContext(chain: nil, values: [])

  var isNone: Bool { chain == nil && origin == nil && values.isEmpty }

  /// Returns the context for the action's work, with further values, which are bound inside the
  /// existing ones.
  func ofWork(with values: [any BoundLocal]) -> ActionContext {
    if values.isEmpty, origin == nil, member == nil { return self }
    return ActionContext(chain: chain, values: self.values + values)
  }

  /// Runs `mutate`, or another step of a turn.
  ///
  /// A step without a chain has none here either, even if it runs in the task of a caller that has
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

  /// Runs the body of an effect in its isolation.
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
