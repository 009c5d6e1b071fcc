import ReactorMachines

/// An action for one member that goes by itself: it waits for others, others wait for it, or
/// somebody looks at the member together with others.
///
/// `@unchecked`. Guard of every field that varies: the lock of the order; of what is in `state`,
/// its own.
@usableFromInline
final class GroupDelivery: @unchecked Sendable {
  private struct State: Sendable {
    /// What became of it; `nil` while it waits.
    var standing: GroupStanding?
    var isCancelled = false
    /// Opened once that is known, and the lock of the order has been let go.
    var latches = IdentityList<Latch>()
  }

  let member: GroupMember
  let seat: GroupSeat
  /// For how many members' turns it waits.
  var remaining = 0
  /// Who waits for this one's turn.
  var dependents: [GroupDelivery] = []
  /// Who is told when the turn begins and when it is over.
  var watches: [CombinedWatch] = []

  private let state = Guarded(State())
  private let put: @Sendable (GroupDelivery, inout GroupErrands) -> Bool
  private let give: @Sendable () -> Void

  @usableFromInline
  init<R: Reactor>(
    _ core: PipelineCore<R>, _ member: GroupMember, _ seat: GroupSeat,
    _ letter: consuming GroupLetter<R>
  ) {
    self.member = member
    self.seat = seat
    let written = letter
    put = { delivery, errands in
      var letter = written
      core.post(&letter) { core.leave(delivery.milestones(of: $0)) }
      let posted = letter
      errands.add { delivery.end(core.close(posted)) }
      return posted.isAccepted
    }
    give = { written.context?.member?.leave() }
  }

  /// What is to be told of the turn of an action with this number.
  ///
  /// Guard: the lock of the order.
  private func milestones<S>(of number: UInt64) -> [Milestone<S>] {
    state.withLock { $0.standing = .sent(number) }
    var milestones: [Milestone<S>] = []
    let watches = watches
    if !watches.isEmpty {
      milestones.append(
        Milestone(number: number) { view in
          for watch in watches { watch.began(atVersion: view?.version) }
        })
    }
    if !watches.isEmpty || !dependents.isEmpty {
      milestones.append(
        Milestone(number: number + 1) { [self] view in
          for watch in watches { watch.ended(atVersion: view?.version) }
          turnIsOver()
        })
    }
    return milestones
  }

  /// Puts it into the member's inbox, unless it has been cancelled; under the lock of the order.
  ///
  /// - Returns: Seats at which something may go on, because this one will have no turn.
  func post(_ errands: inout GroupErrands) -> [GroupSeat] {
    if state.withLock({ $0.isCancelled }) {
      errands.add { [self] in
        give()
        end(.cancelled)
      }
    } else if put(self, &errands) {
      return []
    }
    let watches = watches
    errands.add { for watch in watches { watch.ended(atVersion: nil) } }
    return release()
  }

  /// Guard: the lock of the order.
  private func release() -> [GroupSeat] {
    let released = dependents
    dependents = []
    for dependent in released { dependent.remaining -= 1 }
    return released.map(\.seat)
  }

  /// The member has taken it, and its turn is over; on the member, or on any thread once that is
  /// gone.
  private func turnIsOver() {
    var errands = GroupErrands()
    seat.order.withLock { GroupSeat.advance(at: release(), &errands) }
    errands.run()
  }

  // MARK: For receipts

  private func end(_ standing: GroupStanding) {
    let (latches, isCancelled) = state.withLock { state -> ([Latch], Bool) in
      if state.standing == nil { state.standing = standing }
      defer { state.latches = IdentityList() }
      return (state.latches.all, state.isCancelled)
    }
    // Somebody has cancelled it while it was being put into the inbox.
    if isCancelled, case .sent(let number) = standing { member.core.cancel(number) }
    for latch in latches { latch.open() }
  }

  /// What became of it; `nil` while it waits.
  var standing: GroupStanding? { state.withLock { $0.standing } }

  /// Waits until it is in the inbox, or will never be; or until the waiting task is cancelled.
  nonisolated(nonsending) func posted() async -> GroupStanding? {
    let latch = Latch()
    let isOver = state.withLock { state in
      if state.standing == nil { state.latches.append(latch) }
      return state.standing != nil
    }
    if !isOver { await latch.wait() }
    return state.withLock { state in
      state.latches.remove(latch.id)
      return state.standing
    }
  }

  func cancel() {
    let number = state.withLock { state -> UInt64? in
      state.isCancelled = true
      return if case .sent(let number) = state.standing { number } else { nil }
    }
    if let number { member.core.cancel(number) }
  }
}

extension GroupLetter {
  var isAccepted: Bool {
    if case .accepted = admission { true } else { false }
  }
}

extension GroupDelivery: GroupLineItem {
  func advance(from seat: GroupSeat, _ errands: inout GroupErrands) -> [GroupSeat]? {
    guard remaining == 0 else { return nil }
    _ = seat.removeFirst()
    // What it carries is the user's, and is let go when the lock has been.
    errands.add { withExtendedLifetime(self) {} }
    return post(&errands)
  }

  /// Tells all who look at two or more of the members that an action is on its way to them; under
  /// the lock of the order.
  static func watch(_ deliveries: [GroupDelivery]) {
    var watched: [ObjectIdentifier: [(delivery: GroupDelivery, watcher: CombinedWatcher)]] = [:]
    for delivery in deliveries {
      for watcher in delivery.seat.watchers.all {
        watched[ObjectIdentifier(watcher.book), default: []].append((delivery, watcher))
      }
    }
    for columns in watched.values where columns.count > 1 {
      let barrier = columns[0].watcher.book.expect(columns.map(\.watcher.column))
      for (delivery, watcher) in columns {
        delivery.watches.append(CombinedWatch(watcher: watcher, barrier: barrier))
      }
    }
  }
}
