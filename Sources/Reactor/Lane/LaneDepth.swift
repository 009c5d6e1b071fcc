/// How many actions are in a lane.
public struct LaneDepth: Sendable, Hashable {
  /// How many have a slot: those that run, and those that have been cancelled or evicted and have
  /// yet to end.
  public let running: Int
  /// How many wait: in line, or for a debounce's or a throttle's time to be up.
  public let waiting: Int

  /// A lane in which nothing happens.
  static let zero = LaneDepth(running: 0, waiting: 0)

  /// A lane of which no books are kept: there is only the action that is being taken.
  static let alone = LaneDepth(running: 1, waiting: 0)

  /// A depth, to compare with.
  ///
  /// - Parameters:
  ///   - running: How many have a slot.
  ///   - waiting: How many wait.
  public init(running: Int, waiting: Int) {
    self.running = running
    self.waiting = waiting
  }
}
