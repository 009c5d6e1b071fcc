public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// Delivers elements to any number of subscribers, each at its own pace; the streams of states,
/// actions, outputs and events read from it.
///
/// It is the shell of a ``BroadcastMachine``, which decides by numbers which subscriber receives
/// which element. The elements and the waiting readers are stored here. The elements are in one
/// list, in which each subscriber has a position. To publish an element therefore costs only for
/// subscribers that wait, or that have a filter or a limit. `Broadcast+Publishing` has the
/// publisher's functions, `Broadcast+Reading` the reader's, and `Broadcast+Filtering` those of
/// filters and limits.
///
/// Holds: `contents`, guarded by its own lock. Continuations are resumed, filters called and
/// elements released outside it.
@usableFromInline
final class Broadcast<Element: Sendable>: Sendable {
  @usableFromInline typealias Step = BroadcastStep<Element>
  @usableFromInline typealias Consumer = CheckedContinuation<Step, Never>

  /// The storage of one subscriber.
  @usableFromInline
  struct Subscriber: Sendable {
    /// The waiting readers, by their identifiers.
    @usableFromInline var waiters = IdentityList<Numbered<Consumer>>()
    /// The elements that are buffered for this subscriber alone, by their numbers.
    @usableFromInline var buffer = FIFO<Numbered<Element>>()
    /// The number of the value that was read last.
    @usableFromInline var seen: UInt64?
    /// Returns whether the subscriber has an element; if it is `nil`, it has all.
    var isIncluded: (@Sendable (Element) -> Bool)?
  }

  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var machine: BroadcastMachine
    /// The elements that are kept, up to the last one.
    @usableFromInline var elements = FIFO<Numbered<Element>>()
    /// Indexed by the machine's slots.
    @usableFromInline var subscribers: [Subscriber] = []
    /// The number of the element that was published last.
    @usableFromInline var latest: UInt64?
    @usableFromInline var lastReader: UInt64 = 0

    @inlinable @inline(__always)
    func element(at position: UInt64) -> Numbered<Element> {
      elements[elements.count - Int(machine.end - position)]
    }

    /// Removes elements that are not needed any longer, to be released outside the lock.
    @inlinable @inline(__always)
    mutating func trim() -> SmallList<Numbered<Element>> {
      var released = SmallList<Numbered<Element>>()
      while elements.count > Int(machine.end - machine.firstRetained),
        let element = elements.popFirst(keepingCapacityFor: 64)
      {
        released.append(element)
      }
      return released
    }
  }

  @usableFromInline let contents: Guarded<Contents>

  /// Whether an element would be used now; a publisher reads it before it makes a copy.
  @usableFromInline let hasDemand = Atomic(false)

  /// - Parameters:
  ///   - hasValues: Whether a subscriber begins with the newest element, as for states; otherwise
  ///     it begins with the next one.
  ///   - isFinished: Whether nothing will be published.
  init(hasValues: Bool, isFinished: Bool = false) {
    var machine = BroadcastMachine(hasValues: hasValues)
    if isFinished { _ = machine.finish() }
    contents = Guarded(Contents(machine: machine))
  }

  /// Changes the contents, and updates `hasDemand`.
  @inlinable @inline(__always)
  func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    contents.withLock { contents in
      let result = body(&contents)
      hasDemand.store(contents.machine.hasDemand, ordering: .relaxed)
      return result
    }
  }

  // MARK: Subscribers

  /// Adds a subscriber.
  ///
  /// - Parameters:
  ///   - policy: Which elements it receives that it does not read in time.
  ///   - number: Its number among the subscribers; see `publish`.
  ///   - beginsAtSource: Whether its first reader has to ask the source before anything else.
  ///   - isIncluded: Returns whether it has an element; if it is `nil`, it has all.
  /// - Returns: Its slot.
  func subscribe(
    _ policy: BroadcastMachine.Policy = .every, number: UInt64 = 0, beginsAtSource: Bool = false,
    where isIncluded: (@Sendable (Element) -> Bool)? = nil
  ) -> Int {
    change { contents in
      let slot = contents.machine.subscribe(
        policy, number: number, isFiltered: isIncluded != nil, beginsAtSource: beginsAtSource)
      let subscriber = Subscriber(isIncluded: isIncluded)
      if slot >= contents.subscribers.count {
        contents.subscribers.append(subscriber)
      } else {
        contents.subscribers[slot] = subscriber
      }
      // It is new and has no waiting reader, so nothing is to be delivered.
      if contents.machine.hasNewSubscribers, let newest = contents.newest {
        _ = contents.offerAgain(newest)
      }
      return slot
    }
  }

  /// Removes a subscriber from its position; a waiting reader receives the end.
  ///
  /// - Parameters:
  ///   - slot: The subscriber.
  ///   - isReleased: Whether it is not used any more.
  /// - Returns: Whether the broadcast is not needed any more.
  @discardableResult
  func unsubscribe(_ slot: Int, isReleased: Bool) -> Bool {
    let (released, waiters, subscriber, isUnneeded) = change { contents in
      let waiters = contents.takeWaiters(slot)
      let subscriber = contents.subscribers[slot]
      contents.subscribers[slot] = Subscriber(seen: subscriber.seen)
      contents.machine.unsubscribe(slot, isReleased: isReleased)
      if contents.machine.isUnused { contents.subscribers = [] }
      return (contents.trim(), waiters, subscriber, contents.machine.isUnneeded)
    }
    resume(waiters, .end)
    withExtendedLifetime((released, subscriber)) {}
    return isUnneeded
  }

  /// The number of the value that a subscriber has read last; `nil` before the first.
  func seen(_ slot: Int) -> UInt64? { contents.withLock { $0.subscribers[slot].seen } }

  /// Whether the broadcast is not needed any more.
  var isUnneeded: Bool { contents.withLock { $0.machine.isUnneeded } }

  /// Whether the last element has been published.
  var isFinished: Bool { contents.withLock { $0.machine.isFinished } }

  /// The number of the element that was published last; 0 before the first.
  var latest: UInt64 { contents.withLock { $0.latest ?? 0 } }
}

/// The next step of a reader that requests an element.
@usableFromInline
enum BroadcastStep<Element: Sendable>: Sendable {
  /// - skipped: The number of elements lost to a limit since the one before.
  case deliver(Numbered<Element>, skipped: Int)
  /// Ask the source of the elements: only it has the newest one.
  case ask
  /// - id: Identifies the reader while it waits.
  case wait(id: UInt64)
  case end
}
