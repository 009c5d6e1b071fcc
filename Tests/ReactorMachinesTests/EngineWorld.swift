import ReactorMachines
import TestLimits

/// An inbox with its lifecycle and the work behind it, and all that their user knows: which actions
/// were accepted, taken and settled, and whether a job exists.
struct EngineWorld: ExploredWorld {
  enum Event: Hashable {
    case admit, admitTogether, admitOrSuspend
    case cancelSender(UInt64)
    case begin, job
    /// The turn of the action that is being taken ends, and has begun an effect or not.
    case turn(beginsEffect: Bool)
    case effectEnds(UInt64, fails: Bool)
    case ask(UInt64)
    case close(LifecycleMachine.Mode)
    case passed, cutShort, finish, restart, release
  }

  enum Progress: Hashable { case waiting, taken, open, settled }

  let actions: UInt64
  let restarts: Int
  var inbox: InboxMachine
  var work = WorkMachine()
  var progress: [UInt64: Progress] = [:]
  var senders: Set<UInt64> = []
  var jobs = 0
  /// Dequeued, and not taken yet.
  var batch: [UInt64] = []
  var asked: Set<UInt64> = []
  /// The slot of each action's effect.
  var effects: [UInt64: UInt64] = [:]
  /// How actions are to have ended.
  var outcomes: [UInt64: WorkMachine.Outcome] = [:]
  var stage: LifecycleMachine.Stage?
  /// How it ends, and whether it was asked to end early.
  var mode: LifecycleMachine.Mode?
  var isExpedited = false
  /// Whether the end was cut short, so that it does not continue after the stage it waits for.
  var isCutShort = false
  var mayFinish = false
  var hasBegun = false
  var isGone = false

  init(limit: Int = .max, actions: UInt64, restarts: Int = 0) {
    self.actions = actions
    self.restarts = restarts
    inbox = InboxMachine(limit: limit, whenFull: .suspend)
  }

  private var isClosed: Bool { !inbox.lifecycle.accepts }

  // MARK: What can happen

