/// The state machine of a service that drains its reactors: a plain value, without time and tasks.
struct DrainMachine: Sendable {
  enum Event: Sendable {
    /// The shutdown has begun elsewhere.
    case announced
    /// The group ends this service.
    case shutdownRequested
    /// The group was cancelled.
    case cancelled
    case timedOut
    /// All reactors have ended, or have been cancelled.
    case drained
  }

  enum Step: Sendable {
    case startTimer, startDraining, cancelDraining, end
  }

  private(set) var phase = ReactorService.Phase.waiting
  private var isAnnounced = false
  /// Whether the group waits for this service, which must not end before that.
  private var isAwaited = false
  private var isDraining = false
  private var hasDrained = false

  /// Starts the service, for the first time or again.
  ///
  /// - Returns: Whether the shutdown had been announced before.
  mutating func start() -> Bool {
    let wasAnnounced = isAnnounced
    self = DrainMachine()
    phase = .running
    return wasAnnounced
  }

  /// Records that the shutdown was announced before the service runs.
  mutating func announceBeforeStart() { isAnnounced = true }

  mutating func steps(after event: Event) -> [Step] {
    guard phase != .ended else { return [] }
    var steps: [Step] = []
    if phase == .running {
      phase = .draining
      steps.append(.startTimer)
    }
    switch event {
    case .announced: break
    case .shutdownRequested, .cancelled:
      // If the group is cancelled while it waits, it does not wait any longer.
      if isAwaited, isDraining, case .cancelled = event { steps.append(.cancelDraining) }
      isAwaited = true
      steps += startDraining()
    case .timedOut: steps += startDraining() + [.cancelDraining]
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
