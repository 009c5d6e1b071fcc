import ReactorMachines
import ReactorRuntime

/// Events from the moment the stream was opened: the actions a reactor takes, its outputs, or what
/// an ``EventBroadcaster`` sends.
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
/// **Order**: as sent. Events that have yet to be asked for are kept, without a limit unless you
/// set one with ``buffering(last:)`` or ``buffering(first:)``. Several tasks may ask: each event
/// goes to one of them, first come first served. A task that is to get all of them opens a stream
/// of its own.
///
/// **Cancellation** loses none: what is on its way to a task that is cancelled is the stream's next
/// event, and so is what the loser of a ``race(_:or:isolation:)`` has taken and returns. Several
/// that come back are in the order in which they were sent.
///
/// **Ends** when what it listens to does, which it does not prevent; what is kept can still be
/// asked for. A stream that nobody holds is closed.
///
/// redux-saga's `take` and `actionChannel` in one; opened before it is awaited, it loses nothing.
public struct EventStream<Event: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = Event
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let channel: EventChannel<Event>

  init(
    _ broadcast: Broadcast<Event>, number: UInt64 = 0,
    where isIncluded: (@Sendable (Event) -> Bool)?, deserted: (@Sendable () -> Void)? = nil
  ) {
    let slot = broadcast.subscribe(number: number, where: isIncluded)
    channel = EventChannel(slot, in: broadcast, deserted: deserted)
  }

  /// The same stream, which from here on keeps the newest so many events that have not been asked
  /// for: for one that comes while they wait, the oldest is lost.
  ///
  /// ```swift
  /// let prices = ticker.outputs().buffering(last: 100)
  /// for await price in prices { draw(price, skipped: prices.lost) }
  /// ```
  ///
  /// **Runs on** any thread; call it where the stream is opened. It applies to all copies of the
  /// stream. What waits already counts as if it came now. Where a task goes to streams with
  /// filters because there are more than 64 of them, events are kept until it has come by.
  ///
  /// - Parameter count: How many events are kept, at least 1; `.max` keeps all again.
  /// - Returns: The stream; ``lost`` counts what it had no room for.
  public func buffering(last count: Int) -> EventStream {
    keeping(count, BroadcastMachine.Policy.last)
  }

  /// The same stream, which from here on keeps the oldest so many events that have not been asked
  /// for: one that comes while they wait is lost.
  ///
  /// It applies as ``buffering(last:)`` does.
  ///
  /// - Parameter count: How many events are kept, at least 1; `.max` keeps all again.
  /// - Returns: The stream; ``lost`` counts what it had no room for.
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

  /// How many events were lost because they came while as many waited as the stream keeps.
  public var lost: Int { channel.lost }

  /// Waits for the next event that has not been handed out.
  ///
  /// - Returns: The event; `nil` once the stream has ended, or when the task is cancelled.
  nonisolated(nonsending) public func next() async -> Event? { await channel.next() }

  /// Waits for the next event, but not for ever.
  ///
  /// - Parameters:
  ///   - duration: How long to wait.
  ///   - clock: What measures that.
  /// - Returns: The event; `nil` once the time is up or the stream has ended, or when the task is
  ///   cancelled. An event that comes too late for this call is there for the next one.
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
      // Whichever comes first ends the other; one that was being handed over meanwhile is not lost.
      var event: Numbered<Event>?
      for await found in group {
        group.cancelAll()
        if let found { event = found }
      }
      return event
    }
  }

  /// Begins to iterate; all iterators share the stream.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// Hands out the events.
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
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The event; `nil` once the stream has ended, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      await channel.next()
    }
  }
}

/// What an ``EventStream`` reads from: while it is held, the stream is open.
final class EventChannel<Event: Sendable>: Sendable {
  private let slot: Int
  private let broadcast: Broadcast<Event>
  /// Called when the last stream of the broadcast has gone.
  private let deserted: (@Sendable () -> Void)?

  init(_ slot: Int, in broadcast: Broadcast<Event>, deserted: (@Sendable () -> Void)?) {
    self.slot = slot
    self.broadcast = broadcast
    self.deserted = deserted
  }

  deinit {
    let isDeserted = broadcast.leave(slot, isReleased: true)
    if isDeserted { deserted?() }
  }

  var lost: Int { broadcast.lost(slot) }

  func limit(to policy: BroadcastMachine.Policy) { broadcast.limit(slot, to: policy) }

  /// Takes the next event, for a task that may be a side of a race.
  nonisolated(nonsending) func next() async -> Event? {
    guard let side = RaceSide.current else { return await take()?.element }
    return await side.take({ await take() }, puttingBack: putBack)
  }

  nonisolated(nonsending) func take() async -> Numbered<Event>? { await broadcast.next(slot) }

  /// Takes the next event, if it is there.
  func takeNow() -> Numbered<Event>? {
    if case .deliver(let event, _) = broadcast.step(slot) { event } else { nil }
  }

  /// Puts an event that was taken before those that came after it.
  func putBack(_ event: Numbered<Event>) { broadcast.putBack(event, to: slot) }
}
