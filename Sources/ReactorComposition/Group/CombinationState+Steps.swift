import Reactor
import ReactorRuntime

/// The decision what is shown next, as a plain value without tasks and reactors.
extension CombinationState.Contents {
  /// Advances the columns to what is shown next.
  ///
  /// - Parameter states: The states that were received, column by column.
  /// - Returns: Whether there is something new to show.
  mutating func advance(_ states: [any CombinedColumn]) -> Bool {
    guard hasBegun else { return begin(states) }
    while true {
      if stepOutsideOfBarriers(states) { return true }
      guard let number = passableBarrier(states) else { return false }
      if pass(number, states) { return true }
    }
  }

  /// Whether no further states can arrive.
  func hasEnded(_ states: [any CombinedColumn]) -> Bool {
    let both = zip(columns, states)
    return hasBegun
      ? both.allSatisfy { $0.hasEnded && $1.nextVersion == nil }
      : both.contains { $0.hasEnded && !$0.hasFirst && $1.nextVersion == nil }
  }

  /// Removes a column from a barrier in which it turns out to have no part.
  mutating func leave(_ number: UInt64, _ column: Int) {
    columns[column].barriers.retain { $0 != number }
    barriers[number]?.turns[column] = nil
    if barriers[number]?.turns.isEmpty == true { barriers[number] = nil }
  }

  /// Selects the first state of each column: the one at the moment at which all columns begin.
  private mutating func begin(_ states: [any CombinedColumn]) -> Bool {
    for (index, column) in columns.enumerated() where !column.hasFirst {
      guard let base = column.base else { continue }
      while let version = states[index].nextVersion, version <= base || !columns[index].hasFirst {
        states[index].take()
        if version >= base { columns[index].hasFirst = true }
      }
    }
    hasBegun = columns.allSatisfy(\.hasFirst)
    return hasBegun
  }

  private mutating func stepOutsideOfBarriers(_ states: [any CombinedColumn]) -> Bool {
    for (index, column) in columns.enumerated() {
      guard let version = states[index].nextVersion else { continue }
      if let number = column.barriers.first, let begin = barriers[number]?.turns[index]?.begin,
        version > begin
      {
        continue
      }
      states[index].take()
      return true
    }
    return false
  }

  /// The first barrier that all its columns have reached, and for which all states have been
  /// received.
  private mutating func passableBarrier(_ states: [any CombinedColumn]) -> UInt64? {
    for index in columns.indices {
      guard let number = columns[index].barriers.first, let barrier = barriers[number] else {
        continue
      }
      let isPassable = barrier.turns.allSatisfy { index, turn in
        guard columns[index].barriers.first == number else { return false }
        guard let end = turn.end else { return false }
        return columns[index].received >= end || columns[index].hasEnded
      }
      if isPassable { return number }
    }
    return nil
  }

  private mutating func pass(_ number: UInt64, _ states: [any CombinedColumn]) -> Bool {
    guard let barrier = barriers.removeValue(forKey: number) else { return false }
    var isNew = false
    for (index, turn) in barrier.turns {
      _ = columns[index].barriers.popFirst()
      guard let end = turn.end else { continue }
      while let version = states[index].nextVersion, version <= end {
        states[index].take()
        isNew = true
      }
    }
    return isNew
  }
}
