import ReactorMachines
import ReactorRuntime
import TestSupport

@testable import Reactor

/// What must hold once everything has ended.
extension LaneShuffle {
  func finish() async {
    var stopped: StopReceipt?
    switch ending {
    case .natural: break
    case .stop: stopped = reactor?.stop()
    case .drain: stopped = reactor?.stop(.drain)
    case .restart:
      openGates()
      await reactor?.restart()
      while next < roots { if let reactor { send(to: reactor) } }
    case .release: reactor = nil
    }
    openGates()
    shuffleLog.note { $0.isTimeFree = true }
    clock.expireImmediately()
    for (action, receipt) in receipts {
      await receipt.settled
      outcomes[action] = await receipt.outcome
    }
    for (action, outcome) in asked { outcomes[action] = await outcome.value }
    for receipt in tracked { await receipt.settled }
    await stopped?.settled
    var seen = 0
    while seen < children.count {
      await children.entries[seen].settled
      seen += 1
    }
    tracked = []
  }

  func openGates() {
    for gate in gates.joined().shuffled(using: &random) { gate.open() }
  }

  /// What has to hold once everything has settled.
  func checkHistory() async {
    guard let reactor else {
      // Another task may have been the last to hold it.
      if story?.steps.isEmpty == false { await story?.waitFor("released") }
      lookAtStory(nil)
      return checkOutcomes(nil)
    }
    await reactor.flush()
    while let left = await reactor.turn({ Self.leftovers(in: $0) }) {
      // What cancels it is the suite's time limit.
      if Task.isCancelled {
        shuffleLog.reportProblem("left in the tables: \(left)")
        break
      }
      await Task.yield()
    }
    if clock.sleeperCount > 0 { shuffleLog.reportProblem("\(clock.sleeperCount) timers left") }
    lookAtStory(await reactor.currentState)
    checkOutcomes(await reactor.currentState)
  }

  /// What was reported must be possible, and end where the reactor has ended.
  func lookAtStory(_ state: [Int]?) {
    guard let story else { return }
    for problem in ObserverStory(steps: story.steps).problems(state: state) {
      shuffleLog.reportProblem(problem)
    }
    lookAtCauses(in: story.steps)
  }

  /// What an effect sent has its action as the cause; what the test sent, none.
  private func lookAtCauses(in steps: [ReactorStep]) {
    var taken: [ActionNumber: Int] = [:]
    for step in steps {
      guard case .taken = step.kind, let action = step.action, let value = action.value as? Int
      else { continue }
      taken[action.number] = value
      let sender = action.cause.flatMap { taken[$0.action] }
      let parent = actions.firstIndex { $0.sends == value }
      if !action.number.isMadeByHook, sender != parent {
        shuffleLog.reportProblem("\(value) was sent by \(parent ?? -1), not by \(sender ?? -1)")
      }
    }
  }

  static func leftovers(in reactor: isolated R) -> String? {
    let core = reactor.pipeline.core
    let lanes = core.details.lanes.leftovers
    let (open, waiters) = core.ledger.contents.withLock {
      ($0.machine.openActions, Array($0.waiters.keys))
    }
    let isEmpty =
      lanes == nil && core.details.skipped.isEmpty
      && core.details.waitingTurns.isEmpty && core.taking == nil && open.isEmpty && waiters.isEmpty
      && core.ledger.contents.withLock { $0.machine.hasNoOutcomeState }
      && !core.turnState.features.contains(.stages) && core.details.turnContext == nil
      && core.details.observers?.observed.allOpen.isEmpty != false
    if isEmpty { return nil }
    return "\(lanes ?? "lanes empty"), skipped \(core.details.skipped), turns "
      + "\(core.details.waitingTurns.count), "
      + "taking \(core.taking as Any), open \(open), waiters \(waiters), "
      + "context \(core.details.turnContext != nil)"
  }

  /// - Parameter state: The mutations that were reduced, where the reactor is still there.
  func checkOutcomes(_ state: [Int]?) {
    let now = shuffleLog.now
    lookAtOrder(now)
    let byAction = Dictionary(grouping: orders.reports.entries) { $0.action as? Int ?? -1 }
    for action in now.sent.sorted() {
      let history = ActionHistory(
        now, action, reports: byAction[action] ?? [], state: state?.filter { $0 / 10 == action })
      var problems = history.problems(actions[action], ending)
      if let outcome = outcomes[action] {
        let mayBeForgotten =
          !asked.contains { $0.action == action } && actions.count > RecentOutcomes.capacity
        problems += history.problems(with: outcome, ending, mayBeForgotten: mayBeForgotten)
      }
      for problem in problems {
        shuffleLog.reportProblem("\(action): \(problem); \(history), \(actions[action])")
      }
    }
  }

