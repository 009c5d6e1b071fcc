import ReactorRuntime

/// Whether the caller is an observer that is being told.
enum ObserverDepth {
  @TaskLocal static var current = 0
}

extension ActionOrigin {
  /// That of an action that is sent here and now; of it, what is needed.
  init(_ needs: ObserverNeeds) {
    self.init(
      cause: needs.contains(.causes) ? ReactorCause.local : nil,
      sent: needs.contains(.times) ? WorkTime.ticks : nil,
      depth: needs.contains(.sends) ? ObserverDepth.current : 0)
  }
}

extension ActionContext {
  /// Whether an observer sent the action for one that an observer had sent.
  var isOfCircle: Bool { (origin?.depth ?? 0) > 1 }
}
