/// The ordered way in: any thread appends, the reactor takes everything at once.
///
/// Holds: `contents`, guarded by its own lock, held only to append or to swap a buffer out, so that
/// a sender never waits for the reactor. Continuations are resumed outside it. Actions are numbered
/// from 0 in the order they came.
///
/// What few reactors need stands in ``InboxExtras``; whoever may need it brings along the
/// place where they are, or are to be.
@usableFromInline
struct ActionInbox<Action: Sendable>: ~Copyable, Sendable {
  /// Where the extras are, or are to be.
  ///
  /// Those of a limit, and of values that are carried, are made with the inbox, and stay. Those
  /// made for an action that is tracked go again, and are nobody's to touch but under the lock.
  @usableFromInline typealias Extras = InboxExtras<Action>.Place

  @usableFromInline let contents: Guarded<InboxContents>

  @inlinable
  init(_ limit: InboxLimit = .unlimited, hasLuggage: Bool = false) {
    contents = Guarded(InboxContents(isPlain: limit.isUnlimited && !hasLuggage))
  }

  /// Accepts an action where the inbox has no limit and the action brings nothing along: the fast
  /// path of `send(_:)`.
  ///
  /// - Parameter action: The action.
  /// - Returns: What became of it; `nil` where the extras have to be asked.
  @inlinable
  func admitAtOnce(_ action: Action) -> InboxAdmission? {
    contents.withLock { contents in
      guard contents.isPlain, !contents.isClosed else { return nil }
      return InboxAdmission(contents.append(action))
    }
  }

  /// Accepts an action, unless the inbox is closed or full.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - luggage: What it brings along, if it does.
  ///   - extras: This inbox's; somewhere to make them, at least, where there is luggage.
  ///   - isAccepted: Called with its number, under the lock, before anybody can take it.
  /// - Returns: What became of it.
  @inlinable
  func admit(
    _ action: Action, _ luggage: ActionLuggage? = nil, _ extras: Extras?,
    isAccepted: (UInt64) -> Void = { _ in }
  ) -> InboxAdmission {
    contents.withLock { contents in
      guard !contents.isClosed else { return .refused }
      guard extras?.pointee?.hasRoom(beside: contents) != false else { return .full }
      isAccepted(contents.accepted)
      guard let extras, luggage != nil else { return InboxAdmission(contents.append(action)) }
      return InboxExtras.made(at: extras).append(action, luggage, to: &contents)
    }
  }

  /// The number that the next action will get.
  @inlinable var nextNumber: UInt64 { contents.withLock { $0.accepted } }

  /// Asks for a drain although nothing was sent.
  ///
  /// - Returns: Whether the caller has to see to it that the reactor drains its inbox.
  func requestJob() -> Bool { requestJob { _ in } }

  /// Asks for a drain, and calls with the number that the next action will get, under the lock.
  func requestJob(_ body: (UInt64) -> Void) -> Bool {
    contents.withLock { contents in
      body(contents.accepted)
      defer { contents.isScheduled = true }
      return !contents.isScheduled
    }
  }

  // MARK: Taking

  /// What the reactor finds when it looks.
  @usableFromInline
  enum Found: Sendable {
    case actions
    case nothing
    /// Nothing, and nothing will ever come.
    case end
    /// The extras have to be asked.
    case unknown
  }

  /// Moves what waits into `batch`, from which everything has been taken.
  ///
  /// - Parameters:
  ///   - batch: Receives the actions; its memory comes back here. When the job ends, neither keeps
  ///     any: a reactor that does nothing has none.
  ///   - isJob: Whether the caller is the scheduled job, which ends where there is nothing to do.
  /// - Returns: Whether there were any, or may ever be.
  @inlinable
  func take(into batch: inout ActionBuffer, endingJob isJob: Bool) -> Found {
    batch.rewind()
    var (found, left) = contents.withLock { contents -> (Found, ActionBuffer) in
      guard contents.isPlain, !contents.hasCompanions else { return (.unknown, ActionBuffer()) }
      guard contents.waiting.isEmpty else {
        swap(&batch, &contents.waiting)
        return (.actions, ActionBuffer())
      }
      return (
        Self.foundNothing(in: &contents, endingJob: isJob),
        isJob ? contents.waiting.taken() : ActionBuffer()
      )
    }
    guard isJob, found == .nothing || found == .end else { return found }
    left.free()
    batch.free()
    return found
  }

