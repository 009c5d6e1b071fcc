public import Reactor

/// A member as its group stores it.
@usableFromInline
final class GroupEntry<Action: Sendable>: Sendable {
  let member: GroupMember
  /// Maps the group's action to a delivery for the member; `nil` if the member does not take it.
  @usableFromInline let deliver: @Sendable (Action) -> GroupDelivery?
  private let retainedReactor: (any Reactor)?

  @usableFromInline
  init(
    _ member: GroupMember, keeping retainedReactor: (any Reactor)?,
    deliver: @escaping @Sendable (Action) -> GroupDelivery?
  ) {
    self.member = member
    self.retainedReactor = retainedReactor
    self.deliver = deliver
  }

  /// Everything done for each action is created here, where the reactor's type is known.
  @inlinable
  convenience init<Engine: EngineAccess>(
    _ engine: Engine, of reactor: Engine.Owner, keeping isKept: Bool,
    _ map: @escaping @Sendable (Action) -> Engine.Owner.Action?
  ) {
    let member = GroupMember.of(engine)
    let settle: GroupDelivery.Settle = { await engine.receipt(of: $0).settled }
    self.init(member, keeping: isKept ? reactor : nil) { action in
      guard let action = map(action) else { return nil }
      let envelope = engine.prepare(action)
      return GroupDelivery(to: member, settling: settle) { isWithdrawn, decide, marks in
        isWithdrawn
          ? EngineAdmission(withdrawing: envelope)
          : engine.admit(envelope, if: decide, marking: marks)
      }
    }
  }
}
