public import Reactor
import ReactorRuntime

extension ReactorGroup {
  /// Stops all members, each as with ``/Reactor/Reactor/stop(_:)``; returns at once.
  ///
  /// Actions sent to the group before still reach them. The members stay members: after a
  /// `restart`, they receive actions again.
  ///
  /// **Runs on** any thread. **Called again**, it ends a drain.
  ///
  /// - Parameter mode: What happens to effects that run.
  /// - Returns: A receipt that settles when all members have ended, and reports what was cut short.
  @discardableResult
  public func stop(_ mode: StopMode = .cancel) -> GroupStopReceipt {
    let members = uniqueMembers
    let receipt = GroupStopReceipt(of: members, mode)
    GroupBarrier.pass(members) { $0.add { receipt.begin() } }
    return receipt
  }

  /// Stops all members within a time limit, and returns by name what had to be abandoned.
  ///
  /// ```swift
  /// for late in await app.stop(.drain, within: .seconds(5)) { logger.warning("\(late)") }
  /// ```
  ///
  /// It calls ``stop(_:)``, and cancels what is left at the time limit. It waits neither for the
  /// work that it cancels then, nor for actions that still wait for another member's turn.
  ///
  /// **Runs on** the caller's executor. A member whose turn blocks its thread at the time limit
  /// delays the return. **If the task is cancelled**, the time limit counts as reached.
  ///
  /// - Parameters:
  ///   - mode: What happens to effects that run, until the time limit.
  ///   - limit: The time limit.
  ///   - clock: The clock that measures it.
  /// - Returns: The members in which something was cut short, with the actions.
  @discardableResult
  nonisolated(nonsending) public func stop(
    _ mode: StopMode, within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) async -> [AbandonedWork] {
    let stopped = stop(mode)
    await waiting(atMost: limit, by: { try await clock.sleep(for: $0) }) { await stopped.settled }
    stopped.expedite()
    return await stopped.abandoned
  }
}

extension ReactorGroup: Drainable {
  /// Ends all members and waits for all their work; see ``stop(_:within:clock:)``.
  ///
  /// **If the task is cancelled**, the time limit counts as reached.
  ///
  /// - Returns: What was cut short, by member.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] {
    let stopped = stop(.drain)
    await stopped.settled
    stopped.expedite()
    return await stopped.abandoned
  }
}

/// The result of ``ReactorGroup/stop(_:)``.
///
/// It keeps no reactor alive.
///
/// Holds: `state`, guarded by its own lock; latches are opened outside it.
public final class GroupStopReceipt: Sendable {
  private typealias Stopped = (member: GroupMember, receipt: StopReceipt)

  private enum Phase: Sendable {
    /// Actions sent before have not reached all members yet.
    case waiting
    /// The members are being stopped, outside the lock.
    case stopping(isExpedited: Bool)
    case stopped([Stopped])
  }

  private struct State: Sendable {
    var phase = Phase.waiting
    /// Opened when the members are stopped.
    var latches = IdentityList<Latch>()

    var stopped: [Stopped]? {
      if case .stopped(let stopped) = phase { stopped } else { nil }
    }
  }

  private let state = Guarded(State())
  private let members: [GroupMember]
  private let mode: StopMode

  init(of members: [GroupMember], _ mode: StopMode) {
    self.members = members
    self.mode = mode
  }

  /// Stops the members, unless that has been done.
  func begin() {
    let isFirst = state.withLock { state in
      guard case .waiting = state.phase else { return false }
      state.phase = .stopping(isExpedited: false)
      return true
    }
    guard isFirst else { return }
    let stopped = members.compactMap { member in
      member.engine.stop(mode).map { (member: member, receipt: $0) }
    }
    let before = state.withLock { state in
      defer { state = State(phase: .stopped(stopped)) }
      return state
    }
    if case .stopping(isExpedited: true) = before.phase { expedite() }
    for latch in before.latches.all { latch.open() }
  }

  /// The time limit is reached: actions that have not reached the members by now are refused.
  func expedite() {
    begin()
    let stopped = state.withLock { state in
      if case .stopping = state.phase { state.phase = .stopping(isExpedited: true) }
      return state.stopped ?? []
    }
    for (_, receipt) in stopped where !receipt.isSettled { receipt.expedite() }
  }

  private nonisolated(nonsending) var stopped: [Stopped] {
    get async {
      let latch = Latch()
      let known = state.withLock { state in
        if state.stopped == nil { state.latches.append(latch) }
        return state.stopped
      }
      if let known { return known }
      await latch.wait()
      return state.withLock { state in
        state.latches.remove(latch.id)
        return state.stopped ?? []
      }
    }
  }

  /// Waits until all work of all members has ended, including cancelled work.
  ///
  /// **Runs on** the caller's executor. **If the waiting task is cancelled**, it returns early.
  nonisolated(nonsending) public var settled: Void {
    get async {
      for (_, receipt) in await stopped { await receipt.settled }
    }
  }

  /// Waits until all members have cancelled what they cancel, and returns what that was.
  ///
  /// It has only members, and children of members, in which something was cut short.
  ///
  /// **Runs on** the caller's executor. It keeps waiting if the waiting task is cancelled.
  nonisolated(nonsending) public var abandoned: [AbandonedWork] {
    get async {
      // In a separate task, because waiting ends early in a task that was cancelled.
      let stopped = Guarded<[Stopped]>([])
      await PipelineTasks.inheriting { [self] in
        let begun = await self.stopped
        stopped.withLock { $0 = begun }
      }.value
      var abandoned: [AbandonedWork] = []
      for (_, receipt) in stopped.withLock({ $0 }) { abandoned += await receipt.abandoned }
      return abandoned
    }
  }
}
