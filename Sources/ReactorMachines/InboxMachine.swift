/// The inbox of a reactor: numbers the actions that it accepts, and decides which senders wait.
///
/// It contains the lifecycle of the reactor. So closing the inbox and numbering an action are one
/// event each, and no action is accepted with a number higher than those that the end has seen.
///
/// ```
///            admit, request              dequeue(endingJob) finds nothing
///   asleep ─────────────────▶ scheduled ────────────────────────────────▶ asleep
/// ```
///
/// | event | accepts, has capacity | accepts, full | closed |
/// |---|---|---|---|
/// | `admit` | number; schedules if asleep | refused: full | refused: closed |
/// | `admitOrSuspend` | number; schedules if asleep | suspends the sender | refused: closed |
/// | `dequeue` | what waits; senders that fit now | the same | what waits, then `end` |
/// | `close` | schedules if asleep; refuses the senders | the same | – |
///
/// *Scheduled*: there is a job that will dequeue. An event that finds the inbox asleep schedules
/// the job. The job that finds nothing more marks the inbox as asleep, under the same lock.
@usableFromInline
package struct InboxMachine: Sendable, Hashable {
  /// What happens to an action that arrives while the inbox is full.
  package enum WhenFull: Sendable, Hashable {
    case refuse
    case suspend
  }

  private struct Bound: Hashable {
    let limit: Int
    let whenFull: WhenFull
    /// The senders that wait for capacity.
    var senders = NumberQueue()
    var lastSender: UInt64 = 0
  }

  package private(set) var lifecycle = LifecycleMachine()
  /// How many actions have been accepted, which is the number of the next.
  @usableFromInline package private(set) var accepted: UInt64 = 0
  /// How many of them have been dequeued.
  package private(set) var dequeued: UInt64 = 0
  /// Empty if there is no limit, as is usual.
  ///
  /// An array, because it is changed in place.
  private var bound: [Bound] = []
  private var isScheduled = false

  /// Creates an inbox without a limit.
  @usableFromInline
  package init() {}

  package init(limit: Int, whenFull: WhenFull) {
    if limit < .max { bound = [Bound(limit: limit, whenFull: whenFull)] }
  }

  package var waiting: Int { Int(accepted &- dequeued) }
  /// Whether there is no job, and no action waits for one.
  package var isAsleep: Bool { !isScheduled && waiting == 0 }

  /// Whether the reactor has been released.
  @usableFromInline package var isReleased: Bool { lifecycle.state == .released }

  /// The phase of the reactor's lifecycle, as its turns see it.
  @usableFromInline package var phase: LifecycleMachine.Phase { lifecycle.phase }
  @usableFromInline package var isClosed: Bool { !lifecycle.accepts }
  /// Whether every accepted action has been dequeued, and the end waits for the last ones to be
  /// taken.
  @usableFromInline package var isEndDue: Bool { waiting == 0 && lifecycle.isTakingLast }

  package var limit: Int { bound.first?.limit ?? .max }

  // MARK: Accepting

  @usableFromInline
  package enum Refusal: Sendable, Hashable {
    case closed
    case full
    /// The sender was cancelled while it waited for capacity.
    case cancelled
  }

  @usableFromInline
  package enum Admission: Sendable, Hashable {
    /// The first of the numbers, and whether the caller has to schedule a job.
    case accepted(UInt64, schedules: Bool)
    case refused(Refusal)
  }

  /// Accepts the actions, all or none.
  @usableFromInline
  package mutating func admit(_ count: Int = 1) -> Admission {
    guard lifecycle.accepts else { return .refused(.closed) }
    if !bound.isEmpty, bound[0].limit - waiting < count { return .refused(.full) }
    return number(count)
  }

  private mutating func number(_ count: Int) -> Admission {
    defer {
      accepted &+= UInt64(count)
      isScheduled = true
    }
    return .accepted(accepted, schedules: !isScheduled)
  }

  package enum Arrival: Sendable, Hashable {
    case admitted(Admission)
    /// The sender waits, identified by this number.
    case suspended(UInt64)
  }

  /// Accepts an action now, or once there is capacity and the senders before it have been admitted.
  package mutating func admitOrSuspend() -> Arrival {
    let isFirst = bound.isEmpty || bound[0].senders.isEmpty
    let admission = isFirst ? admit() : .refused(lifecycle.accepts ? .full : .closed)
    guard admission == .refused(.full), bound[0].whenFull == .suspend else {
      return .admitted(admission)
    }
    bound[0].lastSender += 1
    bound[0].senders.append(bound[0].lastSender)
    return .suspended(bound[0].lastSender)
  }

  /// A sender that waits is cancelled.
  ///
  /// - Returns: Whether it still waited, and has to be resumed.
  package mutating func cancelSender(_ sender: UInt64) -> Bool {
    !bound.isEmpty && bound[0].senders.remove(sender)
  }

  /// Reserves the first number for an action that is not sent and uses no capacity.
  package mutating func reserveFirst() { (accepted, dequeued) = (1, 1) }

  /// A job is needed although no action was accepted.
  ///
  /// - Returns: Whether the caller has to schedule it.
  package mutating func requestJob() -> Bool {
    defer { isScheduled = true }
    return !isScheduled
  }

  // MARK: Dequeuing

  @usableFromInline
  package struct AdmittedSender: Sendable, Hashable {
    package let sender: UInt64
    package let number: UInt64
  }

  @usableFromInline
  package enum Dequeued: Sendable, Hashable {
    /// The actions with these numbers, in order, and the senders that got capacity by this.
    case actions(Range<UInt64>, admitted: [AdmittedSender])
    case nothing
    /// Nothing, and no action will ever be accepted.
    case end
  }

  /// Dequeues all waiting actions, or one at a time if there is a limit.
  ///
  /// - Parameter endsJob: Whether the caller is the job, and ends if there is nothing.
  /// - Returns: The actions, or that there are none.
  @usableFromInline
  package mutating func dequeue(endsJob: Bool) -> Dequeued {
    guard waiting > 0 else {
      if endsJob { isScheduled = false }
      return lifecycle.accepts ? .nothing : .end
    }
    let range = dequeued..<(bound.isEmpty ? accepted : dequeued + 1)
    dequeued = range.upperBound
    return .actions(range, admitted: bound.isEmpty ? [] : admitSenders())
  }

  /// Admits the senders for which there is capacity now, in their order.
  private mutating func admitSenders() -> [AdmittedSender] {
    var admitted: [AdmittedSender] = []
    while lifecycle.accepts, waiting < limit, let sender = bound[0].senders.popFirst() {
      admitted.append(AdmittedSender(sender: sender, number: accepted))
      _ = number(1)
    }
    return admitted
  }

  // MARK: The lifecycle

  @usableFromInline
  package mutating func begin(as role: LifecycleMachine.Role = .reactor) -> Bool {
    lifecycle.begin(as: role)
  }
  package mutating func becomeStub() -> Bool { lifecycle.becomeStub() }
  package mutating func passed(_ stage: LifecycleMachine.Stage) -> LifecycleMachine.Step {
    lifecycle.passed(stage)
  }
  package mutating func cutShort() -> Bool { lifecycle.cutShort() }
  package mutating func finished() { lifecycle.finished() }

  package enum Closing: Sendable, Hashable {
    /// The end has begun.
    ///
    /// Contains the senders that have to be refused, and whether the caller has to schedule a job.
    case begun(refused: [UInt64], schedules: Bool)
    case expedited
    case already
  }

  /// Refuses actions that are sent from now on.
  package mutating func close(_ mode: LifecycleMachine.Mode) -> Closing {
    switch lifecycle.close(mode) {
    case .expedited: return .expedited
    case .already: return .already
    case .begun:
      defer { isScheduled = true }
      return .begun(refused: takeSenders(), schedules: !isScheduled)
    }
  }

  /// Accepts actions again, in a new generation.
  package mutating func restart(after generation: UInt32) -> LifecycleMachine.Restart {
    lifecycle.restart(after: generation)
  }

  @usableFromInline
  package struct ReleaseResult: Sendable, Hashable {
    package let actions: Range<UInt64>
    package let senders: [UInt64]
    /// Whether the release ended the reactor.
    @usableFromInline package let endsReactor: Bool
  }

  /// Discards the actions that wait.
  package mutating func dropWaiting() -> Range<UInt64> {
    defer { dequeued = accepted }
    return dequeued..<accepted
  }

  /// The reactor is released: the actions that wait are discarded.
  @usableFromInline
  package mutating func release() -> ReleaseResult {
    ReleaseResult(actions: dropWaiting(), senders: takeSenders(), endsReactor: lifecycle.release())
  }

  private mutating func takeSenders() -> [UInt64] {
    guard !bound.isEmpty, !bound[0].senders.isEmpty else { return [] }
    defer { bound[0].senders = NumberQueue() }
    return bound[0].senders.all
  }
}
