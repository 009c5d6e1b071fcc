public import Reactor
import ReactorRuntime

extension ReactorGroup {
  /// Stops all members, each as ``/Reactor/Reactor/stop(_:)`` would; returns at once.
  ///
  /// What was sent to the group before still reaches them. The members stay members: after a
  /// `restart`, they take part again.
  ///
  /// **Runs on** any thread. **Called again**, it ends a drain.
  ///
  /// - Parameter mode: What becomes of effects that run.
  /// - Returns: A receipt that settles when all have ended, and tells what was cut short.
  @discardableResult
  public func stop(_ mode: StopMode = .cancel) -> GroupStopReceipt {
    let members = uniqueMembers
    let receipt = GroupStopReceipt(of: members, mode)
    GroupBarrier.pass(members) { $0.add { receipt.begin() } }
    return receipt
  }

  /// Stops all members within a time, and tells by name what had to be abandoned for that.
  ///
  /// ```swift
  /// for late in await app.stop(.drain, within: .seconds(5)) { logger.warning("\(late)") }
  /// ```
  ///
  /// It is ``stop(_:)``, and once more when the time is up; it does not wait for what it has
  /// cancelled then, nor for what was sent before and waits for a turn to end.
  ///
  /// **Runs on** the caller's executor. A member whose turn blocks its thread when the time is up
  /// holds this up. **If the task is cancelled**, the time is up.
  ///
  /// - Parameters:
  ///   - mode: What becomes of effects that run, until the time is up.
  ///   - limit: How long that may take.
  ///   - clock: What measures it.
  /// - Returns: The members of which something was cut short, and what.
  @discardableResult
  nonisolated(nonsending) public func stop(
    _ mode: StopMode, within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) async -> [AbandonedWork] {
    let stopped = stop(mode)
    await waiting(atMost: limit, by: { try await clock.sleep(for: $0) }) { await stopped.settled }
    stopped.hurry()
    return await stopped.abandoned
  }
}

extension ReactorGroup: Drainable {
  /// Ends all members, and lets everything come to its end; see ``stop(_:within:clock:)``.
  ///
  /// **If the task is cancelled**, the time is up.
  ///
  /// - Returns: What was cut short, by member.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] {
    let stopped = stop(.drain)
    await stopped.settled
    stopped.hurry()
    return await stopped.abandoned
  }
}

/// What ``ReactorGroup/stop(_:)`` returns.
///
/// It keeps no reactor alive.
///
/// Holds: `state`, guarded by its own lock; latches are opened outside it.
public final class GroupStopReceipt: Sendable {
  private typealias Stopped = (member: GroupMember, receipt: StopReceipt)

  private enum Phase: Sendable {
    /// What was sent before has yet to reach a member.
    case waiting
    /// The members are being stopped, outside the lock.
    case stopping(isHurried: Bool)
    case stopped([Stopped])
  }

  private struct State: Sendable {
    var phase = Phase.waiting
    /// Opened once the members are stopped.
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
      state.phase = .stopping(isHurried: false)
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
    if case .stopping(isHurried: true) = before.phase { hurry() }
    for latch in before.latches.all { latch.open() }
  }

  /// The time is up: whatever has not reached the members by now is refused.
  func hurry() {
    begin()
    let stopped = state.withLock { state in
      if case .stopping = state.phase { state.phase = .stopping(isHurried: true) }
      return state.stopped ?? []
    }
    for (_, receipt) in stopped where !receipt.isSettled { receipt.hurry() }
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

  /// Waits until everything has ended, of all members, also what was cancelled.
  ///
  /// Returns early if the waiting task is cancelled. **Runs on** the caller's executor.
  nonisolated(nonsending) public var settled: Void {
    get async {
      for (_, receipt) in await stopped { await receipt.settled }
    }
  }

  /// Waits until all members have cancelled what they cancel, and tells what that was.
  ///
  /// Only those members are in it, and children of members, of which something was cut short. Waits
  /// on, whether or not the waiting task is cancelled. **Runs on** the caller's executor.
  nonisolated(nonsending) public var abandoned: [AbandonedWork] {
    get async {
      // In a task of its own, because waiting ends early in one that has been cancelled.
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
