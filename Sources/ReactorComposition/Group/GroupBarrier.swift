import ReactorRuntime

/// What waits for its turn to reach a reactor.
///
/// Guard of all of it: the lock of the ``GroupOrder``.
protocol GroupQueueItem: AnyObject, Sendable {
  /// It is first in the queue of a member: goes on from there, if it can, and out of the queue.
  ///
  /// - Returns: Other members at which something may go on; `nil` where it has to wait.
  func advance(from member: GroupMember, _ deferred: inout DeferredWork) -> [GroupMember]?
}

extension GroupMember {
  /// Advances what can go on at some members, and wherever that leads.
  static func advance(at members: [GroupMember], _ deferred: inout DeferredWork) {
    var open = members
    while let member = open.popLast() {
      while let others = member.first?.advance(from: member, &deferred) { open += others }
    }
  }
}

/// A place in the order that is passed by all of some members at once.
///
/// `@unchecked`. Guard of every field that varies: the lock of the order.
final class GroupBarrier: GroupQueueItem, @unchecked Sendable {
  private let members: [GroupMember]
  /// At which of them everything before it has gone.
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

  /// Does something under the lock when everything sent before has reached all of some members, and
  /// before anything that is sent later; at once, as a rule.
  ///
  /// - Parameters:
  ///   - members: The members, each of them once.
  ///   - begin: Called first, under the lock: what is done here is known to all that is sent later.
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
