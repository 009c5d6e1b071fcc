import ReactorRuntime

/// Whether the caller is an observer that is being notified.
enum ObserverDepth {
  @TaskLocal static var current = 0
}

extension ActionOrigin {
  /// The origin of an action that is sent now; only the parts that are needed.
  init(_ needs: ObserverNeeds) {
    self.init(
      cause: needs.contains(.causes) ? ReactorCause.local : nil,
      sent: needs.contains(.times) ? WorkTime.ticks : nil,
      depth: needs.contains(.sends) ? ObserverDepth.current : 0)
  }
}

extension ActionContext {
  /// Whether an observer sent the action in response to one that an observer had sent.
  var isInObservationCycle: Bool { (origin?.depth ?? 0) > 1 }
}
