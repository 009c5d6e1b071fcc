public import ReactorMachines
public import ReactorRuntime
public import Synchronization

/// Elements for any number of subscribers, each at its own pace: what the streams of states,
/// actions, outputs and events read from.
///
/// It is the shell of a ``BroadcastMachine``, which decides by numbers which subscriber gets which
/// element; the elements and the readers that wait are here. The elements are in one list, and each
/// subscriber has a place in it, so that to publish one concerns those alone that wait, or that
/// choose. `Broadcast+Publishing` has what the publisher calls, `Broadcast+Reading` what a reader
/// does, `Broadcast+Choosing` what filters and limits do.
///
/// Holds: `contents`, guarded by its own lock. Continuations are resumed, filters called and
/// elements released outside it.
@usableFromInline
final class Broadcast<Element: Sendable>: Sendable {
  @usableFromInline typealias Step = BroadcastStep<Element>
  @usableFromInline typealias Consumer = CheckedContinuation<Step, Never>

  /// What belongs to one subscriber.
  @usableFromInline
  struct Subscriber: Sendable {
    /// The readers that wait, by what they wait by.
    @usableFromInline var waiters = IdentityList<Numbered<Consumer>>()
    /// The elements that are set aside for it, by their numbers.
    @usableFromInline var aside = FIFO<Numbered<Element>>()
    /// The number of the value that was read last.
    @usableFromInline var seen: UInt64?
    /// Which elements it has; all of them, if there is no such function.
    var isIncluded: (@Sendable (Element) -> Bool)?
  }

  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var machine: BroadcastMachine
    /// The elements that are kept, up to the last one.
    @usableFromInline var elements = FIFO<Numbered<Element>>()
    /// By what the machine knows them by.
    @usableFromInline var subscribers: [Subscriber] = []
    /// The number of the element that was published last.
    @usableFromInline var latest: UInt64?
    @usableFromInline var lastReader: UInt64 = 0

    @inlinable @inline(__always)
    func element(at position: UInt64) -> Numbered<Element> {
      elements[elements.count - Int(machine.end - position)]
    }

    /// Takes out what is not needed any longer, to be released outside the lock.
    @inlinable @inline(__always)
    mutating func trim() -> Few<Numbered<Element>> {
      var released = Few<Numbered<Element>>()
      while elements.count > Int(machine.end - machine.kept),
        let element = elements.popFirst(keepingRoomFor: 64)
      {
        released.append(element)
      }
      return released
    }
  }

  @usableFromInline let contents: Guarded<Contents>

  /// Whether an element would matter to anything now; read by a publisher before it makes a copy.
  @usableFromInline let isWatched = Atomic(false)

  /// - Parameters:
  ///   - hasValues: Whether a subscriber begins with the newest element, as one of states does;
  ///     otherwise with the next one.
  ///   - isFinished: Whether nothing will be published.
  init(hasValues: Bool, isFinished: Bool = false) {
    var machine = BroadcastMachine(hasValues: hasValues)
    if isFinished { _ = machine.finish() }
    contents = Guarded(Contents(machine: machine))
  }

  /// Changes the contents, and keeps `isWatched` true to them.
  @inlinable @inline(__always)
  func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    contents.withLock { contents in
      let result = body(&contents)
      isWatched.store(contents.machine.isWatched, ordering: .relaxed)
      return result
    }
  }

  // MARK: Subscribers

  /// A subscriber comes.
  ///
  /// - Parameters:
  ///   - policy: Which elements it gets that it does not ask for in time.
  ///   - number: Its number among the subscribers; see `publish`.
  ///   - asksFirst: Whether its first reader has to ask the source before anything else.
  ///   - isIncluded: Which elements it has; all of them, if there is no such function.
  /// - Returns: By what it is known here.
  func subscribe(
    _ policy: BroadcastMachine.Policy = .every, number: UInt64 = 0, asksFirst: Bool = false,
    where isIncluded: (@Sendable (Element) -> Bool)? = nil
  ) -> Int {
    change { contents in
      let slot = contents.machine.subscribe(
        policy, number: number, isFiltered: isIncluded != nil, asksFirst: asksFirst)
      let subscriber = Subscriber(isIncluded: isIncluded)
      if slot >= contents.subscribers.count {
        contents.subscribers.append(subscriber)
      } else {
        contents.subscribers[slot] = subscriber
      }
      // It is new, and nothing waits for it: nothing is to be delivered.
      if contents.machine.hasNewcomers, let newest = contents.newest {
        _ = contents.offerAgain(newest)
      }
      return slot
    }
  }

  /// A subscriber gives its place up; a reader that waits gets the end.
  ///
  /// - Parameters:
  ///   - slot: The subscriber.
  ///   - isReleased: Whether it is not used any more.
  /// - Returns: Whether nothing would miss this now.
  @discardableResult
  func leave(_ slot: Int, isReleased: Bool) -> Bool {
    let (released, waiters, subscriber, isDeserted) = change { contents in
      let waiters = contents.takeWaiters(slot)
      let subscriber = contents.subscribers[slot]
      contents.subscribers[slot] = Subscriber(seen: subscriber.seen)
      contents.machine.leave(slot, isReleased: isReleased)
      if contents.machine.isUnused { contents.subscribers = [] }
      return (contents.trim(), waiters, subscriber, contents.machine.isDeserted)
    }
    wake(waiters, .end)
    withExtendedLifetime((released, subscriber)) {}
    return isDeserted
  }

  /// The number of the value that a subscriber has read last; `nil` before the first.
  func seen(_ slot: Int) -> UInt64? { contents.withLock { $0.subscribers[slot].seen } }

  /// Whether nothing would miss this.
  var isDeserted: Bool { contents.withLock { $0.machine.isDeserted } }

  /// Whether the last element has been published.
  var isFinished: Bool { contents.withLock { $0.machine.isFinished } }

  /// The number of the element that was published last; 0 before the first.
  var latest: UInt64 { contents.withLock { $0.latest ?? 0 } }
}

/// What a reader that asks for the next element should do.
@usableFromInline
enum BroadcastStep<Element: Sendable>: Sendable {
  /// - skipped: How many elements were lost to a limit since the one before.
  case deliver(Numbered<Element>, skipped: Int)
  /// Ask the source of the elements: it alone has the newest.
  case ask
  /// - id: What the reader is to wait by.
  case wait(id: UInt64)
  case end
}
