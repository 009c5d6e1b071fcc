import Reactor
import ReactorRuntime

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
    /// In the order of their deadlines, the earliest last.
    var sleepers: [Sleeper] = []

    /// Where a sleeper is, or belongs.
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

  /// The moment at which the next sleeper wakes.
  var nextDeadline: Instant? { state.withLock { $0.sleepers.last?.deadline } }

  /// How many are asleep, and for how long the first of them is, in words; `nil` if none is.
  var sleepers: String? {
    state.withLock { state in
      guard let first = state.sleepers.last?.deadline else { return nil }
      return "\(state.sleepers.count) asleep, the first for \(state.now.duration(to: first))"
    }
  }

  /// Turns the clock, and wakes the sleepers that are due, in the order in which they began.
  func turn(to moment: Instant) {
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
