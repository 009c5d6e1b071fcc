public import ReactorMachines
public import ReactorRuntime

/// The lifecycle of the reactor, which is stored in the inbox, so that closing the inbox and
/// numbering an action are one event each.
extension Inbox {
  /// The phase of the reactor's lifecycle, as its turns see it.
  @inlinable var phase: LifecycleMachine.Phase { contents.withLock { $0.machine.phase } }

  var lifecycle: LifecycleMachine { contents.withLock { $0.machine.lifecycle } }

  @inlinable var isClosed: Bool { contents.withLock { $0.machine.isClosed } }

  /// The number of the current generation, counted from zero.
  @usableFromInline var generation: UInt32 { contents.withLock { $0.machine.lifecycle.generation } }

  // MARK: Beginning

  /// - Returns: Whether the caller has to set up the state.
  @inlinable
  func begin(as role: LifecycleMachine.Role = .reactor) -> Bool {
    contents.withLock { $0.machine.begin(as: role) }
  }

  func becomeStub() -> Bool { contents.withLock { $0.machine.becomeStub() } }

  /// Accepts actions again, in a new generation.
  ///
  /// - Parameter generation: The generation that has ended.
  /// - Returns: What the caller has to do.
  func restart(after generation: UInt32) -> LifecycleMachine.Restart {
    contents.withLock { $0.machine.restart(after: generation) }
  }

  // MARK: Ending

  struct Closing: Sendable {
    let step: LifecycleMachine.Close
    /// Whether the caller has to schedule a job.
    let schedules: Bool
    let generation: UInt32
  }

  /// Refuses the actions that are sent from now on, and the senders that wait for capacity.
  ///
  /// A second call with `.cancel` expedites the end.
  ///
  /// - Parameters:
  ///   - mode: How to end.
  ///   - generation: The generation whose end is only to be expedited. If it is `nil`, the current
  ///     generation is closed.
  /// - Returns: What the caller has to do.
  func close(_ mode: StopMode, of generation: UInt32? = nil) -> Closing {
    let (closing, senders, latch) = contents.withLock {
      contents -> (Closing, [SuspendedSender<Action>.Entry], Latch?) in
      let lifecycle = contents.machine.lifecycle
      let isApplicable =
        generation == nil || generation == lifecycle.generation && !lifecycle.accepts
      let mode: LifecycleMachine.Mode =
        switch mode {
        case .cancel: .cancel
        case .drain: .drain
        }
      switch isApplicable ? contents.machine.close(mode) : .already {
      case .begun(let refused, let schedules):
        let closing = Closing(step: .begun, schedules: schedules, generation: lifecycle.generation)
        return (closing, contents.refuse(refused), nil)
      case .expedited:
        let closing = Closing(step: .expedited, schedules: false, generation: lifecycle.generation)
        return (closing, [], contents.endWaiters.value.expeditedLatch.take())
      case .already:
        return (
          Closing(step: .already, schedules: false, generation: lifecycle.generation), [], nil
        )
      }
    }
    for sender in senders { sender.resume() }
    latch?.open()
    return closing
  }

  /// Whether every accepted action has been dequeued, and the end waits for the last ones to be
  /// taken.
  @inlinable var isEndDue: Bool { contents.withLock { $0.machine.isEndDue } }

  /// A stage of the end is over.
  func passed(_ stage: LifecycleMachine.Stage) -> LifecycleMachine.Step {
    contents.withLock { $0.machine.passed(stage) }
  }

  /// Registers a latch that opens when the end is expedited.
  ///
  /// - Returns: Whether the end has been expedited already.
  func openWhenExpedited(_ latch: Latch) -> Bool {
    contents.withLock { contents in
      if contents.machine.lifecycle.isExpedited { return true }
      contents.endWaiters.value.expeditedLatch = latch
      return false
    }
  }

  func removeExpeditedLatch() { contents.withLock { $0.endWaiters.value.expeditedLatch = nil } }

  /// Ends the reactor before the accepted actions could be taken.
  ///
  /// - Returns: Whether the caller has to finish.
  func cutShort() -> Bool { contents.withLock { $0.machine.cutShort() } }

  /// Everything has been cancelled, and every stream finished.
  func finished() {
    let latches = contents.withLock { contents in
      contents.machine.finished()
      return contents.takeEndWaiters()
    }
    for latch in latches { latch.open() }
  }

  // MARK: Waiting for the end

  /// Returns a latch that opens when a generation has ended; `nil` if it has ended already.
  func latchForEnd(of generation: UInt32) -> Latch? {
    contents.withLock { contents in
      if contents.hasEnded(generation) { return nil }
      let latch = Latch()
      contents.endWaiters.value.whenEnded.append(latch)
      return latch
    }
  }

  /// Removes a latch for which nothing waits any longer.
  func remove(_ latch: Latch) {
    contents.withLock { _ = $0.endWaiters.value.whenEnded.remove(latch.id) }
  }

  /// Discards the actions that wait.
  func dropWaiting() -> [Envelope<Action>] {
    contents.withLock { contents in
      _ = contents.machine.dropWaiting()
      return contents.queue.removeAll()
    }
  }

  /// The reactor is released: discards the actions that wait.
  ///
  /// - Returns: Those actions, and whether the caller has to finish.
  @inlinable
  func release() -> (waiting: [Envelope<Action>], endsReactor: Bool) {
    let (waiting, endsReactor, latches) = contents.withLock {
      contents -> ([Envelope<Action>], Bool, [Latch]) in
      let endsReactor = contents.machine.release().endsReactor
      let waiting = contents.queue.isEmpty ? [] : contents.queue.removeAll()
      return (waiting, endsReactor, contents.endWaiters.isEmpty ? [] : contents.takeEndWaiters())
    }
    for latch in latches { latch.open() }
    return (waiting, endsReactor)
  }
}

extension Inbox.Contents {
  fileprivate func hasEnded(_ generation: UInt32) -> Bool {
    machine.lifecycle.hasEnded || machine.lifecycle.generation != generation
  }

  @usableFromInline
  mutating func takeEndWaiters() -> [Latch] {
    if endWaiters.isEmpty { return [] }
    defer { endWaiters = Boxed() }
    return endWaiters.value.whenEnded.all
  }
}

/// The latches that wait for a reactor's end.
@usableFromInline
struct EndWaiters: EmptyInitializable {
  /// Opened when the end is expedited, while the end waits for a stage that can be given up.
  var expeditedLatch: Latch?
  var whenEnded = IdentityList<Latch>()

  @usableFromInline
  init() {}

  @usableFromInline var isEmpty: Bool { expeditedLatch == nil && whenEnded.isEmpty }
}
