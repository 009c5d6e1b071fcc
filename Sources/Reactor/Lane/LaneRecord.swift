public import ReactorMachines
import ReactorRuntime

/// A lane in use: what it decides from, and the task that measures its time.
///
/// `@unchecked`. Guard of every field: the reactor's isolation.
@usableFromInline
final class LaneRecord: @unchecked Sendable {
  /// What it decides from.
  @exclusivity(unchecked) @usableFromInline var machine: LaneMachine
  /// The lane, with the newest rules.
  @exclusivity(unchecked) @usableFromInline var lane: Lane

  /// What stands beside that, and is seldom needed.
  private struct Aside {
    var timer: Task<Void, Never>?
    /// When the time is up, where that can be moved; who sleeps may have begun with an earlier end.
    var end: ContinuousClock.Instant?
    var round = 0
  }

  @exclusivity(unchecked) private var aside = Aside()

  @usableFromInline
  init(_ lane: Lane) {
    machine = LaneMachine(lane.rules)
    self.lane = lane
  }

  /// How many actions are in the lane.
  var depth: LaneDepth { LaneDepth(running: machine.occupied, waiting: machine.waitingCount) }

  /// An action arrives, with the rules it brings.
  @usableFromInline
  func arrive(
    _ number: UInt64, _ lane: Lane, _ consequences: inout LaneMachine.Consequences
  ) -> LaneMachine.Admission {
    self.lane = lane
    return machine.arrive(number, lane.rules, &consequences)
  }

  /// Measures the time anew, with a task of its own; see ``moveTimer()``.
  ///
  /// - Parameter body: Called when the time is up, with what ``rest(_:at:)`` wants to know; returns
  ///   how much of it is left after all.
  func startTimer(_ body: @escaping @Sendable (Int) async -> Duration?) {
    let timing = lane.timing
    stopTimer()
    guard let timing else { return }
    aside.end = timing.end
    aside.timer = Self.sleep(timing, aside.round, body)
  }

  /// Measures the time anew without another task, where that can be.
  ///
  /// The task that sleeps already goes on sleeping, and is told when it wakes how much is left. So
  /// a lane in which somebody types has one task that sleeps, not one per key.
  ///
  /// - Returns: Whether somebody sleeps.
  func moveTimer() -> Bool {
    guard aside.end != nil, let end = lane.timing?.end else { return false }
    return moveTimer(to: end)
  }

  /// - Returns: Whether somebody sleeps who wakes no later than that, and will look.
  func moveTimer(to end: ContinuousClock.Instant) -> Bool {
    guard let earlier = aside.end, earlier <= end else { return false }
    aside.end = end
    return true
  }

  /// Outside the reactor's isolation, which the sleeping task must not keep.
  private static func sleep(
    _ timing: LaneTiming, _ round: Int, _ body: @escaping @Sendable (Int) async -> Duration?
  ) -> Task<Void, Never> {
    PipelineTasks.makeImmediate {
      await timing.pass()
      while let rest = await body(round) { await timing.pass(rest) }
    }
  }

  /// Whether the time that is up has not begun anew since.
  func isCurrent(_ round: Int) -> Bool { aside.round == round }

  /// How much of the time is left for one who wakes, because the end has been moved meanwhile;
  /// `nil` where it is up.
  func rest(_ round: Int, at now: ContinuousClock.Instant) -> Duration? {
    guard isCurrent(round), let end = aside.end else { return nil }
    if end > now { return end - now }
    aside.end = nil
    return nil
  }

  @usableFromInline
  func stopTimer() {
    aside.round += 1
    aside.end = nil
    aside.timer?.cancel()
    aside.timer = nil
  }
}

/// An action's place in a lane, from its start to the end of its own work.
///
/// `@unchecked`. Guard of every field that varies: the reactor's isolation.
@usableFromInline
final class LaneSlot: @unchecked Sendable {
  @usableFromInline let record: LaneRecord
  @usableFromInline let number: UInt64
  /// The turn of the action, and its effects that have yet to end.
  @exclusivity(unchecked) @usableFromInline var pieces = 1

  @inlinable
  init(_ record: LaneRecord, _ number: UInt64) {
    self.record = record
    self.number = number
  }
}
