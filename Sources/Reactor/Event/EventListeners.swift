public import Synchronization

/// Everybody who has opened a stream of the same events.
///
/// Holds: `contents`, guarded by its own lock; `latest`, which says without it whether there are some.
@usableFromInline
struct EventListeners<Event: Sendable>: ~Copyable, Sendable {
  struct Contents: Sendable {
    var channels: [Weak] = []
    var lastNumber: UInt64 = 0
    /// A test that hears everything.
    var tap: (@Sendable (Event) -> Void)?
    var isFinished = false
  }

  /// Weak, so that a stream that nobody holds any longer is not fed.
  struct Weak: Sendable {
    weak var channel: EventChannel<Event>?
    let number: UInt64
  }

  private let contents = Guarded(Contents())
  /// The number of the stream that was opened last; 0 while there are none.
  @usableFromInline let latest = Atomic<UInt64>(0)

  @usableFromInline
  init() {}

  /// Opens a stream of what comes from now on.
  func open(_ isIncluded: @escaping @Sendable (Event) -> Bool) -> EventStream<Event> {
    let channel = EventChannel(isIncluded)
    let isFinished = contents.withLock { contents in
      contents.channels.removeAll { $0.channel == nil }
      if !contents.isFinished {
        contents.lastNumber += 1
        contents.channels.append(Weak(channel: channel, number: contents.lastNumber))
        latest.store(contents.lastNumber, ordering: .releasing)
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
    let (channels, tap) = contents.withLock { contents in
      contents.channels.removeAll { $0.channel == nil }
      let hasNone = contents.channels.isEmpty && contents.tap == nil
      if hasNone { self.latest.store(0, ordering: .releasing) }
      let told = contents.channels.compactMap { $0.number <= latest ? $0.channel : nil }
      return (told, contents.tap)
    }
    for channel in channels { channel.tell(event) }
    tap?(event)
  }

  /// Has every event told to a test.
  func tap(_ tap: @escaping @Sendable (Event) -> Void) {
    contents.withLock { contents in
      contents.tap = tap
      contents.lastNumber += 1
      latest.store(contents.lastNumber, ordering: .releasing)
    }
  }

  /// Nothing more will come.
  func finish() {
    let channels = contents.withLock { contents in
      contents.isFinished = true
      defer { contents.channels = [] }
      return contents.channels.compactMap(\.channel)
    }
    for channel in channels { channel.finish() }
  }

  /// More will come after all.
  func reopen() { contents.withLock { $0.isFinished = false } }
}
