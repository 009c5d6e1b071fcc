public import Synchronization

/// Everybody who has opened a stream of the same events.
///
/// Holds: `contents`, guarded by its own lock; `hasAny`, which says without it whether there are some.
@usableFromInline
struct EventListeners<Event: Sendable>: ~Copyable, Sendable {
  struct Contents: Sendable {
    var channels: [Weak] = []
    var isFinished = false
  }

  /// Weak, so that a stream that nobody holds any longer is not fed.
  struct Weak: Sendable {
    weak var channel: EventChannel<Event>?
  }

  private let contents = Guarded(Contents())
  @usableFromInline let hasAny = Atomic(false)

  @usableFromInline
  init() {}

  /// Opens a stream of what comes from now on.
  func open(_ isIncluded: @escaping @Sendable (Event) -> Bool) -> EventStream<Event> {
    let channel = EventChannel(isIncluded)
    let isFinished = contents.withLock { contents in
      contents.channels.removeAll { $0.channel == nil }
      if !contents.isFinished {
        contents.channels.append(Weak(channel: channel))
        hasAny.store(true, ordering: .releasing)
      }
      return contents.isFinished
    }
    if isFinished { channel.finish() }
    return EventStream(channel: channel)
  }

  /// Tells everybody of an event.
  @usableFromInline
  func tell(_ event: Event) {
    let channels = contents.withLock { contents in
      contents.channels.removeAll { $0.channel == nil }
      if contents.channels.isEmpty { hasAny.store(false, ordering: .releasing) }
      return contents.channels.compactMap(\.channel)
    }
    for channel in channels { channel.tell(event) }
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
