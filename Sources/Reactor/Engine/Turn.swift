/// One action's turn: everything from taking the action until the next may be taken.
@usableFromInline
struct Turn<Action: Sendable> {
  @usableFromInline var action: Action
  @usableFromInline let number: UInt64
  /// The context of the action.
  @usableFromInline let context: ActionContext?
  /// Its slot, if it has waited in a lane and has got one.
  @usableFromInline let slot: LaneSlot?
  /// The stream of actions that was opened last before the turn; later ones do not get the action.
  ///
  /// 0 if no stream and no sink gets it.
  @usableFromInline var lastListener: UInt64 = 0
  /// Whether the turn is recorded in the ledger as a piece of the action's work.
  @usableFromInline var isInLedger: Bool

  @inlinable
  init(
    _ action: Action, number: UInt64, with context: ActionContext?, in slot: LaneSlot? = nil
  ) {
    self.action = action
    self.number = number
    self.context = context
    self.slot = slot
    isInLedger = slot != nil
  }
}
