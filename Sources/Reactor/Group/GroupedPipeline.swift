import Synchronization

/// A pipeline to a group, which knows no type of reactor.
protocol GroupedPipeline: SeatedPipeline {
  var identity: ReactorIdentity { get }
  func seat(in order: GroupOrder) -> GroupSeat
  /// Whether the reactor is there no more.
  var isGone: Bool { get }

  /// Leaves something to be told when all that has been accepted by now has had its turn; with the
  /// state, or with `nil` if the reactor is gone by then.
  ///
  /// - Returns: Whether a job has to be made, see ``look(asJob:)``.
  func mark(_ reached: @escaping @Sendable (_ state: (any Sendable)?, _ version: UInt64) -> Void)
    -> Bool
  func look(asJob: Bool)

  nonisolated(nonsending) func outcome(of number: UInt64) async -> ActionOutcome
  func waitForTurn(of number: UInt64) async
  func refusal(of number: UInt64) -> ActionRefusal?
  func cancel(_ number: UInt64)
  func stopAsMember(_ mode: StopMode) -> StopReceipt?
  func hurry(_ life: UInt32)
}

extension PipelineCore: GroupedPipeline {
  func mark(
    _ reached: @escaping @Sendable (_ state: (any Sendable)?, _ version: UInt64) -> Void
  ) -> Bool {
    leaveMilestone { view in reached(view?.state, view?.version ?? 0) }
  }

  func waitForTurn(of number: UInt64) async { await waitUntilPerformed(number) }

  func stopAsMember(_ mode: StopMode) -> StopReceipt? { reactor?.stop(mode) }

  /// The reactor's place among the members of groups.
  ///
  /// - Parameter order: What it becomes part of, if it has no place yet.
  /// - Returns: Its place, for as long as somebody holds it.
  @usableFromInline
  func seat(in order: GroupOrder) -> GroupSeat {
    shared.withLock { shared in
      if let seat = shared.rare.seat?.seat as? GroupSeat { return seat }
      let seat = GroupSeat(in: order, identity: shared.identity, of: self)
      shared.rare.seat = SeatPlace(seat)
      return seat
    }
  }

  func forgetSeat() {
    // There may be another one by now, and this its last reference: let go outside the lock.
    let seat = shared.withLock { shared in
      let seat = shared.rare.seat?.seat
      if seat == nil { shared.rare.seat = nil }
      return seat
    }
    withExtendedLifetime(seat) {}
  }
}

/// The pipeline of a member, whatever its type.
@usableFromInline
final class GroupMember: Sendable {
  @usableFromInline
  typealias Settling = nonisolated(nonsending) @Sendable (_ number: UInt64) async -> Void

  let core: any GroupedPipeline
  /// Waits until an action has settled; made where the reactor's type is known, since it takes the
  /// turns that are due.
  let settle: Settling

  @usableFromInline
  init<R: Reactor>(_ core: PipelineCore<R>, settle: @escaping Settling) {
    self.core = core
    self.settle = settle
  }

  @inlinable
  convenience init<R: Reactor>(of core: PipelineCore<R>) {
    self.init(core) { await core.waitUntilSettled($0) }
  }

  @usableFromInline var id: ObjectIdentifier { ObjectIdentifier(core) }
}

extension ReactorPipeline {
  /// For tests: how many look at the reactor together with others, now.
  package var watcherCount: Int { seatCount(\.watchers.count) }

  /// For tests: how many declarations say whom the reactor comes after, or who comes after it.
  package var orderCount: Int {
    seatCount { $0.predecessors.values.joined().count + $0.successors }
  }

  private func seatCount(_ count: (GroupSeat) -> Int) -> Int {
    let seat = core.seat(in: GroupOrder())
    var counted = 0
    seat.order.withLock { counted = count(seat) }
    return counted
  }
}
