import ReactorMachines
import ReactorRuntime

/// Subscribers with a filter or a limit: each element is looked at as it comes, in order, and what
/// is not wanted is not kept.
///
/// One publisher or task goes to such a subscriber at a time, and gets what there is by then. So it
/// does not matter when that is, nor whether more has been published meanwhile.
extension Broadcast {
  /// How many steps a publisher goes for all of them.
  private static var steps: Int { 1024 }

  /// How many a task goes before it makes way: where many tasks want the threads, it waits long for
  /// its next turn.
  private static var stepsOfTask: Int { 16 * 1024 }

  /// Goes to subscribers that choose: here, or in a task.
  @usableFromInline
  func examine(_ slots: [Int]) {
    guard slots.count <= Self.most else { return examineLater(slots[...]) }
    var steps = Self.steps
    for (index, slot) in slots.enumerated() {
      // Others may publish more than this one can keep up with.
      guard examine(slot, within: &steps) else { return examineLater(slots[index...]) }
    }
  }

  private func examineLater(_ slots: ArraySlice<Int>) {
    PipelineTasks.detached {
      var steps = Self.stepsOfTask
      for slot in slots {
        while !self.examine(slot, within: &steps) {
          // Others have work for the thread, too.
          await Task.yield()
          steps = Self.stepsOfTask
        }
      }
    }
  }

  /// - Returns: Whether there is nothing more for it; false if the steps did not suffice.
  private func examine(_ slot: Int, within steps: inout Int) -> Bool {
    while steps > 0 {
      steps -= 1
      switch change({ $0.examine(slot) }) {
      case .rest: return true
      case .end(let consumers):
        wake(consumers, .end)
        return true
      case .choose(let element, let isIncluded, let released):
        withExtendedLifetime(released) {}
        guard isIncluded?(element.element) != false else { continue }
        let (consumer, lost) = change { contents -> (Consumer?, Numbered<Element>?) in
          guard contents.machine.isThere(slot) else { return (nil, nil) }
          return contents.claim(element, for: slot)
        }
        consumer?.resume(returning: .deliver(element, skipped: 0))
        withExtendedLifetime(lost) {}
      }
    }
    return false
  }

  /// Has a subscriber keep only so many elements from here on, of those that it has yet to read.
  func limit(_ slot: Int, to policy: BroadcastMachine.Policy) {
    let (lost, examines) = change { contents in
      let (count, examines) = contents.machine.limit(slot, to: policy)
      return (contents.lose(count, of: slot, by: policy), examines)
    }
    withExtendedLifetime(lost) {}
    if examines { examine([slot]) }
  }

  /// How many elements a subscriber has lost to its limit.
  func lost(_ slot: Int) -> Int { contents.withLock { $0.machine.lost(slot) } }
}

extension Broadcast.Contents {
  /// What to do for a subscriber, for the one that goes there.
  enum Examination: Sendable {
    case rest
    case end([Broadcast.Consumer])
    /// Ask its filter, and claim the element if it is wanted.
    case choose(
      Numbered<Element>, (@Sendable (Element) -> Bool)?, releasing: Few<Numbered<Element>>)
  }

  mutating func examine(_ slot: Int) -> Examination {
    switch machine.examine(slot) {
    case .rest: return .rest
    case .end: return .end(takeWaiters(slot))
    case .choose(let position):
      let element = elements[elements.count - Int(machine.end - position)]
      return .choose(element, subscribers[slot].isIncluded, releasing: trim())
    }
  }

  mutating func lose(
    _ count: Int, of slot: Int, by policy: BroadcastMachine.Policy
  ) -> [Numbered<Element>] {
    if case .first = policy { return subscribers[slot].aside.removeLast(count) }
    return subscribers[slot].aside.removeFirst(count)
  }
}
