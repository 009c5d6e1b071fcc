/// The ordered way in: any thread appends, the reactor takes everything at once.
///
/// Holds: `contents`, guarded by its own lock, held only to append or to swap an array out, so that a
/// sender never waits for the reactor. Actions are numbered from 0 in the order they came.
@usableFromInline
struct ActionInbox<Action: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var waiting: [Action] = []
    /// How many actions have been accepted: the next one's number.
    @usableFromInline var accepted: UInt64 = 0
    /// Whether a job that will drain the inbox exists.
    @usableFromInline var isScheduled = false
    @usableFromInline var isClosed = false

    @inlinable
    init() {}
  }

  /// What became of an action at the door.
  @usableFromInline
  enum Admission: Sendable {
    /// Accepted; a job that will take it exists already.
    case queued(UInt64)
    /// Accepted, and the caller has to see to it that the reactor drains its inbox.
    case wake(UInt64)
    case refused
  }

  @usableFromInline let contents = Guarded(Contents())

  @inlinable
  init() {}

  /// Accepts an action, unless the inbox is closed.
  @inlinable
  func admit(_ action: Action) -> Admission {
    contents.withLock { contents in
      guard !contents.isClosed else { return .refused }
      contents.waiting.append(action)
      let number = contents.accepted
      contents.accepted &+= 1
      guard !contents.isScheduled else { return .queued(number) }
      contents.isScheduled = true
      return .wake(number)
    }
  }

  /// What closing the inbox leads to.
  enum Closing: Sendable {
    /// The caller has to see to it that the reactor drains its inbox.
    case wake
    /// A job that will do it exists already.
    case scheduled
    /// It was closed before.
    case again
  }

  /// Refuses whatever comes from now on.
  func close() -> Closing {
    contents.withLock { contents in
      guard !contents.isClosed else { return .again }
      contents.isClosed = true
      defer { contents.isScheduled = true }
      return contents.isScheduled ? .scheduled : .wake
    }
  }

  /// Refuses whatever comes from now on, and gives up what waits.
  ///
  /// - Returns: The actions that will not be taken.
  func abandon() -> [Action] {
    contents.withLock { contents in
      contents.isClosed = true
      contents.isScheduled = true
      defer { contents.waiting = [] }
      return contents.waiting
    }
  }

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

  /// Swaps everything that waits into `batch`, which must be empty; its capacity comes back here.
  ///
  /// - Parameters:
  ///   - batch: Receives the actions.
  ///   - isJob: Whether the caller is the scheduled job, which ends where there is nothing to do.
  /// - Returns: Whether there were any, or may ever be.
  @inlinable
  func take(into batch: inout [Action], endingJob isJob: Bool) -> Found {
    contents.withLock { contents in
      if !contents.waiting.isEmpty {
        swap(&batch, &contents.waiting)
        return .actions
      }
      if isJob { contents.isScheduled = false }
      return contents.isClosed ? .end : .nothing
    }
  }
}
