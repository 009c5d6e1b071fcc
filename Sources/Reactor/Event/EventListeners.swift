public import Synchronization

/// Everybody who has opened a stream of the same events.
///
/// Holds: `contents`, guarded by its own lock; `latest`, which says without it whether there are some.
@usableFromInline
struct EventListeners<Event: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  struct Contents: Sendable {
    /// Made for the first who listens: nearly every reactor has nobody.
    @usableFromInline var audience: EventAudience<Event>?
    @usableFromInline var isFinished = false

    @inlinable
    init() {}

    /// Makes the audience, if there is none.
    mutating func gather() -> EventAudience<Event> {
      let gathered = audience ?? EventAudience()
      audience = gathered
      return gathered
    }
  }

  @usableFromInline let contents: Guarded<Contents>
  /// The number of the stream that was opened last; 0 while there are none.
  @usableFromInline let latest: Atomic<UInt64>

  @inlinable
  init() {
    contents = Guarded(Contents())
    latest = Atomic(0)
  }

  /// Opens a stream of what comes from now on.
  func open(_ isIncluded: @escaping @Sendable (Event) -> Bool) -> EventStream<Event> {
    let channel = EventChannel(isIncluded)
    let isFinished = contents.withLock { contents in
      if !contents.isFinished {
        latest.store(contents.gather().add(channel), ordering: .releasing)
      }
      return contents.isFinished
    }
    if isFinished { channel.finish() }
    return EventStream(channel: channel)
  }

  /// Tells everybody of an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - latest: The stream that was opened last before the event; later ones are not told.
  @usableFromInline
  func tell(_ event: Event, openedUpTo latest: UInt64 = .max) {
    let (channels, tap) = contents.withLock {
      contents -> ([EventChannel<Event>], (@Sendable (Event) -> Void)?) in
      guard let audience = contents.audience else { return ([], nil) }
      let told = audience.present(openedUpTo: latest)
      if audience.isEmpty { self.latest.store(0, ordering: .releasing) }
      return (told, audience.tap)
    }
    for channel in channels { channel.tell(event) }
    tap?(event)
  }

  /// Has every event told to a test.
  func tap(_ tap: @escaping @Sendable (Event) -> Void) {
    contents.withLock { contents in
      latest.store(contents.gather().add(tap), ordering: .releasing)
    }
  }

  /// Nothing more will come.
  @inlinable
  func finish() {
    let audience = contents.withLock { contents in
      contents.isFinished = true
      return contents.audience
    }
    if let audience { finish(audience) }
  }

  @usableFromInline
  func finish(_ audience: EventAudience<Event>) {
    let channels = contents.withLock { _ in audience.leave() }
    for channel in channels { channel.finish() }
  }

  /// More will come after all.
  func reopen() { contents.withLock { $0.isFinished = false } }
}

/// Who listens, and who did.
///
/// Guard of every field: the lock of the ``EventListeners`` it belongs to.
@usableFromInline
final class EventAudience<Event: Sendable>: Sendable {
  /// Weak, so that a stream that nobody holds any longer is not fed.
  private struct Weak: Sendable {
    weak var channel: EventChannel<Event>?
    let number: UInt64
  }

  private nonisolated(unsafe) var channels: [Weak] = []
  private nonisolated(unsafe) var lastNumber: UInt64 = 0
  /// A test that hears everything.
  nonisolated(unsafe) private(set) var tap: (@Sendable (Event) -> Void)?

  var isEmpty: Bool { channels.isEmpty && tap == nil }

  func add(_ channel: EventChannel<Event>) -> UInt64 {
    channels.removeAll { $0.channel == nil }
    lastNumber += 1
    channels.append(Weak(channel: channel, number: lastNumber))
    return lastNumber
  }

  func add(_ tap: @escaping @Sendable (Event) -> Void) -> UInt64 {
    self.tap = tap
    lastNumber += 1
    return lastNumber
  }

  /// Those who are still there and came no later.
  func present(openedUpTo latest: UInt64) -> [EventChannel<Event>] {
    channels.removeAll { $0.channel == nil }
    return channels.compactMap { $0.number <= latest ? $0.channel : nil }
  }

  func leave() -> [EventChannel<Event>] {
    defer { channels = [] }
    return channels.compactMap(\.channel)
  }
}
