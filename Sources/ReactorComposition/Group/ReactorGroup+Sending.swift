import ReactorRuntime

extension ReactorGroup {
  /// Calls the members' closures before the lock, admits the action under it, and does the rest
  /// after it.
  @inlinable
  func send(_ action: Action, to members: [GroupEntry<Action>]) -> GroupReceipt {
    var deliveries: [GroupDelivery] = []
    for member in members {
      if let delivery = member.deliver(action) { deliveries.append(delivery) }
    }
    if !deliveries.isEmpty { GroupDelivery.send(deliveries, delivery) }
    return GroupReceipt(deliveries)
  }
}

extension GroupDelivery {
  @usableFromInline
  static func send(_ deliveries: [GroupDelivery], _ mode: GroupDeliveryMode) {
    GroupOrder.withLock { deferred in
      switch mode {
      case .toEach:
        guard deliveries.allSatisfy(\.member.admitsDirectly) else {
          return enqueue(deliveries, &deferred)
        }
        for delivery in deliveries { delivery.admit() }
      case .allOrNone:
        guard admit(deliveries[...], ifAll: true) else { return }
        enqueue(deliveries.filter { !$0.member.admitsDirectly }, &deferred)
      }
    }
    for delivery in deliveries { delivery.complete() }
  }

  /// Locks the inbox of the first member, then those of the rest, and decides when all are locked.
  ///
  /// Two senders cannot lock inboxes in a cycle, since both need the lock of the order. For members
  /// that have to wait for their turn, only whether they could accept the action is checked.
  ///
  /// - Returns: Whether all members could accept it.
  private static func admit(_ deliveries: ArraySlice<GroupDelivery>, ifAll isGoing: Bool) -> Bool {
    guard let first = deliveries.first else { return isGoing }
    var isGoing = isGoing
    first.admit { isAcceptable in
      isGoing = admit(deliveries.dropFirst(), ifAll: isGoing && isAcceptable)
      return isGoing && first.member.admitsDirectly
    }
    return isGoing
  }
}