  func lookAtOrder(_ now: ShuffleLog.State) {
    for (key, lane) in lanes.enumerated() where !lane.isMixed {
      let started = now.started.filter { actions[$0].key == key }
      let chosen = now.chosen.filter { actions[$0].key == key && started.contains($0) }
      if started != chosen {
        shuffleLog.reportProblem("lane \(key): came \(chosen), started \(started); \(lane)")
      }
    }
  }

  /// What has become of an action.
  struct ActionHistory {
    var hasStarted: Bool
    var isTouched: Bool
    var silentAfter: Int?
    var neverStarted = 0
    /// What was reported of one that never started.
    var reason: String?
    var evictions = 0
    var failures = 0
    var others: [String] = []
    var state: [Int]?

    init(_ now: ShuffleLog.State, _ action: Int, reports: [ReactorReport], state: [Int]?) {
      hasStarted = now.started.contains(action)
      isTouched = now.touched.contains(action)
      silentAfter = now.silent[action]
      self.state = state
      for report in reports {
        switch report.problem {
        case .droppedInLane, .supersededInLane, .laneFull, .actionDropped, .actionRefused:
          neverStarted += 1
          reason = report.problem.word
        case .evictedFromLane: evictions += 1
        case .effectFailed: failures += 1
        default: others.append(report.problem.word)
        }
      }
    }

    /// Whether what the receipt tells is what has happened.
    func problems(
      with outcome: ActionOutcome, _ ending: Ending, mayBeForgotten: Bool
    ) -> [String] {
      if mayBeForgotten, case .forgotten = outcome { return [] }
      // A reactor that is released reports elsewhere.
      if ending == .release, neverStarted == 0 { return [] }
      let isRight =
        switch outcome {
        case .finished: neverStarted == 0 && evictions == 0 && failures == 0
        case .failed: failures > 0
        case .cancelled: isTouched
        case .dropped(let lane): reason == "dropped(\(lane))"
        case .superseded(let lane): reason == "superseded(\(lane))"
        case .evicted: evictions == 1
        case .refused(.laneFull(let lane)): reason == "laneFull(\(lane))"
        case .refused: reason == "actionRefused"
        case .reactorEnded: ending != .natural && hasStarted && reason == nil
        case .neverBegun: ending != .natural && !hasStarted
        case .droppedByMiddleware, .open, .forgotten, .released, .timedOut, .cycle: false
        }
      return isRight ? [] : ["told \(outcome)"]
    }

    func problems(_ plan: ShuffledAction, _ ending: Ending) -> [String] {
      var problems: [String] = []
      func expect(_ isSo: Bool, _ problem: String) { if !isSo { problems.append(problem) } }
      expect(neverStarted <= 1, "reported \(neverStarted) times")
      expect(neverStarted == 0 || !hasStarted, "reported as never started")
      expect(evictions <= 1, "evicted \(evictions) times")
      expect(evictions == 0 || hasStarted, "evicted before it started")
      expect(others.isEmpty, "reports")
      // A reactor that is released reports elsewhere.
      if ending != .release {
        expect(hasStarted || isTouched || neverStarted == 1, "has vanished")
      }
      guard let state else { return problems }
      expect(hasStarted || state.isEmpty, "emitted without a start")
      expect(Set(state).count == state.count, "emitted twice")
      if let silentAfter { expect(state.count == silentAfter, "not silent after its cancel") }
      let isUnhindered =
        hasStarted && !isTouched && evictions == 0 && ending != .stop && ending != .restart
      guard isUnhindered, let action = state.first.map({ $0 / 10 }) else {
        let isEmpty = plan.work == .nothing
        expect(!isUnhindered || isEmpty, "emitted nothing")
        return problems
      }
      let expected = plan.mutations(of: action)
      expect(plan.work == .merged ? state.sorted() == expected : state == expected, "mutations")
      expect(failures == (plan.fails ? plan.parts.count : 0), "failures")
      return problems
    }
  }
}

extension LaneTable {
  /// What is left in the table, in words; `nil` if nothing is.
  var leftovers: String? {
    if isEmpty, !hasReady { return nil }
    return
      "lanes \(records.keys), parked \(parked.keys), cancellations \(cancellations), "
      + "ready \(hasReady), slot \(slot?.number as Any), entering \(entering?.key as Any)"
  }
}
