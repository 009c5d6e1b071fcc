import ReactorMachines
import ReactorRuntime
import TestLimits
import TestSupport

@testable import Reactor

/// What one action of a shuffle leads to.
struct ShuffledAction: Sendable {
  enum Work: CaseIterable, Sendable {
    /// Without an effect: no mutation, or two at once.
    case nothing, atOnce
    /// One effect that never waits; one that waits at a gate; three together; several in a row.
    case quick, gated, merged, chained
  }

  /// Which lane, and the rules it brings.
  var key: Int?
  var rules: Lane?
  var work = Work.gated
  /// Whether its effects heed their cancellation.
  var isStubborn = false
  /// Whether its effects throw in the end.
  var fails = false
  /// Whether its effects run on the reactor, and keep it.
  var usesReactor = false
  /// The action that it sends, and the lane that it cancels, once its gate is open.
  var sends: Int?
  var cancels: Int?

  var parts: Range<Int> {
    switch work {
    case .nothing, .atOnce: 0..<0
    case .quick, .gated: 0..<1
    case .merged: 0..<3
    case .chained: 1..<2
    }
  }

  /// Everything it emits if nothing comes between.
  func mutations(of action: Int) -> [Int] {
    let offsets: [Int] =
      switch work {
      case .nothing: []
      case .atOnce: [0, 1]
      case .quick, .gated: fails ? [0] : [0, 1]
      case .merged: fails ? [0, 2, 4] : [0, 1, 2, 3, 4, 5]
      case .chained: fails ? [0, 2] : [0, 2, 3, 4]
      }
    return offsets.map { action * 10 + $0 }
  }
}

/// A lane of a shuffle.
struct ShuffledLane: Sendable {
  enum Policy: CaseIterable { case concurrent, sequential, leading, latest, latestWaiting }
  enum Timing: CaseIterable { case debounce, throttleLatest, throttleFirst, spacing }

  /// What its rules are; several if they change.
  var rules: [Lane] = []
  var policy = Policy.concurrent
  /// How long it has to be quiet, where that never changes.
  var quiet: Int?
  var isMixed: Bool { rules.count > 1 }
  var limit: Int { rules.map(\.rules.limit).max() ?? 0 }

  init(_ key: Int, clock: ManualClock, _ random: inout SplitMix64) {
    for _ in 0..<(random.oneIn(4) ? 3 : 1) {
      policy = Policy.allCases.randomElement(using: &random) ?? .concurrent
      let limit = 1 + random.below(3)
      var lane: Lane =
        switch policy {
        case .concurrent:
          Self.queued(key, atMost: random.oneIn(3) ? .max : limit, &random)
        case .sequential: Self.queued(key, atMost: 1, &random)
        case .leading: .leading(key, atMost: limit)
        case .latest: .latest(key, atMost: limit)
        case .latestWaiting: .latest(key, atMost: limit, waitingForEvicted: true)
        }
      if random.oneIn(3) {
        let steps = random.below(4)
        let time = Swift.Duration.steps(steps)
        let timing = Timing.allCases.randomElement(using: &random)
        if timing == .debounce { quiet = steps }
        lane =
          switch timing {
          case .debounce: lane.debounced(for: time, clock: clock)
          case .throttleLatest: lane.throttled(for: time, clock: clock)
          case .throttleFirst: lane.throttled(for: time, latest: false, clock: clock)
          default: lane.spaced(by: time, clock: clock)
          }
      }
      rules.append(lane)
    }
    if isMixed { quiet = nil }
  }

  /// Half of them have a low limit of waiting actions.
  static func queued(_ key: Int, atMost limit: Int, _ random: inout SplitMix64) -> Lane {
    let isLimited = random.oneIn(2)
    let waiting = isLimited ? 1 + random.below(3) : .max
    let dropsOldest = isLimited && !random.oneIn(2)
    return limit == 1
      ? .sequential(key, waitingLimit: waiting, dropsOldest: dropsOldest)
      : .concurrent(key, atMost: limit, waitingLimit: waiting, dropsOldest: dropsOldest)
  }

  /// How many may wait, where that never changes; one more may be held until its time is up.
  var waitingLimit: Int {
    let isBounded = !isMixed && (policy == .concurrent || policy == .sequential)
    guard isBounded, case .wait(let places, _) = rules.first?.rules.overflow, places < .max else {
      return .max
    }
    return Int(places) + 1
  }
}

/// What happens in a shuffle, noted by those it happens to.
///
/// Holds: `state`, guarded by its own lock.
final class ShuffleLog: Sendable {
  struct State: Sendable {
    /// The actions in the order in which they were asked for their lane, and in which they started.
    var chosen: [Int] = []
    var started: [Int] = []
    /// When that was.
    var chosenAt: [Int: Int] = [:]
    var isTimeFree = false
    /// How many effects of an action run.
    var running: [Int: Int] = [:]
    var sent: Set<Int> = []
    /// Actions that have been cancelled, or may have been.
    var touched: Set<Int> = []
    /// Actions that were cancelled before they can have been taken.
    var cancelledBeforeTaken: Set<Int> = []
    /// How many mutations an action had in the state when it was cancelled.
    var silent: [Int: Int] = [:]
    var problems: [String] = []
  }

  private let state = Guarded(State())

  var now: State { state.withLock { $0 } }

  func note(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func reportProblem(_ problem: String) { note { $0.problems.append(problem) } }

  func begin(_ action: Int) { note { $0.running[action, default: 0] += 1 } }

  func end(_ action: Int) {
    note { state in
      state.running[action, default: 0] -= 1
      if state.running[action] == 0 { state.running[action] = nil }
    }
  }
}
