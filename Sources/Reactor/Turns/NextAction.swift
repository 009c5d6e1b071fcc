import ReactorMachines
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

  @usableFromInline
  typealias Next = (action: R.Action, number: UInt64, context: ActionContext?)

  /// The next action that has not been cancelled; `nil` when there is none, and the job may end.
  @inlinable @inline(__always)
  func nextAction(endingJob: Bool, on reactor: isolated R) -> Next? {
    if !hasMail.load(ordering: .acquiring), !own.looksAtEach,
      let next = own.batch.popFirst(keepingRoomFor: Self.turnsAtATime)
    {
      let number = own.taken
      own.taken &+= 1
      if next.context != nil { follow(next, number: number) }
      return (next.action, number, next.context)
    }
    return lookForAction(endingJob: endingJob, on: reactor)
  }

  /// The next action, with all that there is to look at: refills an empty batch by the inbox, reads
  /// the mail, and leaves cancelled actions out.
  ///
  /// The first action of a job comes this way, those that came with it the short one.
  @inlinable @inline(never)
  func lookForAction(endingJob: Bool, on reactor: isolated R) -> Next? {
    while true {
      var next = own.batch.popFirst(keepingRoomFor: Self.turnsAtATime)
      if next == nil, refill(endingJob: endingJob) {
        next = own.batch.popFirst(keepingRoomFor: Self.turnsAtATime)
      }
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
      if next.context != nil { follow(next, number: number) }
      guard own.looksAtEach else { return (next.action, number, next.context) }
      if let context = next.context { hand(over: context, to: number) }
      if endIfSkipped(number) {
        if ReactorObservers.isAny { followObservers(on: reactor) }
        tell(.passedOver(next.action, number: number, arrival(of: number)))
        forgetContext(of: number)
        settleUntaken(number)
      } else if let passed = passMiddleware(next.action, number: number, on: reactor) {
        forgetContext(of: number)
        return (passed, number, next.context)
      }
    }
  }

  @inlinable
  func refill(endingJob: Bool) -> Bool {
    guard inbox.dequeue(into: &own.batch, endsJob: endingJob) else {
      // A reactor that does nothing keeps no memory for actions.
      if endingJob { own.batch = Inbox<R.Action>.Queue() }
      return false
    }
    lookForCompany()
    return true
  }
}
