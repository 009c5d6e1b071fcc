public import Synchronization

/// Everybody who has opened a stream of the same events.
///
/// Holds: `contents`, guarded by its own lock; `latest`, which says without it whether there are
/// some.
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
  ///
  /// - Parameter isIncluded: What it has; everything, if there is none.
  /// - Returns: The stream.
  func open(_ isIncluded: (@Sendable (Event) -> Bool)?) -> EventStream<Event> {
    let channel = contents.withLock { contents -> EventChannel<Event> in
      let number = EventNumbers.next()
      let audience = contents.isFinished ? EventAudience(isFinished: true) : contents.gather()
      let place = audience.open(number, isIncluded)
      if !contents.isFinished { latest.store(number, ordering: .releasing) }
      return EventChannel(place, in: audience)
    }
    return EventStream(channel: channel)
  }

  /// Tells everybody of an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - latest: The stream that was opened last before the event; later ones are not told.
  @usableFromInline
  func tell(_ event: Event, openedUpTo latest: UInt64 = .max) {
    let (audience, tap) = contents.withLock { contents in
      let audience = contents.audience
      if let audience, audience.isEmpty {
        contents.audience = nil
        self.latest.store(0, ordering: .releasing)
      }
      return (contents.audience, audience?.tap)
    }
    audience?.tell(event, openedUpTo: latest)
    tap?(event)
  }

  /// Has every event told to a test.
  func tap(_ tap: @escaping @Sendable (Event) -> Void) {
    contents.withLock { contents in
      contents.gather().tap = tap
      latest.store(EventNumbers.next(), ordering: .releasing)
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
    contents.withLock { contents in
      guard contents.audience === audience else { return }
      // A test goes on hearing; its audience is another now.
      contents.audience = audience.tap.map(EventAudience.init(tap:))
      if contents.audience == nil { latest.store(0, ordering: .releasing) }
    }
    audience.finish()
  }

  /// More will come after all.
  func reopen() { contents.withLock { $0.isFinished = false } }
}

/// Numbers for streams, in the order in which they are opened, whatever they are streams of.
private enum EventNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
