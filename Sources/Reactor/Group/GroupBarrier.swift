/// A place in the order that is passed by all members at once.
final class GroupBarrier: GroupLineItem {
  let seats: [GroupSeat]
  /// At which of them everything before it has gone.
  private let arrived = Guarded<Set<ObjectIdentifier>>([])
  /// Called under the lock, when that is so for all.
  let pass: @Sendable (inout GroupErrands) -> Void

  init(_ seats: [GroupSeat], pass: @escaping @Sendable (inout GroupErrands) -> Void) {
    self.seats = seats
    self.pass = pass
  }

  func advance(from seat: GroupSeat, _ errands: inout GroupErrands) -> [GroupSeat]? {
    let count = arrived.withLock { arrived in
      arrived.insert(ObjectIdentifier(seat))
      return arrived.count
    }
    guard count == seats.count else { return nil }
    pass(&errands)
    for seat in seats { _ = seat.removeFirst() }
    errands.add { withExtendedLifetime(self) {} }
    return seats
  }
}

extension GroupSeat {
  /// Has something done under the lock when everything sent before has reached all of these seats,
  /// and before anything that is sent later; at once, as a rule.
  ///
  /// - Parameters:
  ///   - seats: The seats.
  ///   - order: Theirs.
  ///   - begin: Called first, under the lock: what is done here is known to all that is sent later.
  ///   - body: Called under the lock.
  static func pass(
    _ seats: [GroupSeat], in order: GroupOrder, after begin: () -> Void = {},
    _ body: @escaping @Sendable (inout GroupErrands) -> Void
  ) {
    var errands = GroupErrands()
    order.withLock {
      begin()
      let barrier = GroupBarrier(seats, pass: body)
      if seats.isEmpty { body(&errands) }
      for seat in seats { seat.append(barrier) }
      advance(at: seats, &errands)
    }
    errands.run()
  }
}
