public import Synchronization

/// What comes out of the inbox next, for whoever takes turns.
extension PipelineCore {
  /// How many actions are taken before other work on the reactor gets a chance.
  @inlinable static var turnsAtATime: Int { 1024 }

  /// Notes ``Company/isAny`` in `own.around`, once for each batch of actions, as it is a call.
  ///
  /// That is enough: an observer that was registered before an action was sent is registered before
  /// the action is put into the batch.
  @inlinable @inline(__always)
  func lookForCompany() {
    guard !Self.mayBeginLater else { return }
    if Company.isAny { own.around.insert(.company) } else { own.around.remove(.company) }
  }

  /// The next action that has not been cancelled; `nil` when there is none, and the job may end.
  @inlinable @inline(__always)
  func nextAction(
    endingJob: Bool, on reactor: isolated R
  ) -> (action: R.Action, number: UInt64)? {
    if !hasMail.load(ordering: .acquiring), !own.looksAtEach,
      let next = own.batch.popFirst(R.Action.self)
    {
      defer { own.taken &+= 1 }
      return (next, own.taken)
    }
    return lookForAction(endingJob: endingJob, on: reactor)
  }

  /// The next action, with all that there is to look at: refills an empty batch by the inbox, reads
  /// the mail, and leaves cancelled actions out.
  ///
  /// The first action of a job comes this way, those that came with it the short one.
  @inlinable @inline(never)
  func lookForAction(
    endingJob: Bool, on reactor: isolated R
  ) -> (action: R.Action, number: UInt64)? {
    while true {
      var next = own.batch.popFirst(R.Action.self)
      if next == nil, refill(endingJob: endingJob) { next = own.batch.popFirst(R.Action.self) }
      // After the inbox: what was left before an action was sent is seen before it is taken, and
      // whoever left something since may have counted on this job.
      readMail(on: reactor)
      guard let next else {
        if Self.hasLanes, !Self.hasActionHook, let details = own.details {
          details.pointee.lanes.forgetCuts(before: own.taken)
        }
        return nil
      }
      let number = own.taken
      own.taken &+= 1
      guard own.looksAtEach else { return (next, number) }
      if endIfSkipped(number) {
        if ReactorObservers.isAny { observeTaken(next, number: number, on: reactor) }
        forgetContext(of: number)
        settleUntaken(number)
      } else if let passed = passMiddleware(next, number: number, on: reactor) {
        return (passed, number)
      }
    }
  }

  @inlinable
  func refill(endingJob: Bool) -> Bool {
    // A burst's memory is given back; the usual handful is kept.
    if own.batch.capacity > Self.turnsAtATime { own.batch.free() }
    makeWayForSenders()
    switch inbox.take(into: &own.batch, endingJob: endingJob) {
    case .actions:
      lookForCompany()
      return true
    case .nothing: return false
    case .end:
      // The one who waits for a receipt leaves the end to the job.
      hasReachedEnd.store(endingJob, ordering: .relaxed)
      return false
    case .unknown: return refillWithExtras(endingJob: endingJob)
    }
  }

  /// Leaves the inbox to those who send for two thirds of a microsecond, where many come, but few
  /// at a time.
  ///
  /// In a burst the sender and whoever takes fight for the lock, and for the memory behind it.
  /// Taken seldom, with many actions each time, all of it needs a third of the time. Actions that
  /// come one by one do not wait for this, and a job that ends gives its memory back.
  @inlinable
  func makeWayForSenders() {
    let count = UInt64(own.batch.countIfReused)
    if count >= Self.turnsOfABurst, count < 64 { Spinning.spin(2000) }
  }

  @inlinable @inline(never)
  func refillWithExtras(endingJob: Bool) -> Bool {
    var companions: [ActionCompanion] = []
    let found = inbox.take(
      into: &own.batch, companions: &companions, inboxExtras, endingJob: endingJob)
    lookForCompany()
    if !companions.isEmpty { unpack(companions) }
    if found == .end { hasReachedEnd.store(endingJob, ordering: .relaxed) }
    return found == .actions
  }
}
