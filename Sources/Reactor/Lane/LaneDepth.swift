/// How many actions are in a lane.
public struct LaneDepth: Sendable, Hashable {
  /// How many actions have a slot: those that run, and those that were cancelled or evicted and
  /// have not ended yet.
  public let running: Int
  /// How many actions wait, for a slot or for the time of a debounce or a throttle.
  public let waiting: Int

  /// A lane that is not in use.
  static let zero = LaneDepth(running: 0, waiting: 0)

  /// A lane without a record: it contains only the action that is being taken.
  static let alone = LaneDepth(running: 1, waiting: 0)

  /// Creates a depth, to compare with.
  ///
  /// - Parameters:
  ///   - running: How many actions have a slot.
  ///   - waiting: How many actions wait.
  public init(running: Int, waiting: Int) {
    self.running = running
    self.waiting = waiting
  }
}
