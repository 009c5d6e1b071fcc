/// The ordered way in: any thread appends, the reactor takes everything at once.
///
/// Holds: `contents`, guarded by its own lock, held only to append or to swap an array out, so that a
/// sender never waits for the reactor. Continuations are resumed outside it. Actions are numbered from
/// 0 in the order they came.
///
/// With a limit, the reactor takes one action at a time, so that what waits is what is here.
@usableFromInline
struct ActionInbox<Action: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var waiting: [Action] = []
    /// With a limit, those who come before `waiting`, the first one last: one at a time is taken.
    @usableFromInline var front: [Action] = []
    /// How many actions have been accepted: the next one's number.
    @usableFromInline var accepted: UInt64 = 0
    /// Whether a job that will drain the inbox exists.
    @usableFromInline var isScheduled = false
    @usableFromInline var isClosed = false
    /// How often it has been opened again.
    @usableFromInline var life: UInt64 = 0
    /// Whether it was closed so that what runs comes to its end.
    @usableFromInline var isDraining = false
    /// The memberships of tracked actions that wait; nearly always none.
    @usableFromInline var tracked: [(number: UInt64, member: ChainMember)] = []
    /// Senders that wait for room.
    @usableFromInline var suspended = SuspendedSenders<Action>()

    @inlinable
    init() {}

    @inlinable
    mutating func append(_ action: Action, _ member: ChainMember? = nil) -> Admission {
      waiting.append(action)
      let number = accepted
      if let member { tracked.append((number, member)) }
      accepted &+= 1
      guard !isScheduled else { return .queued(number) }
      isScheduled = true
      return .wake(number)
    }
  }

  /// What became of an action at the door.
  @usableFromInline
  enum Admission: Sendable {
    /// Accepted; a job that will take it exists already.
    case queued(UInt64)
    /// Accepted, and the caller has to see to it that the reactor drains its inbox.
    case wake(UInt64)
    /// Closed.
    case refused
    case full
    /// The sender was cancelled while it waited for room.
    case cancelled
  }

  @usableFromInline let contents: Guarded<Contents>
  /// How many actions may wait.
  @usableFromInline let capacity: Int
  @usableFromInline let whenFull: InboxLimit.WhenFull

  @inlinable
  init(_ limit: InboxLimit = .unlimited) {
    contents = Guarded(Contents())
    capacity = limit.count
    whenFull = limit.whenFull
  }

  /// Accepts an action, unless the inbox is closed or full.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - member: What it is tracked by, if it is.
  /// - Returns: What became of it.
  @inlinable
  func admit(_ action: Action, _ member: ChainMember? = nil) -> Admission {
    contents.withLock { contents in
      guard !contents.isClosed else { return .refused }
      guard contents.waiting.count &+ contents.front.count < capacity else { return .full }
      return contents.append(action, member)
    }
  }

  /// The number that the next action will get.
  var nextNumber: UInt64 { contents.withLock { $0.accepted } }

  // MARK: Taking

  /// Asks for a drain although nothing was sent.
  ///
  /// - Returns: Whether the caller has to see to it that the reactor drains its inbox.
  func requestJob() -> Bool {
    contents.withLock { contents in
      defer { contents.isScheduled = true }
      return !contents.isScheduled
    }
  }

  /// What the reactor finds when it looks.
  @usableFromInline
  enum Found: Sendable {
    case actions
    case nothing
    /// Nothing, and nothing will ever come.
    case end
  }

  /// Moves what waits into `batch`, which must be empty; its capacity comes back here.
  ///
  /// - Parameters:
  ///   - batch: Receives the actions.
  ///   - tracked: Receives the memberships of those that are tracked.
  ///   - isJob: Whether the caller is the scheduled job, which ends where there is nothing to do.
  /// - Returns: Whether there were any, or may ever be.
  @inlinable
  func take(
    into batch: inout [Action], tracked: inout [(number: UInt64, member: ChainMember)],
    endingJob isJob: Bool
  ) -> Found {
    guard capacity == .max else {
      return takeOne(into: &batch, tracked: &tracked, endingJob: isJob)
    }
    return contents.withLock { contents in
      if !contents.waiting.isEmpty {
        swap(&batch, &contents.waiting)
        if !contents.tracked.isEmpty { swap(&tracked, &contents.tracked) }
        return .actions
      }
      if isJob { contents.isScheduled = false }
      return contents.isClosed ? .end : .nothing
    }
  }

  /// The same with a limit: one action at a time, which makes room for a sender that waits.
  @usableFromInline
  func takeOne(
    into batch: inout [Action], tracked: inout [(number: UInt64, member: ChainMember)],
    endingJob isJob: Bool
  ) -> Found {
    let (found, sender) = contents.withLock { contents -> (Found, SuspendedSender?) in
      if contents.front.isEmpty {
        swap(&contents.front, &contents.waiting)
        contents.front.reverse()
      }
      // Moved out rather than copied: the last reference to an action must not go inside the lock.
      guard let action = contents.front.popLast() else {
        if isJob { contents.isScheduled = false }
        return (contents.isClosed ? .end : .nothing, nil)
      }
      batch.append(action)
      if !contents.tracked.isEmpty { swap(&tracked, &contents.tracked) }
      return (.actions, contents.letSenderIn())
    }
    sender?.resume()
    return found
  }

  // MARK: Ending

  /// What closing the inbox leads to.
  enum Closing: Sendable {
    /// The caller has to see to it that the reactor drains its inbox.
    case wake
    /// A job that will do it exists already.
    case scheduled
    /// It was closed before.
    case again
  }

  /// Refuses whatever comes from now on, and whoever waits for room.
  ///
  /// - Parameter isDraining: Whether what runs is to come to its end; the first call counts.
  /// - Returns: What is to be done now, and which of the reactor's lives ends with it.
  func close(isDraining: Bool) -> (closing: Closing, life: UInt64) {
    let (closing, life, senders) = contents.withLock {
      contents -> (Closing, UInt64, [SuspendedSender]) in
      let life = contents.life
      guard !contents.isClosed else { return (.again, life, []) }
      (contents.isClosed, contents.isDraining) = (true, isDraining)
      defer { contents.isScheduled = true }
      return (contents.isScheduled ? .scheduled : .wake, life, contents.suspended.refuseAll())
    }
    for sender in senders { sender.resume() }
    return (closing, life)
  }

  var isDraining: Bool { contents.withLock { $0.isDraining } }

  /// Accepts actions again.
  func reopen() {
    contents.withLock { contents in
      contents.isClosed = false
      contents.life += 1
    }
  }

  /// Refuses whatever comes from now on, and gives up what waits.
  ///
  /// - Returns: The actions that will not be taken.
  @inlinable
  func abandon() -> [Action] {
    let (actions, tracked) = contents.withLock { contents in
      contents.isClosed = true
      contents.isScheduled = true
      defer { (contents.waiting, contents.front, contents.tracked) = ([], [], []) }
      let front = contents.front
      return (
        front.isEmpty ? contents.waiting : front.reversed() + contents.waiting, contents.tracked
      )
    }
    for (_, member) in tracked { member.leave() }
    return actions
  }
}
