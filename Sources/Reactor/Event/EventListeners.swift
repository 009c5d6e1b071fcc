import Synchronization

/// The streams of one kind of events of a reactor: none as a rule, and then there is no broadcast.
///
/// A plain value, in one word of memory. What holds it sees to its lock.
@usableFromInline
enum EventListeners<Event: Sendable>: Sendable {
  case none
  case some(Broadcast<Event>)
  /// Nothing more will come.
  case over

  /// Where an event is published, outside the lock.
  @inlinable var broadcast: Broadcast<Event>? {
    if case .some(let broadcast) = self { broadcast } else { nil }
  }

  @usableFromInline var isNone: Bool { if case .none = self { true } else { false } }

  /// Opens a stream of what comes from now on.
  ///
  /// - Parameters:
  ///   - number: Its number, which is higher than those of earlier ones.
  ///   - isIncluded: What it has; everything, if there is no such function.
  ///   - deserted: Called when the last stream has gone.
  /// - Returns: The stream.
  mutating func open(
    _ number: UInt64, _ isIncluded: (@Sendable (Event) -> Bool)?,
    deserted: @escaping @Sendable () -> Void
  ) -> EventStream<Event> {
    let opened: Broadcast<Event>
    switch self {
    case .some(let broadcast): opened = broadcast
    case .over: opened = Broadcast(hasValues: false, isFinished: true)
    case .none:
      opened = Broadcast(hasValues: false)
      self = .some(opened)
    }
    return EventStream(opened, number: number, where: isIncluded, deserted: deserted)
  }

  /// Lets the broadcast go, if no stream is left.
  ///
  /// - Returns: It, to be released outside the lock.
  mutating func leave() -> Broadcast<Event>? {
    guard let broadcast, broadcast.isDeserted else { return nil }
    self = .none
    return broadcast
  }

  /// Nothing more will come.
  ///
  /// - Returns: The broadcast, to be finished outside the lock.
  mutating func finish() -> Broadcast<Event>? {
    defer { self = .over }
    return broadcast
  }
}

/// Numbers for streams, in the order in which they are opened, whatever they are streams of.
enum EventNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
