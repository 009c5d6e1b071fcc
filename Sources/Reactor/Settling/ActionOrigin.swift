/// What observers want to know of an action's sender, and the turn cannot.
struct ActionOrigin: Sendable {
  let cause: ReactorCause?
  /// In ticks of ``WorkTime``; `nil` where no observer needs to know.
  let sent: Int64?
  /// How many observers, one told of what another one had sent, led to this action.
  let depth: Int
}
