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
      let (next, ended, released) = change { $0.examine(slot) }
      withExtendedLifetime(released) {}
      guard let (element, isIncluded) = next else {
        wake(ended, .end)
        return true
      }
      guard isIncluded?(element.element) != false else { continue }
      let (consumer, lost) = change { contents -> (Consumer?, Numbered<Element>?) in
        guard contents.machine.isThere(slot) else { return (nil, nil) }
        return contents.claim(element, for: slot)
      }
      consumer?.resume(returning: .deliver(element, skipped: 0))
      withExtendedLifetime(lost) {}
    }
    return false
  }

  /// Has a subscriber keep only so many elements from here on, of those that it has yet to read.
  func limit(_ slot: Int, to policy: BroadcastMachine.Policy) {
    let (lost, examines) = change { contents -> ([Numbered<Element>], Bool) in
      let (count, examines) = contents.machine.limit(slot, to: policy)
      if case .first = policy {
        return (contents.subscribers[slot].aside.removeLast(count), examines)
      }
      return (contents.subscribers[slot].aside.removeFirst(count), examines)
    }
    withExtendedLifetime(lost) {}
    if examines { examine([slot]) }
  }

  /// How many elements a subscriber has lost to its limit.
  func lost(_ slot: Int) -> Int { contents.withLock { $0.machine.lost(slot) } }
}

extension Broadcast.Contents {
  /// An element to choose from, and the filter to ask.
  typealias Candidate = (Numbered<Element>, (@Sendable (Element) -> Bool)?)

  /// What there is to choose from for a subscriber, for what goes there; the readers that are to be
  /// resumed with the end; and elements to be released outside the lock.
  fileprivate mutating func examine(
    _ slot: Int
  ) -> (Candidate?, ended: [Broadcast.Consumer], Few<Numbered<Element>>) {
    switch machine.examine(slot) {
    case .rest: return (nil, [], Few())
    case .end: return (nil, takeWaiters(slot), Few())
    case .choose(let position):
      return ((element(at: position), subscribers[slot].isIncluded), [], trim())
    }
  }
}
