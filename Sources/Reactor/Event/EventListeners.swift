import Synchronization

/// Who has opened a stream of the same events: nobody as a rule, and then there is no audience.
///
/// A plain value, in one word of memory. The one who holds it sees to its lock, and knows whether
/// more events will come.
@usableFromInline
struct EventListeners<Event: Sendable>: Sendable {
  private(set) var audience: EventAudience<Event>?

  @usableFromInline
  init() {}

  /// Whom to tell of an event, outside the lock.
  var toTell: EventTelling<Event>? {
    audience.map { EventTelling(audience: $0, tap: $0.tap) }
  }

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

  /// Has every event told to a test.
  mutating func tap(_ tap: @escaping @Sendable (Event) -> Void) { gather().tap = tap }

  /// Nothing more will come.
  ///
  /// - Returns: The audience, to be told so outside the lock.
  @usableFromInline
  mutating func finish() -> EventAudience<Event>? {
    let finished = audience
    // A test goes on hearing; its audience is another now.
    audience = finished?.tap.map(EventAudience.init(tap:))
    return finished
  }
}

/// Whom to tell of an event: an audience, and a test if one hears it.
struct EventTelling<Event: Sendable>: Sendable {
  let audience: EventAudience<Event>
  let tap: (@Sendable (Event) -> Void)?

  /// - Parameters:
  ///   - event: The event.
  ///   - latest: The stream that was opened last before the event; later ones are not told.
  func tell(_ event: Event, openedUpTo latest: UInt64 = .max) {
    audience.tell(event, openedUpTo: latest)
    tap?(event)
  }
}

/// Numbers for streams, in the order in which they are opened, whatever they are streams of.
enum EventNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
