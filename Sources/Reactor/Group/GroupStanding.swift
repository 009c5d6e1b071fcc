/// What became of a group's action for one member.
@usableFromInline
enum GroupStanding: Sendable {
  case sent(UInt64)
  case refused(ActionRefusal)
  /// Cancelled before it was in the inbox.
  case cancelled
  /// The reactor was there no more: it is no member.
  case gone
}
