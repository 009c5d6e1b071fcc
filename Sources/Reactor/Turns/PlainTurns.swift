public import ReactorMachines

/// Turns that are taken in one go: what nearly every reactor does.
extension PipelineCore {
  /// What becomes of an action that has come out of the inbox: it goes into `transform(action:)`,
  /// or has its turn.
  @inlinable
  func handOn(_ next: Next, on reactor: isolated R) {
    if Self.hasActionHook, let input = details.hooks?.inputs.actions {
      ledger.begin(next.number)
      if ReactorObservers.isAny { followObservers(on: reactor) }
      tellIntoHook(next)
      input.push(next.action, ticket: .action(next.number, in: next.context))
    } else {
      take(next.action, number: next.number, with: next.context, on: reactor)
    }
  }

  /// Takes a round of what waits, for a job.
  ///
  /// If there were many, more are likely to be on their way, and making another job for them costs
  /// their sender far more than another look costs this one: so the job stays. Else it looks once
  /// more, and ends with that if nothing waits: under the inbox's lock, so that whoever sends next
  /// makes another job.
  ///
  /// - Returns: Whether the job is to go on.
  @inlinable
  func takeRound(on reactor: isolated R) -> Bool {
    let before = own.taken
    if takeTurns(upTo: Self.turnsAtATime, endingJob: false, on: reactor) { return true }
    if own.taken &- before >= Self.turnsOfABurst { return true }
    return takeTurns(upTo: Self.turnsAtATime, endingJob: true, on: reactor)
  }

  /// From how many actions at a time on a job expects more.
  @inlinable static var turnsOfABurst: UInt64 { 8 }

  /// Takes what waits, in order.
  ///
  /// - Returns: Whether there may be more.
  @inlinable
  func takeTurns(upTo limit: Int, endingJob: Bool, on reactor: isolated R) -> Bool {
    if phase == .stubbed {
      recordTurns(endingJob: endingJob, on: reactor)
      return false
    }
    var rest = limit
    // Some are left from the last time; for others it is looked as they come.
    if !own.batch.isEmpty { lookForCompany() }
    if hasReady { startReady(on: reactor) }
    while let next = nextAction(endingJob: endingJob, on: reactor) {
      handOn(next, on: reactor)
      if hasReady { startReady(on: reactor) }
      rest -= 1
      if rest == 0 {
        // What was sent as one is taken in one go.
        guard isHolding else { return true }
        rest = 1
      }
    }
    return false
  }
}
