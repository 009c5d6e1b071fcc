import ReactorMachines
import ReactorRuntime

/// Subscribers with a filter or a limit: each element is checked when it arrives, in order, and
/// kept only if it is included.
///
/// One publisher or task at a time checks the elements of such a subscriber, and takes all that
/// have been published by then. So it does not matter when it runs, nor whether more has been
/// published meanwhile.
extension Broadcast {
  /// The number of steps that a publisher takes for all of them.
  private static var steps: Int { 1024 }

  /// The number of steps that a task takes before it yields.
  ///
  /// If many tasks compete for the threads, it waits long to be resumed.
  private static var stepsPerTask: Int { 16 * 1024 }

  /// Checks the elements of subscribers with a filter or a limit: here, or in a task.
  @usableFromInline
  func examine(_ slots: [Int]) {
    guard slots.count <= Self.maxDirectResumptions else { return examineLater(slots[...]) }
    var steps = Self.steps
    for (index, slot) in slots.enumerated() {
      // Other threads may publish more than this one can keep up with.
      guard examine(slot, within: &steps) else { return examineLater(slots[index...]) }
    }
  }

  private func examineLater(_ slots: ArraySlice<Int>) {
    PipelineTasks.detached {
      var steps = Self.stepsPerTask
      for slot in slots {
        while !self.examine(slot, within: &steps) {
          // Other tasks need the thread, too.
          await Task.yield()
          steps = Self.stepsPerTask
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
        resume(ended, .end)
        return true
      }
      guard isIncluded?(element.element) != false else { continue }
      let (consumer, lost) = change { contents -> (Consumer?, Numbered<Element>?) in
        guard contents.machine.isSubscribed(slot) else { return (nil, nil) }
        return contents.claim(element, for: slot)
      }
      consumer?.resume(returning: .deliver(element, skipped: 0))
      withExtendedLifetime(lost) {}
    }
    return false
  }

  /// Limits the number of unread elements of a subscriber from now on.
  func limit(_ slot: Int, to policy: BroadcastMachine.Policy) {
    let (lost, examines) = change { contents -> ([Numbered<Element>], Bool) in
      let (count, examines) = contents.machine.limit(slot, to: policy)
      if case .first = policy {
        return (contents.subscribers[slot].buffer.removeLast(count), examines)
      }
      return (contents.subscribers[slot].buffer.removeFirst(count), examines)
    }
    withExtendedLifetime(lost) {}
    if examines { examine([slot]) }
  }

  /// The number of elements that a subscriber has lost to its limit.
  func lost(_ slot: Int) -> Int { contents.withLock { $0.machine.lost(slot) } }
}

extension Broadcast.Contents {
  /// An element to check, and the filter.
  typealias Candidate = (Numbered<Element>, (@Sendable (Element) -> Bool)?)

  /// The next element to check for a subscriber; the readers to resume with the end; and elements
  /// to be released outside the lock.
  fileprivate mutating func examine(
    _ slot: Int
  ) -> (Candidate?, ended: [Broadcast.Consumer], SmallList<Numbered<Element>>) {
    switch machine.examine(slot) {
    case .rest: return (nil, [], SmallList())
    case .end: return (nil, takeWaiters(slot), SmallList())
    case .choose(let position):
      return ((element(at: position), subscribers[slot].isIncluded), [], trim())
    }
  }
}
