public import ReactorMachines
public import ReactorRuntime

/// The inbox of a reactor: any thread enqueues an action, and the reactor dequeues all that wait.
///
/// It is the shell of an ``InboxMachine``, which numbers the actions and contains the reactor's
/// lifecycle. The actions are stored here, in the order of their numbers.
///
/// Contains `contents`, guarded by its own lock. The lock is held to append an action or to swap
/// a buffer, so that a sender never waits for the reactor. Continuations are resumed, and actions
/// released, outside the lock.
@usableFromInline
struct Inbox<Action: Sendable>: ~Copyable, Sendable {
  @usableFromInline typealias Queue = FIFO<Envelope<Action>>

  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var machine: InboxMachine
    /// As many actions as wait according to the machine.
    @usableFromInline var queue = Queue()
    /// The senders that wait for capacity, by the machine's numbers.
    var senders: [UInt64: SuspendedSender<Action>] = [:]
    /// What waits for the end of the reactor, or for the end to be expedited.
    @usableFromInline var endWaiters = Boxed<EndWaiters>()

    @inlinable
    init(_ machine: InboxMachine) { self.machine = machine }
  }

  @usableFromInline let contents: Guarded<Contents>

  /// - Parameters:
  ///   - limit: How many actions may wait, at least 1.
  ///   - suspendsSenders: Whether `sendWhenRoom` waits while that many actions wait.
  ///   - hasFirst: Whether the reactor has its first action already. That action uses none of the
  ///     senders' capacity.
  @inlinable
  init(limit: Int = .max, suspendsSenders: Bool = false, hasFirst: Bool = false) {
    let isPlain = limit == .max && !hasFirst
    contents = Guarded(
      Contents(isPlain ? InboxMachine() : Self.machine(limit, suspendsSenders, hasFirst)))
  }

  @usableFromInline
  static func machine(
    _ limit: Int, _ suspendsSenders: Bool, _ hasFirst: Bool
  ) -> InboxMachine {
    precondition(
      limit > 0, "the limit of an inbox must be at least 1; inboxLimit: was \(limit)")
    var machine = InboxMachine(limit: limit, whenFull: suspendsSenders ? .suspend : .refuse)
    if hasFirst { machine.reserveFirst() }
    return machine
  }

  // MARK: Accepting

  /// Accepts an action, unless the inbox is closed or full.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - context: Its context, if it has one.
  ///   - isAccepted: Called with its number, under the lock, before it can be dequeued.
  /// - Returns: Its number, or why it is refused.
  @inlinable
  func admit(
    _ action: Action, with context: ActionContext? = nil, isAccepted: (UInt64) -> Void = { _ in }
  ) -> InboxMachine.Admission {
    contents.withLock { contents in
      let admission = contents.machine.admit()
      if case .accepted(let number, _) = admission {
        isAccepted(number)
        contents.queue.append(Envelope(action, context))
      }
      return admission
    }
  }

  /// The result for an action whose admission was decided under the lock.
  @usableFromInline
  enum AdmissionDecision: Sendable {
    case admitted(InboxMachine.Admission)
    /// It could have been accepted, but `decide` returned false.
    case withdrawn
    /// The reactor has been released.
    case released
  }

  /// Accepts an action if it can be accepted and a closure agrees.
  ///
  /// - Parameters:
  ///   - envelope: The action.
  ///   - decide: Called under the lock; its argument is true if the action could be accepted, or if
  ///     the reactor has been released. Returns whether to accept the action.
  ///   - isAccepted: Called with its number, under the lock, before it can be dequeued.
  /// - Returns: The result.
  @inlinable
  func admit(
    _ envelope: Envelope<Action>, if decide: (_ isAcceptable: Bool) -> Bool,
    isAccepted: (UInt64) -> Void
  ) -> AdmissionDecision {
    contents.withLock { contents in
      // Admitted in a copy of the machine: a number is used only if `decide` returns true.
      var machine = contents.machine
      let admission = machine.admit()
      guard case .accepted(let number, _) = admission else {
        _ = decide(machine.isReleased)
        return machine.isReleased ? .released : .admitted(admission)
      }
      guard decide(true) else { return .withdrawn }
      isAccepted(number)
      contents.machine = machine
      contents.queue.append(envelope)
      return .admitted(admission)
    }
  }

  /// Accepts several actions, or none of them.
  ///
  /// - Parameters:
  ///   - envelopes: The actions, at least one.
  ///   - isAccepted: Called with their numbers, under the lock, before any of them can be dequeued.
  /// - Returns: The first of their numbers, or why they are refused.
  func admit(
    together envelopes: [Envelope<Action>], isAccepted: (Range<UInt64>) -> Void
  ) -> InboxMachine.Admission {
    contents.withLock { contents in
      let admission = contents.machine.admit(envelopes.count)
      if case .accepted(let first, _) = admission {
        isAccepted(first..<first + UInt64(envelopes.count))
        for envelope in envelopes { contents.queue.append(envelope) }
      }
      return admission
    }
  }

  /// The number that the next action will get.
  @inlinable var nextNumber: UInt64 { contents.withLock { $0.machine.accepted } }

  /// How many actions wait.
  var count: Int { contents.withLock { $0.machine.waiting } }

  /// Requests a job although no action was sent.
  ///
  /// - Parameter body: Called under the lock, with the number that the next action will get.
  /// - Returns: Whether the caller has to schedule the job.
  func requestJob(_ body: (UInt64) -> Void = { _ in }) -> Bool {
    contents.withLock { contents in
      body(contents.machine.accepted)
      return contents.machine.requestJob()
    }
  }

  // MARK: Dequeuing

  /// Moves waiting actions into an empty batch: all of them, or one if there is a limit.
  ///
  /// - Parameters:
  ///   - batch: Receives the actions; its memory is reused for the actions that wait next.
  ///   - endsJob: Whether the caller is the job, which ends if there is nothing.
  /// - Returns: Whether there were any.
  @inlinable
  func dequeue(into batch: inout Queue, endsJob: Bool) -> Bool {
    let (dequeued, admitted) = contents.withLock {
      contents -> (InboxMachine.Dequeued, [SuspendedSender<Action>.Entry]) in
      let dequeued = contents.machine.dequeue(endsJob: endsJob)
      guard case .actions(let range, let admitted) = dequeued else { return (dequeued, []) }
      if range.count == contents.queue.count {
        swap(&batch, &contents.queue)
      } else if let first = contents.queue.popFirst() {
        batch.append(first)
      }
      return (dequeued, admitted.isEmpty ? [] : contents.enqueue(admitted))
    }
    for sender in admitted { sender.resume() }
    guard case .actions = dequeued else { return false }
    return true
  }
}

extension InboxMachine.Refusal {
  /// The refusal that the sender gets.
  @usableFromInline var refusal: ActionRefusal {
    switch self {
    case .closed: .stopped
    case .full: .inboxFull
    case .cancelled: .senderCancelled
    }
  }

  /// The problem that is reported.
  @usableFromInline var problem: ReactorReport.Problem {
    switch self {
    case .closed: .actionRefused
    case .full: .inboxFull
    case .cancelled: .senderCancelled
    }
  }
}
