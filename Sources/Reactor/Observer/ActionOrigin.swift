/// Who sent an action, and when: what observers want to know, and the turn cannot.
///
/// It travels with the action as one of its carried values, the first one, and binds nothing.
final class ActionOrigin: CarriedValue, @unchecked Sendable {
  let cause: ReactorCause?
  let sent: ContinuousClock.Instant
  /// How many observers, one told of what another one had sent, led to this action.
  let depth: Int

  /// That of an action that is sent here and now.
  init(before rest: CarriedValue?) {
    cause = ReactorCause.local
    sent = WorkTime.now
    depth = ObserverDepth.current
    super.init(of: .passingBy, rest)
  }

  private init(_ origin: ActionOrigin, _ rest: CarriedValue?) {
    (cause, sent, depth) = (origin.cause, origin.sent, origin.depth)
    super.init(of: .passingBy, rest)
  }

  override func followed(by rest: CarriedValue?) -> CarriedValue {
    ActionOrigin(self, self.rest?.followed(by: rest) ?? rest)
  }
}

extension CarriedKey {
  /// The key of something that binds nothing itself.
  static let passingBy = CarriedKey()
}

/// Whether the caller is an observer that is being told.
enum ObserverDepth {
  @TaskLocal static var current = 0

  static let key = CarriedKey($current)
}
