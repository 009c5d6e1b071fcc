public import ReactorMachines
import ReactorRuntime

/// A lane in use: its machine, and the task that measures its time.
///
/// `@unchecked`. Guard of every field: the reactor's isolation.
@usableFromInline
final class LaneRecord: @unchecked Sendable {
  /// Decides which actions run and which wait.
  @exclusivity(unchecked) @usableFromInline var machine: LaneMachine
  /// The lane, with the newest rules.
  @exclusivity(unchecked) @usableFromInline var lane: Lane

  /// The state of the timer, which is rarely needed.
  private struct TimerState {
    var timer: Task<Void, Never>?
    /// When the time is over, if that can be moved.
    ///
    /// The task that sleeps may have begun with an earlier end.
    var end: ContinuousClock.Instant?
    var round = 0
  }

  @exclusivity(unchecked) private var timerState = TimerState()

  @usableFromInline
  init(_ lane: Lane) {
    machine = LaneMachine(lane.rules)
    self.lane = lane
  }

  /// How many actions are in the lane.
  var depth: LaneDepth { LaneDepth(running: machine.occupied, waiting: machine.waitingCount) }

  /// An action arrives, with its rules.
  @usableFromInline
  func arrive(
    _ number: UInt64, _ lane: Lane, _ consequences: inout LaneMachine.Consequences
  ) -> LaneMachine.Admission {
    self.lane = lane
    return machine.arrive(number, lane.rules, &consequences)
  }

  /// Restarts the timer, with a task of its own; see ``moveTimer()``.
  ///
  /// - Parameter body: Called when the time is over, with the round for ``remainingTime(of:at:)``;
  ///   returns how much time is left after all.
  func startTimer(_ body: @escaping @Sendable (Int) async -> Duration?) {
    let timing = lane.timing
    stopTimer()
    guard let timing else { return }
    timerState.end = timing.end
    timerState.timer = Self.sleep(timing, timerState.round, body)
  }

  /// Restarts the timer without another task, if possible.
  ///
  /// The task that sleeps already continues to sleep. When it wakes, it reads how much time is
  /// left. So a lane in which a user types has one sleeping task, not one for each key.
  ///
  /// - Returns: Whether a task sleeps.
  func moveTimer() -> Bool {
    guard timerState.end != nil, let end = lane.timing?.end else { return false }
    return moveTimer(to: end)
  }

  /// - Returns: Whether a task sleeps that wakes no later than `end` and then reads the new end.
  func moveTimer(to end: ContinuousClock.Instant) -> Bool {
    guard let earlier = timerState.end, earlier <= end else { return false }
    timerState.end = end
    return true
  }

  /// Outside the reactor's isolation, so that the sleeping task does not keep the reactor alive.
  private static func sleep(
    _ timing: LaneTiming, _ round: Int, _ body: @escaping @Sendable (Int) async -> Duration?
  ) -> Task<Void, Never> {
    PipelineTasks.makeImmediate {
      await timing.sleep()
      while let rest = await body(round) { await timing.sleep(rest) }
    }
  }

  /// Whether the timer has not been restarted since this round.
  func isCurrent(_ round: Int) -> Bool { timerState.round == round }

  /// Returns how much time is left for a task that wakes, because the end was moved meanwhile;
  /// `nil` if the time is over.
  func remainingTime(of round: Int, at now: ContinuousClock.Instant) -> Duration? {
    guard isCurrent(round), let end = timerState.end else { return nil }
    if end > now { return end - now }
    timerState.end = nil
    return nil
  }

  @usableFromInline
  func stopTimer() {
    timerState.round += 1
    timerState.end = nil
    timerState.timer?.cancel()
    timerState.timer = nil
  }
}

/// An action's place in a lane, from its start to the end of its own work.
///
/// `@unchecked`. Guard of every field that varies: the reactor's isolation.
@usableFromInline
final class LaneSlot: @unchecked Sendable {
  @usableFromInline let record: LaneRecord
  @usableFromInline let number: UInt64
  /// The number of pieces that have not ended: the action's turn, and its effects.
  @exclusivity(unchecked) @usableFromInline var pieces = 1

  @inlinable
  init(_ record: LaneRecord, _ number: UInt64) {
    self.record = record
    self.number = number
  }
}
