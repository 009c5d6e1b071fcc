extension ReactorGroup {
  /// A member that wants the action, and where its letter lies.
  @usableFromInline
  struct Hit {
    @usableFromInline let entry: Unmanaged<GroupEntry<Action>>
    @usableFromInline let place: UnsafeMutableRawPointer

    @inlinable
    init(_ entry: GroupEntry<Action>, _ place: UnsafeMutableRawPointer) {
      self.entry = Unmanaged.passUnretained(entry)
      self.place = place
    }
  }

  @inlinable
  func send(_ action: Action, to members: [GroupEntry<Action>]) -> GroupReceipt {
    if members.isEmpty { return GroupReceipt([]) }
    // The list holds the members for as long as this takes.
    return withExtendedLifetime(members) {
      withUnsafeTemporaryAllocation(of: Hit.self, capacity: members.count) { hits in
        var room = 0
        for member in members { room += member.room }
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: LetterRoom.alignment) {
          send(action, to: members, hits, $0)
        }
      }
    }
  }

  /// Asks outside the lock, posts under it, and does the rest after it.
  @inlinable @inline(__always)
  func send(
    _ action: Action, to members: [GroupEntry<Action>], _ hits: UnsafeMutableBufferPointer<Hit>,
    _ room: UnsafeMutableRawBufferPointer
  ) -> GroupReceipt {
    guard var place = room.baseAddress else { return GroupReceipt([]) }
    var count = 0
    for member in members where member.write(action, place) {
      hits.initializeElement(at: count, to: Hit(member, place))
      place += member.room
      count += 1
    }
    if count == 0 { return GroupReceipt([]) }
    let wanting = UnsafeMutableBufferPointer(rebasing: hits[0..<count])
    if delivery == .allOrNone { return sendToAllOrNone(wanting) }
    var isPosted = false
    var late: (deliveries: [GroupDelivery], errands: GroupErrands)?
    order.withLock {
      isPosted = wanting.allSatisfy { $0.entry._withUnsafeGuaranteedRef { $0.seat.isPlain } }
      guard isPosted else { return late = postInLine(wanting) }
      for hit in wanting { hit.entry._withUnsafeGuaranteedRef { $0.post(hit.place) } }
    }
    if let late {
      late.errands.run()
      return GroupReceipt(late.deliveries.map { .open($0) })
    }
    return GroupReceipt(of: count) { index in
      let hit = wanting[index]
      return hit.entry._withUnsafeGuaranteedRef { .known($0.member, $0.close(hit.place)) }
    }
  }

  /// Where some come after others, or are looked at together; under the lock of the order.
  @usableFromInline
  func postInLine(
    _ hits: UnsafeMutableBufferPointer<Hit>
  ) -> (deliveries: [GroupDelivery], errands: GroupErrands) {
    let deliveries = hits.map { hit in
      hit.entry._withUnsafeGuaranteedRef { $0.box(hit.place) }
    }
    var errands = GroupErrands()
    GroupSeat.post(deliveries, &errands)
    return (deliveries, errands)
  }
}

extension GroupSeat {
  /// Lets one action go to several members, each when its turn has come; under the lock of the
  /// order.
  static func post(_ deliveries: [GroupDelivery], _ errands: inout GroupErrands) {
    var bySeat: [ObjectIdentifier: GroupDelivery] = [:]
    for delivery in deliveries { bySeat[ObjectIdentifier(delivery.seat)] = delivery }
    for delivery in deliveries {
      for ancestor in delivery.seat.ancestors(among: bySeat) {
        ancestor.dependents.append(delivery)
        delivery.remaining += 1
      }
    }
    GroupDelivery.watch(deliveries)
    for delivery in deliveries { delivery.seat.append(delivery) }
    advance(at: deliveries.map(\.seat), &errands)
  }
}
