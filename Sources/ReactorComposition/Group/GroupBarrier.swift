import ReactorRuntime

/// An item in the queue of a member.
///
/// Guard of all of it: the lock of the ``GroupOrder``.
protocol GroupQueueItem: AnyObject, Sendable {
  /// Called when the item is the first in the queue of a member: advances it and removes it from
  /// the queue, if it need not wait.
  ///
  /// - Returns: Other members whose queues may advance now; `nil` if the item has to wait.
  func advance(from member: GroupMember, _ deferred: inout DeferredWork) -> [GroupMember]?
}

extension GroupMember {
  /// Advances the queues of some members, and all queues that may advance as a result.
  static func advance(at members: [GroupMember], _ deferred: inout DeferredWork) {
    var open = members
    while let member = open.popLast() {
      while let others = member.first?.advance(from: member, &deferred) { open += others }
    }
  }
}

/// A position in the order that several members pass at the same time.
///
/// `@unchecked`. Guard of every mutable field: the lock of the order.
final class GroupBarrier: GroupQueueItem, @unchecked Sendable {
  private let members: [GroupMember]
  /// The members at which everything before the barrier has been delivered.
  private var arrived: Set<ObjectIdentifier> = []
  private let pass: @Sendable (inout DeferredWork) -> Void

  private init(_ members: [GroupMember], _ pass: @escaping @Sendable (inout DeferredWork) -> Void) {
    self.members = members
    self.pass = pass
  }

  func advance(from member: GroupMember, _ deferred: inout DeferredWork) -> [GroupMember]? {
    arrived.insert(member.id)
    guard arrived.count == members.count else { return nil }
    pass(&deferred)
    deferred.add { withExtendedLifetime(self) {} }
    for member in members { member.removeFirst() }
    return members
  }

  /// Runs a closure under the lock after everything sent before has reached all of some members,
  /// and before anything that is sent later.
  ///
  /// As a rule that is at once.
  ///
  /// - Parameters:
  ///   - members: The members, each of them once.
  ///   - begin: Called first, under the lock; what it changes is visible to everything sent later.
  ///   - body: Called under the lock.
  static func pass(
    _ members: [GroupMember], after begin: () -> Void = {},
    _ body: @escaping @Sendable (inout DeferredWork) -> Void
  ) {
    GroupOrder.withLock { deferred in
      begin()
      if members.isEmpty { return body(&deferred) }
      let barrier = GroupBarrier(members, body)
      for member in members { member.append(barrier) }
      GroupMember.advance(at: members, &deferred)
    }
  }
}
