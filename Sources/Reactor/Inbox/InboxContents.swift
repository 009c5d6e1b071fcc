/// What waits for a reactor, whatever kind of action it takes.
@usableFromInline
struct InboxContents: Sendable {
  @usableFromInline var waiting = ActionBuffer()
  /// How many actions have been accepted: the next one's number.
  @usableFromInline var accepted: UInt64 = 0
  /// Whether a job that will drain the inbox exists.
  @usableFromInline var isScheduled = false
  @usableFromInline var door = Door.open
  /// Whether there is no limit, and no action brings anything along unless it is tracked.
  @usableFromInline let isPlain: Bool
  /// Whether some of what waits has brought something along.
  @usableFromInline var hasCompanions = false

  @usableFromInline
  enum Door: UInt8, Sendable {
    case open
    case closed
    /// Closed so that what runs is to come to its end.
    case draining
  }

  @inlinable
  init(isPlain: Bool) { self.isPlain = isPlain }

  @inlinable var isClosed: Bool { door.rawValue != Door.open.rawValue }

  /// Accepts an action.
  @inlinable
  mutating func append<Action>(
    _ action: Action
  ) -> (number: UInt64, isFirst: Bool) {
    waiting.append(action)
    defer {
      accepted &+= 1
      isScheduled = true
    }
    return (accepted, !isScheduled)
  }
}

/// What became of an action at the door.
@usableFromInline
enum InboxAdmission: Sendable {
  /// Accepted; a job that will take it exists already.
  case queued(UInt64)
  /// Accepted, and the caller has to see to it that the reactor drains its inbox.
  case wake(UInt64)
  /// Closed.
  case refused
  case full
  /// The sender was cancelled while it waited for room.
  case cancelled

  @inlinable
  init(_ accepted: (number: UInt64, isFirst: Bool)) {
    self = accepted.isFirst ? .wake(accepted.number) : .queued(accepted.number)
  }
}
