/// Events from the moment the stream was opened: the actions a reactor takes, its outputs, or what an
/// ``EventBroadcaster`` sends.
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
/// **Order**: as sent. What nobody has asked for yet is kept, without a limit. Several tasks may ask:
/// each event goes to one of them, first come first served. Everybody who wants all of them opens a
/// stream of their own.
///
/// **Ends** when what it listens to does, which it does not prevent; what is kept can still be asked
/// for. A stream that nobody holds is closed.
///
/// redux-saga's `take` and `actionChannel` in one; opened before it is awaited, it loses nothing.
public struct EventStream<Event: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = Event
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let channel: EventChannel<Event>

  /// Waits for the next event that has not been handed out.
  ///
  /// - Returns: The event; `nil` once the stream has ended, or when the task is cancelled.
  public func next() async -> Event? { await channel.next() }

  /// Waits for the next event, but not for ever.
  ///
  /// - Parameters:
  ///   - duration: How long to wait.
  ///   - clock: What measures that.
  /// - Returns: The event; `nil` once the time is up or the stream has ended, or when the task is
  ///   cancelled. An event that comes too late for this call is there for the next one.
  public func next(within duration: Duration, clock: any Clock<Duration>) async -> Event? {
    let channel = channel
    return await withTaskGroup(of: Event?.self) { group in
      group.addImmediateTask { await channel.next() }
      group.addImmediateTask {
        try? await clock.sleep(for: duration)
        return nil
      }
      // Whichever comes first ends the other; one that was being handed over meanwhile is not lost.
      var event: Event?
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
    public mutating func next() async -> Event? { await channel.next() }

    /// Waits for the next event.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The event; `nil` once the stream has ended, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
      await channel.next()
    }
  }
}

/// What an ``EventStream`` reads from: events that wait for tasks, or tasks that wait for events.
///
/// Holds: `contents`, guarded by its own lock; continuations are resumed outside it.
@usableFromInline
final class EventChannel<Event: Sendable>: Sendable {
  private struct Contents: Sendable {
    /// From `head` on; those before have been handed out, and are let go by whoever got them.
    var waiting: [Event?] = []
    var head = 0
    var consumers: [(id: Int, continuation: CheckedContinuation<Event?, Never>)] = []
    var nextID = 0
    var isFinished = false

    mutating func popFirst() -> Event? {
      guard head < waiting.count else { return nil }
      defer {
        head += 1
        if head == waiting.count || head >= 512 {
          waiting.removeFirst(head)
          head = 0
        }
      }
      return waiting[head].take()
    }
  }

  private let contents = Guarded(Contents())
  private let isIncluded: @Sendable (Event) -> Bool

  init(_ isIncluded: @escaping @Sendable (Event) -> Bool) { self.isIncluded = isIncluded }

  /// Offers an event.
  func tell(_ event: Event) {
    guard isIncluded(event) else { return }
    let consumer = contents.withLock { contents -> CheckedContinuation<Event?, Never>? in
      guard !contents.isFinished else { return nil }
      guard contents.consumers.isEmpty else { return contents.consumers.removeFirst().continuation }
      contents.waiting.append(event)
      return nil
    }
    consumer?.resume(returning: event)
  }

  /// Nothing more will come; what waits can still be asked for.
  func finish() {
    let consumers = contents.withLock { contents in
      contents.isFinished = true
      defer { contents.consumers = [] }
      return contents.consumers
    }
    for consumer in consumers { consumer.continuation.resume(returning: nil) }
  }

  func next() async -> Event? {
    let id = contents.withLock { contents in
      contents.nextID += 1
      return contents.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let found = contents.withLock { contents -> Event?? in
          if Task.isCancelled { return .some(nil) }
          if let event = contents.popFirst() { return event }
          if contents.isFinished { return .some(nil) }
          contents.consumers.append((id, continuation))
          return nil
        }
        if let found { continuation.resume(returning: found) }
      }
    } onCancel: {
      let consumer = contents.withLock { contents -> CheckedContinuation<Event?, Never>? in
        let place = contents.consumers.firstIndex { $0.id == id }
        return place.map { contents.consumers.remove(at: $0).continuation }
      }
      consumer?.resume(returning: nil)
    }
  }
}
