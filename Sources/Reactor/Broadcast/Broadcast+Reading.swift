public import ReactorMachines
public import ReactorRuntime
import Synchronization

/// The reader's side: the next element of a subscriber, at once if there is one, or when it is
/// published.
extension Broadcast {
  /// The next step of a reader.
  @inlinable
  func step(_ slot: Int) -> Step {
    let (step, released) = change { $0.take(slot) }
    withExtendedLifetime(released) {}
    return step
  }

  /// Waits for the next element, or until the task is cancelled.
  ///
  /// - Parameters:
  ///   - slot: The subscriber.
  ///   - id: The identifier that `step` returned.
  /// - Returns: The next step.
  @inlinable
  nonisolated(nonsending) func wait(_ slot: Int, _ id: UInt64) async -> Step {
    await withTaskCancellationHandler {
      await withCheckedContinuation { consumer in
        let (step, released) = change { contents -> (Step, SmallList<Numbered<Element>>) in
          // Cancelled before it is added, or after: the handler searches for it here.
          if Task.isCancelled { return (.end, SmallList()) }
          let (step, released) = contents.take(slot)
          if case .wait = step {
            contents.machine.wait(slot)
            contents.subscribers[slot].waiters.append(Numbered(id, consumer))
          }
          return (step, released)
        }
        if case .wait = step { return }
        consumer.resume(returning: step)
        withExtendedLifetime(released) {}
      }
    } onCancel: {
      cancel(slot, id)
    }
  }

  @usableFromInline
  func cancel(_ slot: Int, _ id: UInt64) {
    let waiter = change { contents -> Numbered<Consumer>? in
      let waiter = contents.subscribers[slot].waiters.remove(id)
      if waiter != nil { contents.machine.cancel(slot) }
      return waiter
    }
    waiter?.element.resume(returning: .end)
  }

  /// The next element, for a broadcast without a source.
  ///
  /// An element that is being delivered to a task that is cancelled is put back.
  nonisolated(nonsending) func next(_ slot: Int) async -> Numbered<Element>? {
    if Task.isCancelled { return nil }
    var step = step(slot)
    if case .wait(let id) = step { step = await wait(slot, id) }
    guard case .deliver(let element, _) = step else { return nil }
    guard Task.isCancelled else { return element }
    putBack(element, to: slot)
    return nil
  }

  /// Puts an element that was read and not used before those with higher numbers.
  ///
  /// It counts as if it had never been read, so a subscriber with a limit may lose one for it.
  func putBack(_ element: Numbered<Element>, to slot: Int) {
    let (consumer, lost) = change { $0.claim(element, for: slot) }
    consumer?.resume(returning: .deliver(element, skipped: 0))
    withExtendedLifetime(lost) {}
  }

  /// Advances a subscriber that has read nothing yet to the element of a number, if it is behind.
  func skip(_ slot: Int, to number: UInt64) {
    let released = change { contents in
      let passed = max(0, contents.subscribers[slot].buffer.count(upTo: number) - 1)
      let released = contents.subscribers[slot].buffer.removeFirst(passed)
      let first = contents.subscribers[slot].buffer.first
      let ahead = UInt64(contents.elements.count - contents.elements.count(upTo: number))
      let end = contents.machine.end
      contents.machine.skip(
        slot, to: end - min(end, ahead + 1), passed: passed,
        lost: first.map { Int($0.number - min($0.number, number)) } ?? .max)
      return released + contents.trim()
    }
    withExtendedLifetime(released) {}
  }
}

extension Broadcast.Contents {
  @usableFromInline typealias Step = BroadcastStep<Element>

  /// The next step of a reader, and elements to be released outside the lock.
  @inlinable @inline(__always)
  mutating func take(_ slot: Int) -> (Step, SmallList<Numbered<Element>>) {
    switch machine.next(slot) {
    case .deliver(let position):
      let element = element(at: position)
      subscribers[slot].seen = element.number
      return (.deliver(element, skipped: 0), trim())
    case .deliverBuffered(let skipped):
      guard let element = subscribers[slot].buffer.popFirst(keepingCapacityFor: 64) else {
        preconditionFailure("nothing is buffered")
      }
      subscribers[slot].seen = element.number
      return (.deliver(element, skipped: skipped), trim())
    case .ask: return (.ask, SmallList())
    case .wait:
      lastReader += 1
      return (.wait(id: lastReader), trim())
    case .end: return (.end, trim())
    }
  }

  /// Delivers an element that passed a subscriber's filter, or was put back.
  ///
  /// - Returns: The reader that receives it; and the element that is lost, to be released outside
  ///   the lock.
  mutating func claim(
    _ element: Numbered<Element>, for slot: Int
  ) -> (Broadcast.Consumer?, Numbered<Element>?) {
    switch machine.claim(slot) {
    case .reader: (subscribers[slot].waiters.popFirst()?.element, nil)
    case .buffer(let drop): (nil, buffer(element, for: slot, drop))
    }
  }
}
