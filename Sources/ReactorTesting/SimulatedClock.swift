import Reactor
import ReactorRuntime

/// A clock that moves only when its simulation advances it.
///
/// Pass it to the reactor under test as its clock, and advance it with ``Simulation/advance(by:)``.
///
/// Holds: `state`, guarded by its own lock; sleeping tasks are resumed outside it.
public final class SimulatedClock: Clock, Sendable {
  /// An instant: the time since the clock was created.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public let sinceStart: Duration

    /// Returns a later or earlier instant.
    ///
    /// - Parameter duration: How much later.
    /// - Returns: That instant.
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    /// Returns the time from this instant to another.
    ///
    /// - Parameter other: The other instant.
    /// - Returns: The time between them.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    /// Whether one instant is earlier than another.
    ///
    /// - Parameters:
    ///   - left: One instant.
    ///   - right: The other instant.
    /// - Returns: Whether it is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.sinceStart < right.sinceStart
    }
  }

  private struct Sleeper: Sendable {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var now = Instant(sinceStart: .zero)
    var lastID = 0
    /// Sorted by deadline, the earliest last.
    var sleepers: [Sleeper] = []

    /// The position of a sleeper, or where to insert it.
    func place(of id: Int, until deadline: Instant) -> Int {
      var (low, high) = (0, sleepers.count)
      while low < high {
        let middle = (low + high) / 2
        let isBefore = (deadline, id) < (sleepers[middle].deadline, sleepers[middle].id)
        if isBefore { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private let state = Guarded(State())

  init() {}

  /// The current instant.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: any two instants are distinct.
  public var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps until the clock has been advanced to a deadline.
  ///
  /// - Parameters:
  ///   - deadline: The deadline.
  ///   - tolerance: Not used.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.now >= deadline || Task.isCancelled { return true }
          state.sleepers.insert(
            Sleeper(id: id, deadline: deadline, continuation: continuation),
            at: state.place(of: id, until: deadline))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        let place = state.place(of: id, until: deadline)
        guard place < state.sleepers.count, state.sleepers[place].id == id else { return nil }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  /// The deadline of the next sleeping task.
  var nextDeadline: Instant? { state.withLock { $0.sleepers.last?.deadline } }

  /// The deadline of the last sleeping task.
  var lastDeadline: Instant? { state.withLock { $0.sleepers.first?.deadline } }

  /// The number of sleeping tasks and the remaining time of the first, in words; `nil` if no task
  /// sleeps.
  var sleepers: String? {
    state.withLock { state in
      guard let first = state.sleepers.last?.deadline else { return nil }
      return "\(state.sleepers.count) asleep, the first for \(state.now.duration(to: first))"
    }
  }

  /// Advances the clock, and wakes the tasks that are due, in the order in which they began to
  /// sleep.
  func advance(to moment: Instant) {
    let due = state.withLock { state in
      state.now = max(state.now, moment)
      var due: [Sleeper] = []
      while let next = state.sleepers.last, next.deadline <= state.now {
        due.append(state.sleepers.removeLast())
      }
      return due
    }
    for sleeper in due.sorted(by: { $0.id < $1.id }) { sleeper.continuation.resume() }
  }
}

/// A clock on which nothing waits: every sleep returns at once and advances the clock.
public final class ImmediateClock: Clock, Sendable {
  /// An instant, as for a ``SimulatedClock``.
  public typealias Instant = SimulatedClock.Instant

  private let state = Guarded(Instant(sinceStart: .zero))

  /// Creates a clock at zero.
  public init() {}

  /// The current instant, which is the latest deadline of a sleep.
  public var now: Instant { state.withLock { $0 } }

  /// Zero: any two instants are distinct.
  public var minimumResolution: Duration { .zero }

  /// Returns at once, and advances the clock to the deadline.
  ///
  /// - Parameters:
  ///   - deadline: The deadline.
  ///   - tolerance: Not used.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { $0 = max($0, deadline) }
  }
}
