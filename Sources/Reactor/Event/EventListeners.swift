import Synchronization

/// The streams of one kind of events of a reactor.
///
/// Usually there are none, and then there is no broadcast.
///
/// A plain value, in one word of memory. Its owner guards it with a lock.
@usableFromInline
enum EventListeners<Event: Sendable>: Sendable {
  case none
  case some(Broadcast<Event>)
  /// Nothing more will be published.
  case over

  /// Publishes the events, outside the lock.
  @inlinable var broadcast: Broadcast<Event>? {
    if case .some(let broadcast) = self { broadcast } else { nil }
  }

  @usableFromInline var isNone: Bool { if case .none = self { true } else { false } }

  /// Opens a stream of the events from now on.
  ///
  /// - Parameters:
  ///   - number: Its number, which is higher than those of earlier ones.
  ///   - isIncluded: Returns whether the stream has an event; if it is `nil`, all.
  ///   - onLastRelease: Called when the last stream has been released.
  /// - Returns: The stream.
  mutating func open(
    _ number: UInt64, _ isIncluded: (@Sendable (Event) -> Bool)?,
    onLastRelease: @escaping @Sendable () -> Void
  ) -> EventStream<Event> {
    let opened: Broadcast<Event>
    switch self {
    case .some(let broadcast): opened = broadcast
    case .over: opened = Broadcast(hasValues: false, isFinished: true)
    case .none:
      opened = Broadcast(hasValues: false)
      self = .some(opened)
    }
    return EventStream(opened, number: number, where: isIncluded, onLastRelease: onLastRelease)
  }

  /// Removes the broadcast if no stream is left.
  ///
  /// - Returns: The broadcast, to be released outside the lock.
  mutating func releaseUnneeded() -> Broadcast<Event>? {
    guard let broadcast, broadcast.isUnneeded else { return nil }
    self = .none
    return broadcast
  }

  /// Nothing more will be published.
  ///
  /// - Returns: The broadcast, to be finished outside the lock.
  mutating func finish() -> Broadcast<Event>? {
    defer { self = .over }
    return broadcast
  }
}

/// Numbers for streams of all kinds, in the order in which they are opened.
enum EventNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
