import Reactor

/// A clock that stands still until its simulation turns it.
///
/// Give it to the reactor under test as its clock; turn it with ``Simulation/advance(by:)``.
///
/// Holds: `state`, guarded by its own lock; sleepers are resumed outside it.
public final class SimulatedClock: Clock, Sendable {
  /// A moment: how long after the beginning.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let sinceStart: Duration

    /// A moment later, or earlier.
    ///
    /// - Parameter duration: How much later.
    /// - Returns: That moment.
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    /// How long it is from here to there.
    ///
    /// - Parameter other: There.
    /// - Returns: The time between.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    /// Whether one is earlier than the other.
    ///
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    /// - Returns: Whether it is.
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
    var sleepers: [Sleeper] = []
  }

  private let state = Guarded(State())

  init() {}

  /// The moment at which it stands.
  public var now: Instant { state.withLock { $0.now } }

  /// It can tell any two moments apart.
  public var minimumResolution: Duration { .zero }

  /// How many are asleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps until the clock has been turned so far.
  ///
  /// - Parameters:
  ///   - deadline: Until when.
  ///   - tolerance: Makes no difference.
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
          state.sleepers.append(
            Sleeper(id: id, deadline: deadline, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        let place = state.sleepers.firstIndex { $0.id == id }
        return place.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume()
    }
    try Task.checkCancellation()
  }

  /// The moment at which the next sleeper wakes.
  var nextDeadline: Instant? { state.withLock { $0.sleepers.map(\.deadline).min() } }

  /// How many are asleep, and for how long the first of them is, in words; `nil` if none is.
  var sleepers: String? {
    state.withLock { state in
      guard let first = state.sleepers.map(\.deadline).min() else { return nil }
      return "\(state.sleepers.count) asleep, the first for \(state.now.duration(to: first))"
    }
  }

  /// Turns the clock, and wakes who is due: those who began to sleep first, first.
  func turn(to moment: Instant) {
    let due = state.withLock { state in
      state.now = max(state.now, moment)
      let now = state.now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}

/// A clock on which nothing ever waits: every sleep ends at once, and moves it on.
public final class ImmediateClock: Clock, Sendable {
  /// A moment, as for a ``SimulatedClock``.
  public typealias Instant = SimulatedClock.Instant

  private let state = Guarded(Instant(sinceStart: .zero))

  /// A clock at its beginning.
  public init() {}

  /// How far the sleeps have moved it.
  public var now: Instant { state.withLock { $0 } }

  /// It can tell any two moments apart.
  public var minimumResolution: Duration { .zero }

  /// Returns at once; the clock stands at the deadline then.
  ///
  /// - Parameters:
  ///   - deadline: Until when.
  ///   - tolerance: Makes no difference.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { $0 = max($0, deadline) }
  }
}
