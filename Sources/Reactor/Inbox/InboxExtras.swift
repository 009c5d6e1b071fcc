/// What an inbox needs that has a limit, has been closed, or holds tracked actions.
///
/// Guard of every field: the lock of the ``ActionInbox`` it belongs to.
@usableFromInline
final class InboxExtras<Action: Sendable>: Sendable {
  let limit: InboxLimit
  /// With a limit, those who come before what waits, the first one last: one at a time is taken.
  nonisolated(unsafe) var front: [Action] = []
  /// The memberships of tracked actions that wait.
  nonisolated(unsafe) var tracked: [(number: UInt64, member: ChainMember)] = []
  /// Senders that wait for room.
  nonisolated(unsafe) var suspended = SuspendedSenders<Action>()
  /// How often the inbox has been opened again.
  nonisolated(unsafe) var life: UInt64 = 0
  /// Whether it was closed so that what runs comes to its end.
  nonisolated(unsafe) var isDraining = false

  @usableFromInline
  init(_ limit: InboxLimit) { self.limit = limit }

  func hasRoom(beside contents: InboxContents) -> Bool {
    contents.waiting.count + front.count < limit.count
  }

  func append(
    _ action: Action, _ member: ChainMember?, to contents: inout InboxContents
  ) -> ActionInbox<Action>.Admission {
    let accepted = contents.append(action)
    if let member {
      tracked.append((accepted.number, member))
      contents.hasTracked = true
    }
    return ActionInbox.Admission(accepted)
  }

  /// The first one that waits, if there is one, into an empty batch.
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
  func letSenderIn(to contents: inout InboxContents) -> SuspendedSender? {
    guard !contents.isClosed, let entry = suspended.popFirst() else { return nil }
    let admission = append(entry.action, entry.member, to: &contents)
    return SuspendedSender { entry.continuation.resume(returning: admission) }
  }

  /// Gives up those who come before what waits, and what is tracked.
  @usableFromInline
  func abandon(in inbox: borrowing ActionInbox<Action>) -> [Action] {
    let (front, tracked) = inbox.contents.withLock { _ in
      defer { (self.front, self.tracked) = ([], []) }
      return (self.front, self.tracked)
    }
    for (_, member) in tracked { member.leave() }
    return front.reversed()
  }
}
