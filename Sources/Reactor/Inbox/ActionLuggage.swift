/// What an action brings along into the inbox: the membership in its chain, and its sender's
/// task-local values.
@usableFromInline
struct ActionLuggage: Sendable {
  @usableFromInline let member: ChainMember?
  @usableFromInline let values: CarriedValue?

  /// `nil` where there is nothing.
  @inlinable
  init?(_ member: ChainMember?, _ values: CarriedValue?) {
    if member == nil, values == nil { return nil }
    self.member = member
    self.values = values
  }

  @inlinable var context: ActionContext { ActionContext(chain: member?.chain, values: values) }
}

/// What stands beside one of the actions that wait.
@usableFromInline
struct ActionCompanion: Sendable {
  @usableFromInline let number: UInt64
  @usableFromInline let luggage: ActionLuggage

  @inlinable
  init(number: UInt64, luggage: ActionLuggage) {
    self.number = number
    self.luggage = luggage
  }
}
