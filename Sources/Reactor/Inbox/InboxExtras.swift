/// What an inbox needs that has a limit, has been closed, or holds actions that bring something
/// along.
///
/// Guard of every field: the lock of the ``ActionInbox`` it belongs to.
@usableFromInline
final class InboxExtras<Action: Sendable>: Sendable {
  let limit: InboxLimit
  /// The task-local values that are brought along: the one place that knows which.
  let carried: TaskLocals
  /// With a limit, those who come before what waits, the first one last: one at a time is taken.
  nonisolated(unsafe) var front: [Action] = []
  /// What the actions that wait bring along.
  nonisolated(unsafe) var companions: [ActionCompanion] = []
  /// Senders that wait for room.
  nonisolated(unsafe) var suspended = SuspendedSenders<Action>()
  /// How often the inbox has been opened again.
  nonisolated(unsafe) var life: UInt64 = 0
  /// Whether it was closed so that what runs comes to its end.
  nonisolated(unsafe) var isDraining = false

  @usableFromInline
  init(_ limit: InboxLimit, carrying carried: TaskLocals = .none) {
    self.limit = limit
    self.carried = carried
  }

  /// What an action brings along that the caller sends; not under the lock, as it may copy
  /// anything.
  func luggage(_ member: ChainMember?) -> ActionLuggage? {
    ActionLuggage(member, carried.capture())
  }

  func hasRoom(beside contents: InboxContents) -> Bool {
    contents.waiting.count + front.count < limit.count
  }

  func append(
    _ action: Action, _ luggage: ActionLuggage?, to contents: inout InboxContents
  ) -> ActionInbox<Action>.Admission {
    let accepted = contents.append(action)
    if let luggage {
      companions.append(ActionCompanion(number: accepted.number, luggage: luggage))
      contents.hasCompanions = true
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
    let admission = append(entry.action, entry.luggage, to: &contents)
    return SuspendedSender { entry.continuation.resume(returning: admission) }
  }

  /// Gives up those who come before what waits, and what they bring along.
  @usableFromInline
  func abandon(in inbox: borrowing ActionInbox<Action>) -> [Action] {
    let (front, companions) = inbox.contents.withLock { _ in
      defer { (self.front, self.companions) = ([], []) }
      return (self.front, self.companions)
    }
    for companion in companions { companion.luggage.member?.leave() }
    return front.reversed()
  }
}

/// What an action brings along into the inbox: the membership in its chain, and its sender's
/// task-local values.
@usableFromInline
struct ActionLuggage: Sendable {
  let member: ChainMember?
  let values: (any CarriedValue)?

  /// `nil` where there is nothing.
  @usableFromInline
  init?(_ member: ChainMember?, _ values: (any CarriedValue)?) {
    if member == nil, values == nil { return nil }
    self.member = member
    self.values = values
  }

  var context: ActionContext { ActionContext(chain: member?.chain, values: values) }
}

/// What stands beside one of the actions that wait.
@usableFromInline
struct ActionCompanion: Sendable {
  let number: UInt64
  let luggage: ActionLuggage
}
