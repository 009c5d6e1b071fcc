import ReactorMachines

/// An inbox with its life and the work behind it, and all that their user knows: which actions were
/// accepted, taken and settled, and whether a job exists.
struct EngineWorld: ExploredWorld {
  enum Event: Hashable {
    case admit, admitTogether, admitWhenRoom
    case cancelSender(UInt64)
    case begin, job
    /// The turn of the action that is being taken ends, and has begun an effect or not.
    case turn(beginsEffect: Bool)
    case effectEnds(UInt64)
    case wait(UInt64)
    case close(LifeMachine.Mode)
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
  var waiters: [UInt64: UInt64] = [:]
  var effects: [UInt64: UInt64] = [:]
  var stage: LifeMachine.Stage?
  /// How it ends, and whether it was asked to hurry.
  var mode: LifeMachine.Mode?
  var isHurried = false
  var mayFinish = false
  var hasBegun = false
  var isGone = false

  init(limit: Int = .max, actions: UInt64, restarts: Int = 0) {
    self.actions = actions
    self.restarts = restarts
    inbox = InboxMachine(limit: limit, whenFull: .suspend)
  }

  private var isClosed: Bool { !inbox.life.accepts }

  // MARK: What can happen

  var events: [Event] {
    if isGone { return effects.keys.sorted().map { .effectEnds($0) } }
    var events: [Event] = [.close(.cancel), .close(.drain), .release]
    if inbox.accepted + UInt64(senders.count) < actions {
      events += [.admit, .admitWhenRoom]
      if inbox.accepted + UInt64(senders.count) + 1 < actions { events.append(.admitTogether) }
    }
    events += senders.sorted().map { .cancelSender($0) }
    events += effects.keys.sorted().map { .effectEnds($0) }
    events += progress.keys.sorted().filter { waiters[$0] == nil && progress[$0] != .settled }
      .map { .wait($0) }
    if !batch.isEmpty { events += [.turn(beginsEffect: false), .turn(beginsEffect: true)] }
    if jobs > 0, batch.isEmpty { events.append(.job) }
    if let stage, stage != .work || work.isIdle { events.append(.passed) }
    if mayFinish { events.append(.finish) }
    if batch.isEmpty, hasBegun { events.append(.cutShort) }
    if inbox.life.state == .ended, inbox.life.generation < restarts { events.append(.restart) }
    if !hasBegun { events.append(.begin) }
    return events
  }

  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .admit: admit(1)
    case .admitTogether: admit(2)
    case .admitWhenRoom: arrive()
    case .cancelSender(let sender):
      inbox.cancelSender(sender) == (senders.remove(sender) != nil) ? check() : "not resumed"
    case .begin: begin()
    case .job: job()
    case .turn(let beginsEffect): turn(beginsEffect: beginsEffect)
    case .effectEnds(let effect): end(effect)
    case .wait(let action): wait(for: action)
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
    switch inbox.admitWhenRoom() {
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
    case .actions(let range, let entrants):
      for number in range {
        guard progress[number] == .waiting else { return "\(number) is dequeued twice" }
        progress[number] = .taken
        batch.append(number)
      }
      for entrant in entrants {
        guard senders.remove(entrant.sender) != nil else { return "a sender enters twice" }
        progress[entrant.number] = .waiting
      }
    case .nothing: jobs -= 1
    case .end:
      jobs -= 1
      if case .ending(_, _, .taking) = inbox.life.state { return pass(.taking) }
    }
    return check()
  }

  private mutating func turn(beginsEffect: Bool) -> String? {
    let action = batch.removeFirst()
    if inbox.life.hasEnded { return "\(action) begins after the end" }
    work.begin(action)
    if beginsEffect {
      work.begin(action, effect: action)
      effects[action] = action
      progress[action] = .open
    }
    return settle(work.end(action), of: action) ?? check()
  }

  private mutating func end(_ effect: UInt64) -> String? {
    guard let action = effects.removeValue(forKey: effect) else { return "no such effect" }
    return settle(work.end(action, effect: effect), of: action) ?? check()
  }

