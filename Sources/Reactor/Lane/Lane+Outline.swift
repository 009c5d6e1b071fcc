import ReactorMachines

// A lane as a value that a test compares and prints.
extension Lane {
  /// What a lane does with an action, besides performing it at once or later.
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    case dropped, superseded, evicted, refused
  }

  /// Whether another lane has the same key, rules and times; clocks are not compared.
  package func isSame(as other: Lane) -> Bool {
    key == other.key && rules == other.rules && timing?.duration == other.timing?.duration
  }

  /// The lane as its author would write it, without its clock.
  package var text: String {
    let atMost = rules.limit == .max || rules.limit == 1 ? "" : ", atMost: \(rules.limit)"
    let lane =
      switch rules.overflow {
      case .wait(let places, let dropsOldest):
        (rules.limit == 1 ? ".sequential('\(key)'" : ".concurrent('\(key)'\(atMost)")
          + (places == .max ? "" : ", waitingLimit: \(places)")
          + (dropsOldest ? ", dropsOldest: true)" : ")")
      case .drop: ".leading('\(key)'\(atMost))"
      case .evict(let waits):
        ".latest('\(key)'\(atMost)" + (waits ? ", waitingForEvicted: true)" : ")")
      }
    guard let timing else { return lane }
    let time = "\(timing.duration)"
    return switch timing.kind {
    case .debounce: "\(lane).debounced(for: \(time))"
    case .throttle(let keepsFirst):
      "\(lane).throttled(for: \(time)" + (keepsFirst ? ", latest: false)" : ")")
    case .spacing: "\(lane).spaced(by: \(time))"
    }
  }

  /// What the lane can do with an action by its rules.
  package var possibleOutcomes: Set<Outcome> {
    var outcomes: Set<Outcome> = []
    switch rules.overflow {
    case .wait(let places, let dropsOldest):
      if rules.limit != .max, places != .max { outcomes = [dropsOldest ? .superseded : .refused] }
    case .drop: outcomes = [.dropped]
    case .evict(let waits): outcomes = waits ? [.evicted, .superseded] : [.evicted]
    }
    switch timing?.kind {
    case .debounce: outcomes.insert(.superseded)
    case .throttle(let keepsFirst): outcomes.insert(keepsFirst ? .dropped : .superseded)
    case .spacing, nil: break
    }
    return outcomes
  }
}

extension ReactorReport.Problem {
  /// What a lane did with an action, if the report is about that.
  package var laneOutcome: (lane: LaneKey, outcome: Lane.Outcome)? {
    switch self {
    case .droppedInLane(let lane): (lane, .dropped)
    case .supersededInLane(let lane): (lane, .superseded)
    case .evictedFromLane(let lane): (lane, .evicted)
    case .laneFull(let lane): (lane, .refused)
    default: nil
    }
  }
}