  var events: [Event] {
    if isGone { return effects.keys.sorted().map { .effectEnds($0, fails: false) } }
    var events: [Event] = [.close(.cancel), .close(.drain), .release]
    if inbox.accepted + UInt64(senders.count) < actions {
      events += [.admit, .admitOrSuspend]
      if inbox.accepted + UInt64(senders.count) + 1 < actions { events.append(.admitTogether) }
    }
    events += senders.sorted().map { .cancelSender($0) }
    for action in effects.keys.sorted() {
      events += [.effectEnds(action, fails: false), .effectEnds(action, fails: true)]
    }
    events += progress.keys.sorted().filter { !asked.contains($0) }.map { .ask($0) }
    if !batch.isEmpty { events += [.turn(beginsEffect: false), .turn(beginsEffect: true)] }
    if jobs > 0, batch.isEmpty { events.append(.job) }
    if let stage, stage != .work || work.isIdle { events.append(.passed) }
    if mayFinish { events.append(.finish) }
    if batch.isEmpty, hasBegun { events.append(.cutShort) }
    // A journal, which alone cuts an end short, does not let its reactor begin again.
    if inbox.lifecycle.state == .ended, !isCutShort, inbox.lifecycle.generation < restarts {
      events.append(.restart)
    }
    if !hasBegun { events.append(.begin) }
    return events
  }

  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .admit: admit(1)
    case .admitTogether: admit(2)
    case .admitOrSuspend: arrive()
    case .cancelSender(let sender):
      inbox.cancelSender(sender) == (senders.remove(sender) != nil) ? check() : "not resumed"
    case .begin: begin()
    case .job: job()
    case .turn(let beginsEffect): turn(beginsEffect: beginsEffect)
    case .effectEnds(let action, let fails): end(action, fails: fails)
    case .ask(let action): ask(action)
    case .close(let mode): close(mode)
    case .passed: pass(stage ?? .taking)
    case .cutShort: cutShort()
    case .finish: finish()
    case .restart: restart()
    case .release: release()
    }
  }

  // MARK: Accepting

  private mutating func admit(_ count: Int) -> String? {
    accept(inbox.admit(count), count) ?? check()
  }

  private mutating func accept(_ admission: InboxMachine.Admission, _ count: Int) -> String? {
    switch admission {
    case .refused(.closed): return isClosed ? nil : "refused, and not closed"
    case .refused(.cancelled): return "cancelled, and not by its sender"
    case .refused(.full):
      return inbox.limit - inbox.waiting >= count ? "refused, and not full" : nil
    case .accepted(let first, let schedules):
      if isClosed { return "\(first) is accepted after the end has begun" }
      if schedules { jobs += 1 }
      for number in first..<first + UInt64(count) {
        if progress[number] != nil { return "\(number) is given twice" }
        progress[number] = .waiting
      }
      return nil
    }
  }

  private mutating func arrive() -> String? {
    switch inbox.admitOrSuspend() {
    case .admitted(let admission): return accept(admission, 1) ?? check()
    case .suspended(let sender):
      if isClosed { return "a sender waits at a closed inbox" }
      senders.insert(sender)
      return check()
    }
  }

  // MARK: Taking

  private mutating func begin() -> String? {
    if inbox.begin() {
      if hasBegun { return "it begins twice" }
      hasBegun = true
    }
    return check()
  }

  private mutating func job() -> String? {
    _ = begin()
    switch inbox.dequeue(endsJob: true) {
    case .actions(let range, let admitted):
      for number in range {
        guard progress[number] == .waiting else { return "\(number) is dequeued twice" }
        progress[number] = .taken
        batch.append(number)
      }
      for sender in admitted {
        guard senders.remove(sender.sender) != nil else { return "a sender enters twice" }
        progress[sender.number] = .waiting
      }
    case .nothing: jobs -= 1
    case .end:
      jobs -= 1
      if case .ending(_, _, .taking) = inbox.lifecycle.state { return pass(.taking) }
    }
    return check()
  }

  private mutating func turn(beginsEffect: Bool) -> String? {
    let action = batch.removeFirst()
    if inbox.lifecycle.hasEnded { return "\(action) begins after the end" }
    work.begin(action)
    if beginsEffect {
      effects[action] = work.beginEffect(action)
      progress[action] = .open
    }
    return settle(work.end(action), of: action) ?? check()
  }

  private mutating func end(_ action: UInt64, fails: Bool) -> String? {
    guard let effect = effects.removeValue(forKey: action) else { return "no such effect" }
    if fails {
      let isNews = work.note(.failed, of: action) != nil
      if isNews != (outcomes[action] == nil) { return "the outcome of \(action) is news" }
      if isNews { outcomes[action] = .failed }
    }
    return settle(work.endEffect(effect, of: action), of: action) ?? check()
  }

  private mutating func settle(
    _ settlement: WorkMachine.Settlement?, of action: UInt64
  ) -> String? {
    guard let settlement else {
      return effects[action] == nil ? "\(action) does not settle" : nil
    }
    if settlement.action != action { return "\(settlement.action) settles for \(action)" }
    if settlement.isIdle != work.isIdle { return "it is idle" }
    return settled(action, settlement.outcome)
  }

  private mutating func settled(_ action: UInt64, _ outcome: WorkMachine.Outcome) -> String? {
    if progress[action] == .settled { return "\(action) settles twice" }
    progress[action] = .settled
    let expected = outcomes[action] ?? .finished
    if outcome != expected { return "\(action): \(outcome), and not \(expected)" }
    guard asked.contains(action) else { return nil }
    let answer = work.takeOutcome(of: action)
    return answer == .ended(expected) ? nil : "the answer is \(answer), and not \(expected)"
  }

  private mutating func ask(_ action: UInt64) -> String? {
    work.requestOutcome(of: action)
    asked.insert(action)
    guard progress[action] == .settled else { return check() }
    let (answer, expected) = (work.takeOutcome(of: action), outcomes[action] ?? .finished)
    return answer == .ended(expected) ? check() : "the answer is \(answer), and not \(expected)"
  }

  /// What was accepted and is not taken ends with the reactor; then all that does not run.
  private mutating func drop(_ actions: [UInt64]) -> String? {
    for action in actions {
      outcomes[action] = .neverBegun
      guard work.note(.neverBegun, of: action)?.outcome == .neverBegun,
        work.settleIfIdle(action)
      else { return "\(action) has begun" }
      if let fault = settled(action, .neverBegun) { return fault }
    }
    for action in effects.keys where outcomes[action] == nil { outcomes[action] = .reactorEnded }
    for settlement in work.abandon(except: 0) {
      return "\(settlement.action) settles, and its effect runs"
    }
    return work.isIdle == effects.isEmpty ? check() : "work is left behind"
  }

  // MARK: Ending

  private mutating func close(_ mode: LifecycleMachine.Mode) -> String? {
    let wasClosed = isClosed
    switch inbox.close(mode) {
    case .begun(let refused, let schedules):
      if wasClosed { return "the end begins twice" }
      if Set(refused) != senders { return "a sender is not refused" }
      senders = []
      if schedules { jobs += 1 }
      self.mode = mode
    case .expedited:
      if !wasClosed || isExpedited || mode == .drain { return "it is expedited" }
      isExpedited = true
    case .already:
      if !wasClosed { return "it is not closed" }
      if mode == .cancel, stage != nil || mayFinish, !isExpedited {
        return "what waits is not expedited"
      }
    }
    return check()
  }

  private mutating func pass(_ passed: LifecycleMachine.Stage) -> String? {
    stage = nil
    let step = inbox.passed(passed)
    if isCutShort { return step == .stop ? check() : "it continues, and was cut short" }
    switch step {
    case .wait(let next):
      if next.rawValue <= passed.rawValue { return "the end goes back to \(next)" }
      if isExpedited { return "it waits, and was asked to end early" }
      if next == .work || next == .children, mode == .cancel {
        return "it waits for work that is to be cancelled"
      }
      stage = next
    case .finish:
      guard batch.isEmpty, inbox.waiting == 0 else { return "not all taken" }
      mayFinish = true
    case .stop: return "it is not gone"
    }
    return check()
  }

  private mutating func cutShort() -> String? {
    let isUnfinished = !mayFinish && !inbox.lifecycle.hasEnded
    let isClosing = inbox.close(.cancel)
    if case .begun(let refused, let schedules) = isClosing {
      if Set(refused) != senders { return "a sender is not refused" }
      senders = []
      if schedules { jobs += 1 }
      mode = .cancel
    } else if isClosing == .expedited {
      isExpedited = true
    }
    if inbox.cutShort() != isUnfinished { return "cut short: \(!isUnfinished)" }
    if isUnfinished { (mayFinish, isCutShort) = (true, true) }
    return check()
  }

  private mutating func finish() -> String? {
    mayFinish = false
    inbox.finished()
    let dropped = batch + inbox.dropWaiting()
    batch = []
    return drop(dropped)
  }

  private mutating func restart() -> String? {
    guard inbox.restart(after: inbox.lifecycle.generation) == .begin else { return "no restart" }
    (hasBegun, mode, isExpedited) = (false, nil, false)
    return check()
  }

  private mutating func release() -> String? {
    let left = inbox.release()
    isGone = true
    (stage, mayFinish, jobs) = (nil, false, 0)
    if Set(left.senders) != senders { return "a sender is left behind" }
    senders = []
    for number in Array(left.actions) + batch {
      guard progress[number] == .waiting || progress[number] == .taken else {
        return "\(number) is given up, and was taken"
      }
    }
    let dropped = Array(left.actions) + batch
    batch = []
    return drop(dropped)
  }

  // MARK: Always

  private func check() -> String? {
    if jobs > 1 { return "two jobs" }
    if inbox.waiting > 0, jobs == 0, batch.isEmpty, !isGone { return "actions wait, and no job" }
    if inbox.waiting > inbox.limit { return "\(inbox.waiting) wait, of \(inbox.limit)" }
    if progress.count != Int(inbox.accepted) { return "a number was skipped" }
    if !senders.isEmpty, inbox.waiting < inbox.limit { return "a sender waits, and there is room" }
    if isClosed, inbox.lifecycle.state != .released, !inbox.lifecycle.hasEnded, jobs == 0,
      stage == nil,
      !mayFinish, batch.isEmpty
    {
      return "it is closed, and nothing brings about the end"
    }
    if isGone, effects.isEmpty, progress.values.contains(where: { $0 != .settled }) {
      return "an action never settles"
    }
    return nil
  }
}