  /// Moves what waits into `batch`, where the extras have to be asked.
  ///
  /// With a limit it is one action at a time, which makes room for a sender that waits.
  ///
  /// - Parameters:
  ///   - batch: Receives the actions.
  ///   - companions: Receives what they bring along.
  ///   - place: Where this inbox's extras are.
  ///   - isJob: Whether the caller is the scheduled job, which ends where there is nothing to do.
  /// - Returns: Whether there were any, or may ever be.
  @inlinable
  func take(
    into batch: inout ActionBuffer, companions: inout [ActionCompanion],
    _ place: Extras, endingJob isJob: Bool
  ) -> Found {
    batch.rewind()
    var (found, sender, left) = contents.withLock {
      contents -> (Found, SuspendedSender?, ActionBuffer) in
      let extras = InboxExtras.made(at: place)
      defer { if extras.isTransient { place.pointee = nil } }
      let isThere =
        extras.limit.isUnlimited
        ? !contents.waiting.isEmpty : extras.moveFirst(of: &contents, into: &batch)
      guard isThere else {
        let left = isJob && contents.waiting.isEmpty ? contents.waiting.taken() : ActionBuffer()
        return (Self.foundNothing(in: &contents, endingJob: isJob), nil, left)
      }
      if extras.limit.isUnlimited { swap(&batch, &contents.waiting) }
      if contents.hasCompanions { swap(&companions, &extras.companions) }
      contents.hasCompanions = false
      let sender = extras.suspended.isEmpty ? nil : extras.letSenderIn(to: &contents)
      return (.actions, sender, ActionBuffer())
    }
    sender?.resume()
    if isJob, found != .actions { batch.free() }
    left.free()
    return found
  }

  @inlinable
  static func foundNothing(in contents: inout InboxContents, endingJob isJob: Bool) -> Found {
    if isJob { contents.isScheduled = false }
    return contents.isClosed ? .end : .nothing
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
  /// - Parameters:
  ///   - isDraining: Whether what runs is to come to its end; the first call counts.
  ///   - extras: This inbox's, where there are some.
  ///   - life: Asked, under the lock, which of the reactor's lives ends with it.
  /// - Returns: What is to be done now, and that life.
  func close(
    isDraining: Bool, _ extras: Extras?, life: () -> UInt32
  ) -> (closing: Closing, life: UInt32) {
    let (closing, life, senders) = contents.withLock {
      contents -> (Closing, UInt32, [SuspendedSender]) in
      guard !contents.isClosed else { return (.again, life(), []) }
      contents.door = isDraining ? .draining : .closed
      defer { contents.isScheduled = true }
      let senders = extras?.pointee?.suspended.refuseAll() ?? []
      return (contents.isScheduled ? .scheduled : .wake, life(), senders)
    }
    for sender in senders { sender.resume() }
    return (closing, life)
  }

  /// Accepts actions again.
  ///
  /// - Parameter begin: Called under the lock: with it, another life begins.
  /// - Returns: What that returns.
  func reopen<Result: Sendable>(_ begin: () -> Result) -> Result {
    contents.withLock { contents in
      contents.door = .open
      return begin()
    }
  }

  @inlinable var isClosed: Bool { contents.withLock { $0.isClosed } }

  /// Whether it was closed so that what runs is to come to its end.
  var isDraining: Bool { contents.withLock { $0.door == .draining } }

  /// Refuses whatever comes from now on, and gives up what waits.
  ///
  /// - Parameter extras: This inbox's, where there are some.
  /// - Returns: The actions that will not be taken.
  @inlinable
  func abandon(_ extras: Extras?) -> [Action] {
    var waiting = contents.withLock { contents in
      contents.door = .closed
      contents.isScheduled = true
      return contents.waiting.taken()
    }
    let actions = waiting.takeAll(Action.self)
    return extras?.pointee.map { $0.abandon(under: contents) + actions } ?? actions
  }
}
