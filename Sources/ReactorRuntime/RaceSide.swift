import Synchronization

/// One side of a race, as the streams that it reads see it.
///
/// The side remembers the element that it took last until it takes another. If the side loses and
/// its result contains the element, the element is put back into its stream, since the result is
/// discarded. Once the race is decided, the loser takes no more elements.
///
/// Contains `undo`, guarded by its own lock; elements are put back and released outside it.
package final class RaceSide: Sendable {
  /// The state that both sides of a race share.
  private final class Race: Sendable {
    let isDecided = Atomic(false)
    /// The side of another race in which this race runs.
    let outer: RaceSide?

    init(in outer: RaceSide?) { self.outer = outer }

    var isOver: Bool {
      isDecided.load(ordering: .acquiring) || outer?.race.isOver == true
    }
  }

  /// The side that runs, inherited by all tasks that it creates.
  ///
  /// Of these tasks, only the side's own counts as the side: another one may outlive the race.
  @TaskLocal private static var bound: RaceSide?

  private let race: Race
  /// The side's own task, while it runs.
  private let owner = Atomic<UInt>(0)
  /// Puts the last taken element back if the result contains it.
  private let undo = Guarded<(@Sendable (_ result: Any) -> Void)?>(nil)

  private init(of race: Race) { self.race = race }

  /// Returns the two sides of a race that the current task runs.
  package static func makePair() -> (RaceSide, RaceSide) {
    let race = Race(in: current)
    return (RaceSide(of: race), RaceSide(of: race))
  }

  /// The side that the current task runs; usually `nil`.
  package static var current: RaceSide? {
    guard let side = bound, side.owner.load(ordering: .relaxed) == TaskAddress.current else {
      return nil
    }
    return side
  }

  // MARK: The race

  /// How a side has ended.
  package struct End<Success: Sendable>: Sendable {
    let side: RaceSide
    let result: Result<Success, any Error>
    let isFirst: Bool
  }

  /// Runs the side to its end.
  ///
  /// - Parameters:
  ///   - isolation: Where to begin.
  ///   - body: The operation of the side.
  /// - Returns: How it has ended.
  package func run<Success: Sendable>(
    isolation: isolated (any Actor)?,
    _ body: @escaping @isolated(any) @Sendable () async throws -> Success
  ) async -> End<Success> {
    owner.store(TaskAddress.current ?? 0, ordering: .relaxed)
    let result: Result<Success, any Error>
    do {
      result = .success(try await Self.$bound.withValue(self) { try await body() })
    } catch {
      result = .failure(error)
    }
    owner.store(0, ordering: .relaxed)
    let wasDecided = race.isDecided.exchange(true, ordering: .acquiringAndReleasing)
    return End(side: self, result: result, isFirst: !wasDecided)
  }

  /// Decides what happens with the result of a side that has ended.
  ///
  /// - Returns: The result of the winner; `nil` for the loser, whose last taken element is put
  ///   back.
  package static func settle<Success: Sendable>(
    _ end: End<Success>
  ) -> Result<Success, any Error>? {
    let undo = end.side.undo.withLock { $0 }
    guard end.isFirst else {
      if case .success(let value) = end.result { undo?(value) }
      return nil
    }
    // In a side of another race, the element now belongs to that side.
    if let undo { end.side.race.outer?.setUndo(undo) }
    return end.result
  }

  // MARK: The streams

  /// Takes an element from a stream.
  ///
  /// - Parameters:
  ///   - next: Takes the element.
  ///   - putBack: Puts the element back before the later ones.
  /// - Returns: The element; `nil` at the end, or once the race is decided.
  package nonisolated(nonsending) func take<Element: Sendable>(
    _ next: nonisolated(nonsending) () async -> Numbered<Element>?,
    puttingBack putBack: @escaping @Sendable (Numbered<Element>) -> Void
  ) async -> Element? {
    // The element taken before has been processed: the side requests another.
    setUndo(nil)
    guard !race.isOver, let found = await next() else { return nil }
    guard !race.isOver else {
      putBack(found)
      return nil
    }
    setUndo { if Self.contains(found.element, in: $0) { putBack(found) } }
    return found.element
  }

  private func setUndo(_ new: (@Sendable (_ result: Any) -> Void)?) {
    let old = undo.withLock { undo in
      defer { undo = new }
      return undo
    }
    withExtendedLifetime(old) {}
  }

  /// Returns whether a value is an element, or contains it in its cases, tuples and structs, a few
  /// levels deep.
  private static func contains<Element>(
    _ element: Element, in value: Any, levels: Int = 4
  ) -> Bool {
    if value is Element {
      return (element as? any Equatable)?.isEqual(to: value) ?? true
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum, .optional, .struct, .tuple:
      return levels > 0
        && mirror.children.contains { contains(element, in: $0.value, levels: levels - 1) }
    default: return false
    }
  }
}
