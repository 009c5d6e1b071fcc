public import Foundation
import Reactor
import ReactorRuntime

/// Random numbers that are the same in each run of a test.
///
/// ```swift
/// ReactorDependencies.with { $0.random = simulation.random } make: { DiceReactor() }
/// ```
///
/// It is a class, so that a copy of the dependency continues the same numbers. In an exploration
/// each number is a choice of the run, so that it shrinks.
///
/// Holds: `state`, guarded by its own lock.
public final class SimulatedRandom: RandomNumberGenerator, Sendable {
  private let state: Guarded<SplitMix64>
  private let choices: ChoiceSource?

  /// Creates a generator.
  ///
  /// - Parameter seed: Decides the numbers.
  public convenience init(seed: UInt64 = 0) { self.init(seed: seed, nil) }

  init(seed: UInt64, _ choices: ChoiceSource?) {
    state = Guarded(SplitMix64(seed: seed))
    self.choices = choices
  }

  /// Returns the next number.
  ///
  /// - Returns: The number.
  public func next() -> UInt64 {
    guard let choices else { return state.withLock { $0.next() } }
    // Not the choice itself: from zeros alone, `random(in:)` would never have enough. The place is
    // that in its step, so that the number remains when other steps are removed.
    let (choice, place) = choices.drawWithPlace(.world, below: 256)
    var random = SplitMix64(seed: UInt64(choice) << 32 | UInt64(place))
    return random.next()
  }
}

/// Identifiers that count: 1, 2, 3, the same in each run of a test.
///
/// ```swift
/// ReactorDependencies.with { $0.newID = simulation.identifiers.nextUUID } make: { ListReactor() }
/// ```
///
/// Holds: `last`, guarded by its own lock.
public final class SimulatedIdentifiers: Sendable {
  private let last = Guarded(0)

  /// Creates a counter; the first identifier is 1.
  public init() {}

  /// Returns the next identifier as a number.
  ///
  /// - Returns: The number.
  public func next() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }

  /// Returns the next identifier as a UUID: `00000000-0000-0000-0000-000000000001`, and so on.
  ///
  /// - Returns: The UUID.
  public func nextUUID() -> UUID {
    let bytes = withUnsafeBytes(of: UInt64(next()).bigEndian) { Array($0) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
        bytes[6], bytes[7]
      ))
  }
}

extension Simulation {
  /// The date by the simulation's clock, which begins at the start of 2001, in UTC.
  ///
  /// ```swift
  /// ReactorDependencies.with { $0.now = { simulation.date } } make: { DiaryReactor() }
  /// ```
  public var date: Date {
    Date(timeIntervalSinceReferenceDate: clock.now.sinceStart / .seconds(1))
  }
}
