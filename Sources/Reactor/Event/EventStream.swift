import ReactorMachines
import ReactorRuntime

/// The events since the stream was opened: a reactor's actions or outputs, or those of an
/// ``EventBroadcaster``.
///
/// ```swift
/// .run { emit in
///   let answers = self.actions { $0 == .confirm || $0 == .dismiss }  // opened: nothing slips past
///   await emit(.ask)
///   guard await answers.next(within: .seconds(30), clock: self.clock) == .confirm else { return }
///   …
/// }
/// ```
///
/// **Order**: as sent. Events that have not been read are buffered, without a limit unless you set
/// one with ``buffering(last:)`` or ``buffering(first:)``. Several tasks may wait: each event is
/// delivered to one of them, in the order in which they began to wait. A task that needs all events
/// opens a stream of its own.
///
/// **Cancellation** loses no event. An event that is being delivered to a task that is cancelled
/// becomes the stream's next event. So does an event that the losing side of a
/// ``race(_:or:isolation:)`` has taken and returns. Several such events keep the order in which
/// they were sent.
///
/// **Ends** when its source ends; it does not keep the source alive. Buffered events can still be
/// read. The stream is closed when its last copy is released.
///
/// It combines redux-saga's `take` and `actionChannel`. A stream that is opened before it is
/// awaited loses nothing.
public struct EventStream<Event: Sendable>: AsyncSequence, Sendable {
  /// The type of element.
  public typealias Element = Event
  /// It never fails.
  public typealias Failure = Never

  let channel: EventChannel<Event>

  init(
    _ broadcast: Broadcast<Event>, number: UInt64 = 0,
    where isIncluded: (@Sendable (Event) -> Bool)?, onLastRelease: (@Sendable () -> Void)? = nil
  ) {
    let slot = broadcast.subscribe(number: number, where: isIncluded)
    channel = EventChannel(slot, in: broadcast, onLastRelease: onLastRelease)
  }

  /// Limits the stream to the newest unread events: when one more arrives, the oldest is dropped.
  ///
  /// ```swift
  /// let prices = ticker.outputs().buffering(last: 100)
  /// for await price in prices { draw(price, skipped: prices.droppedCount) }
  /// ```
  ///
  /// **Runs on** any thread; call it where the stream is opened. It applies from now on, and to all
  /// copies of the stream. Events that are buffered already count as if they had just arrived. If a
  /// task applies the filters, because there are more than 64 streams with filters, events are kept
  /// until it has reached this stream.
  ///
  /// - Parameter count: The number of events to keep, at least 1; `.max` removes the limit.
  /// - Returns: The same stream; ``droppedCount`` counts the events that it could not keep.
  public func buffering(last count: Int) -> EventStream {
    keeping(count, BroadcastMachine.Policy.last)
  }

  /// Limits the stream to the oldest unread events: when one more arrives, it is dropped.
  ///
  /// It applies as ``buffering(last:)`` does.
  ///
  /// - Parameter count: The number of events to keep, at least 1; `.max` removes the limit.
  /// - Returns: The same stream; ``droppedCount`` counts the events that it could not keep.
  public func buffering(first count: Int) -> EventStream {
    keeping(count, BroadcastMachine.Policy.first)
  }

  private func keeping(
    _ count: Int, _ policy: (Int) -> BroadcastMachine.Policy
  ) -> EventStream {
    precondition(count > 0, "a stream keeps one event at least; the count was \(count)")
    channel.limit(to: count == .max ? .every : policy(count))
    return self
  }

  /// The number of events that were dropped because the stream's buffer was full.
  public var droppedCount: Int { channel.lost }

  /// Waits for the next event that has not been delivered.
  ///
  /// - Returns: The event; `nil` once the stream has ended, or when the task is cancelled.
  nonisolated(nonsending) public func next() async -> Event? { await channel.next() }

  /// Waits for the next event, for a limited time.
  ///
  /// - Parameters:
  ///   - duration: How long to wait.
  ///   - clock: The clock that measures it.
  /// - Returns: The event; `nil` once the time has passed or the stream has ended, or when the task
  ///   is cancelled. An event that arrives too late for this call is kept for the next one.
  public func next(within duration: Duration, clock: any Clock<Duration>) async -> Event? {
    guard let side = RaceSide.current else {
      return await take(within: duration, clock: clock)?.element
    }
    return await side.take(
      { await take(within: duration, clock: clock) }, puttingBack: channel.putBack)
  }

  private func take(
    within duration: Duration, clock: any Clock<Duration>
  ) async -> Numbered<Event>? {
    if let event = channel.takeNow() { return event }
    let channel = channel
    return await withTaskGroup(of: Numbered<Event>?.self) { group in
      group.addImmediateTask { await channel.take() }
      group.addImmediateTask {
        try? await clock.sleep(for: duration)
        return nil
      }
      // The first result cancels the other task. An event that was being delivered meanwhile is not
      // lost.
      var event: Numbered<Event>?
      for await found in group {
        group.cancelAll()
        if let found { event = found }
      }
      return event
    }
  }

  /// Starts an iteration; all iterators share the stream.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// Returns the events.
  public struct Iterator: AsyncIteratorProtocol {
    let channel: EventChannel<Event>

    /// Waits for the next event.
    ///
    /// - Returns: The event; `nil` once the stream has ended, or when the task is cancelled.
    nonisolated(nonsending) public mutating func next() async -> Event? {
      await channel.next()
    }

    /// Waits for the next event.
    ///
    /// - Parameter actor: The isolation of the caller.
    /// - Returns: The event; `nil` once the stream has ended, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      await channel.next()
    }
  }
}

/// The storage of an ``EventStream``: while it is retained, the stream is open.
final class EventChannel<Event: Sendable>: Sendable {
  private let slot: Int
  private let broadcast: Broadcast<Event>
  /// Called when the last stream of the broadcast has been released.
  private let onLastRelease: (@Sendable () -> Void)?

  init(_ slot: Int, in broadcast: Broadcast<Event>, onLastRelease: (@Sendable () -> Void)?) {
    self.slot = slot
    self.broadcast = broadcast
    self.onLastRelease = onLastRelease
  }

  deinit {
    let isUnneeded = broadcast.unsubscribe(slot, isReleased: true)
    if isUnneeded { onLastRelease?() }
  }

  var lost: Int { broadcast.lost(slot) }

  func limit(to policy: BroadcastMachine.Policy) { broadcast.limit(slot, to: policy) }

  /// Takes the next event, for a task that may be a side of a race.
  nonisolated(nonsending) func next() async -> Event? {
    guard let side = RaceSide.current else { return await take()?.element }
    return await side.take({ await take() }, puttingBack: putBack)
  }

  nonisolated(nonsending) func take() async -> Numbered<Event>? { await broadcast.next(slot) }

  /// Takes the next event, if there is one.
  func takeNow() -> Numbered<Event>? {
    if case .deliver(let event, _) = broadcast.step(slot) { event } else { nil }
  }

  /// Returns an event that was taken to its position before those that were sent after it.
  func putBack(_ event: Numbered<Event>) { broadcast.putBack(event, to: slot) }
}
