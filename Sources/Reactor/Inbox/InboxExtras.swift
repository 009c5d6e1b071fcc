/// What an inbox needs that has a limit, or holds actions that bring something along.
///
/// `@unchecked`. Guard of every field that varies: the lock of the ``ActionInbox`` it belongs to.
@usableFromInline
final class InboxExtras<Action: Sendable>: @unchecked Sendable {
  /// Where an inbox's are, or are to be.
  @usableFromInline typealias Place = UnsafeMutablePointer<InboxExtras?>

  @usableFromInline let limit: InboxLimit
  /// The task-local values that are brought along: the one place that knows which.
  @usableFromInline let carried: TaskLocals
  /// With a limit, those who come before what waits, the first one last: one at a time is taken.
  @usableFromInline var front: [Action] = []
  /// What the actions that wait bring along.
  @exclusivity(unchecked) @usableFromInline var companions: [ActionCompanion] = []
  /// Senders that wait for room.
  @usableFromInline var suspended = SuspendedSenders<Action>()

  @usableFromInline
  init(_ limit: InboxLimit, carrying carried: TaskLocals = .none) {
    self.limit = limit
    self.carried = carried
  }

  /// Those that are there, or new ones.
  @inlinable
  static func made(at place: Place) -> InboxExtras {
    if let made = place.pointee { return made }
    let made = InboxExtras(.unlimited)
    place.pointee = made
    return made
  }

  /// Whether they were made for an action that has left the inbox.
  @inlinable var isTransient: Bool { limit.isUnlimited && carried.isEmpty && companions.isEmpty }

  @inlinable
  func hasRoom(beside contents: InboxContents) -> Bool { hasRoom(for: 1, beside: contents) }

  @inlinable
  func hasRoom(for count: Int, beside contents: InboxContents) -> Bool {
    limit.count - contents.waiting.count - front.count >= count
  }

  @inlinable
  func append(
    _ action: Action, _ luggage: ActionLuggage?, to contents: inout InboxContents
  ) -> InboxAdmission {
    let accepted = contents.append(action)
    if let luggage {
      companions.append(ActionCompanion(number: accepted.number, luggage: luggage))
      contents.hasCompanions = true
    }
    return InboxAdmission(accepted)
  }

  /// The first one that waits, if there is one, into an empty batch.
  @usableFromInline
  func moveFirst(of contents: inout InboxContents, into batch: inout ActionBuffer) -> Bool {
    if front.isEmpty {
      front = contents.waiting.takeAll(Action.self)
      front.reverse()
    }
    // Moved out rather than copied: the last reference to an action must not go inside the lock.
    guard let action = front.popLast() else { return false }
    batch.append(action)
    return true
  }

  /// There is room for one more: the first sender that waits for it is let in.
  @usableFromInline
  func letSenderIn(to contents: inout InboxContents) -> SuspendedSender? {
    guard !contents.isClosed, let entry = suspended.popFirst() else { return nil }
    let admission = append(entry.action, entry.luggage, to: &contents)
    return SuspendedSender { entry.continuation.resume(returning: admission) }
  }

  /// Gives up those who come before what waits, and what they bring along.
  @usableFromInline
  func abandon(under lock: borrowing Guarded<InboxContents>) -> [Action] {
    let (front, companions) = lock.withLock { _ in
      defer { (self.front, self.companions) = ([], []) }
      return (self.front, self.companions)
    }
    for companion in companions { companion.luggage.member?.leave() }
    return front.reversed()
  }
}
