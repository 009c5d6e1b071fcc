import ReactorRuntime

/// When the subscribers of a batched stream receive states of low priority.
///
/// See ``Reactor/Reactor/state(batching:)``. These are the ways of Redux Toolkit's
/// `autoBatchEnhancer`.
public struct StateBatching: Sendable {
  enum Kind: Sendable {
    case tick
    case wait(@Sendable () async throws -> Void)
  }

  let kind: Kind

  /// Once the actions have had their turns that were accepted before the first state of the batch.
  ///
  /// So a burst of actions leads to one notification, or to a few, without a clock.
  public static let tick = StateBatching(kind: .tick)

  /// A time after the first state of the batch.
  ///
  /// - Parameters:
  ///   - duration: The time, such as that of a frame.
  ///   - clock: The clock that measures it.
  /// - Returns: The policy.
  public static func interval(
    _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> StateBatching {
    StateBatching(kind: .wait { try await clock.sleep(for: duration) })
  }

  /// When a function returns that is called at the first state of the batch, such as one that waits
  /// for the next frame of a screen.
  ///
  /// - Parameter wait: Waits. If it throws, the batch ends. Its task is cancelled if a state of
  ///   normal priority ends the batch first.
  /// - Returns: The policy.
  public static func waiting(_ wait: @escaping @Sendable () async throws -> Void) -> StateBatching {
    StateBatching(kind: .wait(wait))
  }
}

/// An action or a mutation that can have a low priority for subscribers; for
/// ``Reactor/Reactor/state(batching:)``.
///
/// ```swift
/// extension Mutation: PrioritizedNotification {
///   var isLowPriority: Bool { if case .progressed = self { true } else { false } }
/// }
/// ```
///
/// It changes neither the order of actions nor when a mutation is reduced.
public protocol PrioritizedNotification {
  /// Whether subscribers may receive the resulting state later, together with others.
  var isLowPriority: Bool { get }
}

/// Which versions of the states have low priority, as an observer of the reactor has seen them.
///
/// A version that it has not seen has normal priority.
struct BatchedVersions: Sendable {
  private var seen: ClosedRange<UInt64>?
  /// The versions of normal priority that have not been published yet, as far as is known.
  private var normal = FIFO<UInt64>()

  mutating func note(_ version: UInt64, isLow: Bool) {
    seen = (seen?.lowerBound ?? version)...max(version, seen?.upperBound ?? version)
    if !isLow { normal.append(version) }
  }

  /// The reactor has begun again: its next state has normal priority.
  mutating func noteBeginning() {
    if let seen { normal.append(seen.upperBound + 1) }
  }

  /// Whether all versions after the one that was published last, up to another, have low priority.
  mutating func areLow(after published: UInt64, through last: UInt64) -> Bool {
    while !normal.isEmpty, normal[0] <= published { _ = normal.popFirst() }
    guard let seen else { return false }
    return seen.lowerBound <= published + 1 && last <= seen.upperBound
      && (normal.isEmpty || last < normal[0])
  }
}

/// The priorities of versions, which a reactor notes and a ``StateBatcher`` reads.
final class VersionNotes: Sendable {
  let versions = Guarded(BatchedVersions())
}

/// The states of a batched stream that have not been published yet.
struct PendingBatch<State: Sendable>: Sendable {
  /// What ends the batch.
  private enum End: Sendable {
    /// The end of the wait with this number.
    case wait(UInt64)
    /// A state of this version or a later one.
    case version(UInt64)
  }

  struct Versioned: Sendable {
    let state: State
    let version: UInt64
  }

  private var newest: Versioned?
  private var end: End?
  private var lastWait: UInt64 = 0
  /// The version of the state that was published last; `nil` before the first.
  private(set) var published: UInt64?

  enum Step: Sendable {
    case publish(Versioned)
    /// Begin to wait; the number is that of the wait.
    case wait(UInt64)
    case none
  }

  /// A state has arrived.
  mutating func receive(_ state: Versioned, isLow: Bool) -> Step {
    newest = state
    guard isLow else { return flush() }
    switch end {
    case .version(let version) where state.version >= version: return flush()
    case .version, .wait: return .none
    case nil:
      lastWait += 1
      end = .wait(lastWait)
      return .wait(lastWait)
    }
  }

  /// A wait has ended: with the version up to which states belong to the batch, if it is known.
  mutating func waitEnded(_ number: UInt64, at version: UInt64?) -> Step {
    guard case .wait(number) = end, let newest else { return .none }
    guard let version, newest.version < version else { return flush() }
    end = .version(version)
    return .none
  }

  /// Ends the batch.
  mutating func flush() -> Step {
    end = nil
    guard let newest = newest.take() else { return .none }
    published = newest.version
    return .publish(newest)
  }
}
