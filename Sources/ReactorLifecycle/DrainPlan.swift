/// What to do next, as a service of reactors comes to its end: a plain value, without time and
/// without tasks.
struct DrainPlan: Sendable {
  enum Event: Sendable {
    /// The shutdown has begun somewhere else.
    case announced
    /// The group asks this service to end.
    case asked
    /// The group is cancelled.
    case cancelled
    case timeIsUp
    /// All reactors have ended, or been cancelled.
    case drained
  }

  enum Step: Sendable {
    case startTime, startDraining, cutShort, end
  }

  private(set) var phase = ReactorService.Phase.waiting
  private var isAnnounced = false
  /// Whether the group waits for this service; before that, it must not end.
  private var isAwaited = false
  private var isDraining = false
  private var hasDrained = false

  /// It begins to run, for the first time or again.
  ///
  /// - Returns: Whether the shutdown had been announced before.
  mutating func start() -> Bool {
    let wasAnnounced = isAnnounced
    self = DrainPlan()
    phase = .running
    return wasAnnounced
  }

  /// The shutdown has been announced before the service runs.
  mutating func announceBeforeStart() { isAnnounced = true }

  mutating func steps(after event: Event) -> [Step] {
    guard phase != .ended else { return [] }
    var steps: [Step] = []
    if phase == .running {
      phase = .draining
      steps.append(.startTime)
    }
    switch event {
    case .announced: break
    case .asked, .cancelled:
      // Cancelled while it was waited for: the group's patience is at its end.
      if isAwaited, isDraining, case .cancelled = event { steps.append(.cutShort) }
      isAwaited = true
      steps += startDraining()
    case .timeIsUp: steps += startDraining() + [.cutShort]
    case .drained: hasDrained = true
    }
    if hasDrained, isAwaited {
      phase = .ended
      steps.append(.end)
    }
    return steps
  }

  private mutating func startDraining() -> [Step] {
    defer { isDraining = true }
    return isDraining ? [] : [.startDraining]
  }
}
