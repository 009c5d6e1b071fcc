import ReactorMachines

extension ReactorGroup {
  /// Holds every inbox until it is known whether all can accept.
  ///
  /// No two who send to several hold inboxes in a circle: whoever holds two has the lock of the
  /// order that both are part of.
  @usableFromInline
  func sendToAllOrNone(_ hits: UnsafeMutableBufferPointer<Hit>) -> GroupReceipt {
    var isGoing = false
    var late: [(index: Int, delivery: GroupDelivery)] = []
    var errands = GroupErrands()
    order.withLock {
      isGoing = hold(hits[...], ifAll: true)
      guard isGoing else { return }
      for (index, hit) in hits.enumerated() {
        hit.entry._withUnsafeGuaranteedRef { entry in
          if !entry.seat.isPlain { late.append((index, entry.box(hit.place))) }
        }
      }
      GroupSeat.post(late.map(\.delivery), &errands)
    }
    errands.run()
    var parts: [GroupReceipt.Part] = []
    var rest = late[...]
    for (index, hit) in hits.enumerated() {
      hit.entry._withUnsafeGuaranteedRef { entry in
        if rest.first?.index == index {
          parts.append(.open(rest.removeFirst().delivery))
        } else {
          parts.append(.known(entry.member, entry.close(hit.place)))
        }
      }
    }
    return GroupReceipt(parts)
  }

  /// Holds the inbox of the first, then those of the rest, and decides where all are held.
  private func hold(_ hits: Slice<UnsafeMutableBufferPointer<Hit>>, ifAll isGoing: Bool) -> Bool {
    guard let hit = hits.first else { return isGoing }
    var isGoing = isGoing
    hit.entry._withUnsafeGuaranteedRef { entry in
      entry.hold(hit.place) { canAccept in
        isGoing = hold(hits.dropFirst(), ifAll: isGoing && canAccept)
        // The others go into their lines when this is over.
        return isGoing && entry.seat.isPlain
      }
    }
    return isGoing
  }
}

extension PipelineCore {
  /// Looks whether the letter could be posted, and posts it if so decided while the inbox is held.
  @usableFromInline
  func hold(_ place: UnsafeMutablePointer<GroupLetter<R>>, _ decide: (Bool) -> Bool) {
    inbox.contents.withLock { contents in
      // Looked at in a copy: the number is given only once all can accept.
      var machine = contents.machine
      let admission = machine.admit()
      let letter = place.pointee
      switch admission {
      case .accepted:
        place.pointee.admission = .refused(.cancelled)
        guard decide(true) else { return }
        place.pointee.admission = contents.machine.admit()
        contents.queue.append(Envelope(letter.action, letter.context))
      case .refused(let refusal):
        place.pointee.admission = .refused(refusal)
        // One that is gone is no member any more, and keeps no other from getting it.
        _ = decide(refusal == .closed && isGone)
      }
    }
  }
}
