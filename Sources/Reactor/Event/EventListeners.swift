import Synchronization

/// Who has opened a stream of the same events: nobody as a rule, and then there is no audience.
///
/// A plain value, in one word of memory. The one who holds it sees to its lock, and knows whether
/// more events will come.
@usableFromInline
struct EventListeners<Event: Sendable>: Sendable {
  /// Whom to tell of an event, outside the lock.
  private(set) var audience: EventAudience<Event>?

  @usableFromInline
  init() {}

  /// Makes the audience, if there is none.
  private mutating func gather() -> EventAudience<Event> {
    let gathered = audience ?? EventAudience()
    audience = gathered
    return gathered
  }

  /// Opens a stream of what comes from now on.
  ///
  /// - Parameters:
  ///   - number: Its number, which is higher than those of earlier ones.
  ///   - isIncluded: What it has; everything, if there is no such function.
  ///   - isFinished: Whether nothing more will come.
  ///   - deserted: Called when the last stream of the audience has gone.
  /// - Returns: Its channel.
  mutating func open(
    _ number: UInt64, _ isIncluded: (@Sendable (Event) -> Bool)?, isFinished: Bool,
    deserted: (@Sendable () -> Void)? = nil
  ) -> EventChannel<Event> {
    let audience = isFinished ? EventAudience(isFinished: true) : gather()
    return EventChannel(audience.open(number, isIncluded), in: audience, deserted: deserted)
  }

  /// Lets the audience go, if nobody is left in it.
  ///
  /// - Returns: It, to be released outside the lock.
  mutating func leave() -> EventAudience<Event>? {
    guard let audience, audience.isEmpty else { return nil }
    self.audience = nil
    return audience
  }

  /// Nothing more will come.
  ///
  /// - Returns: The audience, to be told so outside the lock.
  @usableFromInline
  mutating func finish() -> EventAudience<Event>? {
    defer { audience = nil }
    return audience
  }
}

/// Numbers for streams, in the order in which they are opened, whatever they are streams of.
enum EventNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
