/// What observers want to know of an action's sender, and the turn cannot.
struct ActionOrigin: Sendable {
  let cause: ReactorCause?
  /// In ticks of ``WorkTime``; `nil` where no observer needs to know.
  let sent: Int64?
  /// How many observers, one told of what another one had sent, led to this action.
  let depth: Int

  /// That of an action that is sent here and now; of it, what is needed.
  init(_ needs: ObserverNeeds) {
    cause = needs.contains(.causes) ? ReactorCause.local : nil
    sent = needs.contains(.times) ? WorkTime.ticks : nil
    depth = needs.contains(.sends) ? ObserverDepth.current : 0
  }
}

extension ActionContext {
  /// Whether an observer sent the action for one that an observer had sent.
  var isOfCircle: Bool { (origin?.depth ?? 0) > 1 }
}

/// Whether the caller is an observer that is being told.
enum ObserverDepth {
  @TaskLocal static var current = 0
}
