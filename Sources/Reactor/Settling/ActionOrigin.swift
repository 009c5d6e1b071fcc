/// What observers need to know about an action's sender, and the turn cannot find out.
struct ActionOrigin: Sendable {
  let cause: ReactorCause?
  /// In ticks of ``WorkTime``; `nil` if no observer needs it.
  let sent: Int64?
  /// How many observers led to this action, each notified of what another had sent.
  let depth: Int
}