  private mutating func settle(
    _ settlement: WorkMachine.Settlement?, of action: UInt64
  ) -> String? {
    guard let settlement else {
      return effects[action] == nil ? "\(action) does not settle" : nil
    }
    if settlement.action != action { return "\(settlement.action) settles for \(action)" }
    if progress[action] == .settled { return "\(action) settles twice" }
    progress[action] = .settled
    for waiter in settlement.waiters where waiters[action] != waiter {
      return "a waiter of another action is resumed"
    }
    if let waiter = waiters[action], !settlement.waiters.contains(waiter) {
      return "a waiter of \(action) is not resumed"
    }
    return nil
  }

  private mutating func wait(for action: UInt64) -> String? {
    let isTaken = progress[action] == .settled || progress[action] == .open
    switch work.wait(for: action, isTaken: isTaken) {
    case .settled: return progress[action] == .settled ? check() : "\(action) has not settled"
    case .wait(let waiter):
      waiters[action] = waiter
      return check()
    }
  }

  // MARK: Ending

  private mutating func close(_ mode: LifeMachine.Mode) -> String? {
    let wasClosed = isClosed
    switch inbox.close(mode) {
    case .begun(let refused, let schedules):
      if wasClosed { return "the end begins twice" }
      if Set(refused) != senders { return "a sender is not refused" }
      senders = []
      if schedules { jobs += 1 }
      self.mode = mode
    case .hurried:
      if !wasClosed || isHurried || mode == .drain { return "it is hurried" }
      isHurried = true
    case .already:
      if !wasClosed { return "it is not closed" }
      if mode == .cancel, stage != nil, !isHurried { return "what waits is not hurried" }
    }
    return check()
  }

  private mutating func pass(_ passed: LifeMachine.Stage) -> String? {
    stage = nil
    switch inbox.passed(passed) {
    case .wait(let next):
      if next <= passed { return "the end goes back to \(next)" }
      if isHurried { return "it waits, and was asked to hurry" }
      if next >= .work, mode == .cancel { return "it waits for work that is to be cancelled" }
      stage = next
    case .finish:
      guard batch.isEmpty, inbox.waiting == 0 else { return "not all taken" }
      mayFinish = true
    case .stop: return "it is not gone"
    }
    return check()
  }

  private mutating func cutShort() -> String? {
    let wasTaking = stage == nil && !mayFinish && !inbox.life.hasEnded
    let isClosing = inbox.close(.cancel)
    if case .begun(let refused, let schedules) = isClosing {
      if Set(refused) != senders { return "a sender is not refused" }
      senders = []
      if schedules { jobs += 1 }
      mode = .cancel
    } else if isClosing == .hurried {
      isHurried = true
    }
    if inbox.cutShort() != wasTaking { return "cut short: \(!wasTaking)" }
    if wasTaking { mayFinish = true }
    return check()
  }

  private mutating func finish() -> String? {
    mayFinish = false
    inbox.finished()
    let dropped = batch + inbox.dropWaiting()
    batch = []
    for number in dropped {
      if let settlement = work.settle(number, as: .neverBegun),
        let fault = settle(settlement, of: number)
      {
        return fault
      }
    }
    for settlement in work.abandon(as: .reactorEnded) {
      if let fault = settle(settlement, of: settlement.action) { return fault }
    }
    return check()
  }

  private mutating func restart() -> String? {
    guard inbox.restart(after: inbox.life.generation) == .begin else { return "no restart" }
    (hasBegun, mode, isHurried) = (false, nil, false)
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
      if let settlement = work.settle(number, as: .neverBegun),
        let fault = settle(settlement, of: number)
      {
        return fault
      }
    }
    batch = []
    for settlement in work.abandon(as: .reactorEnded) {
      if let fault = settle(settlement, of: settlement.action) { return fault }
    }
    return check()
  }

  // MARK: Always

  private func check() -> String? {
    if jobs > 1 { return "two jobs" }
    if inbox.waiting > 0, jobs == 0, batch.isEmpty, !isGone { return "actions wait, and no job" }
    if inbox.waiting > inbox.limit { return "\(inbox.waiting) wait, of \(inbox.limit)" }
    if progress.count != Int(inbox.accepted) { return "a number was skipped" }
    if !senders.isEmpty, inbox.waiting < inbox.limit { return "a sender waits, and there is room" }
    if isClosed, inbox.life.state != .released, !inbox.life.hasEnded, jobs == 0, stage == nil,
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
