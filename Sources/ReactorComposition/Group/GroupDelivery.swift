public import Reactor
import ReactorRuntime

/// An action on its way to one member of a group; the receipt reads its outcome here.
///
/// `@unchecked`. Guard of every mutable field: the lock of the order, with two exceptions.
/// `admission`, and `pendingAdmit` of a plain member, are used by the sender alone; `state` has its
/// own lock.
@usableFromInline
final class GroupDelivery: @unchecked Sendable {
  /// Admits the action to the member's engine, unless it is to be withdrawn.
  ///
  /// The closure is created where the reactor's type is known.
  @usableFromInline
  typealias Admit =
    @Sendable (
      _ isWithdrawn: Bool, _ decide: (Bool) -> Bool, _ marks: (UInt64) -> [EngineMark]
    ) -> EngineAdmission
  /// Waits for the work of an action.
  ///
  /// It is created there as well, since waiting may run the turns that are due.
  @usableFromInline
  typealias Settle = nonisolated(nonsending) @Sendable (_ number: UInt64) async -> Void

  private struct State: Sendable {
    /// The outcome; `nil` while the action waits.
    var outcome: EngineAdmission.Outcome?
    var isCancelled = false
    /// Opened when the outcome is known.
    var latches = IdentityList<Latch>()
  }

  let member: GroupMember
  let settle: Settle
  /// `nil` after its last call, so that a receipt does not keep the action.
  private var pendingAdmit: Admit?
  private let state = Guarded(State())

  /// Completed by the sender after it has released the lock.
  private var admission: EngineAdmission?
  /// The number of members for whose turns this delivery waits.
  private var remaining = 0
  /// The deliveries that wait for this turn.
  private var dependents: [GroupDelivery] = []
  /// The registrations for the turn.
  private var turnRegistrations: [TurnRegistration] = []

  @usableFromInline
  init(to member: GroupMember, settling settle: @escaping Settle, admitting admit: @escaping Admit)
  {
    self.member = member
    self.settle = settle
    pendingAdmit = admit
  }

  // MARK: At once

  /// Admits the action to the member's inbox, if `decide` says so.
  func admit(if decide: (Bool) -> Bool = { $0 }) {
    admission = pendingAdmit?(false, decide) { _ in [] }
  }

  /// Completes the admission that the sender has made under the lock, if there is one.
  func complete() {
    guard let admission = self.admission.take() else { return }
    pendingAdmit = nil
    admission.complete()
    end(admission.outcome)
  }

  // MARK: In turn

  /// Enqueues one action for several members; each receives it in its turn.
  ///
  /// Called under the lock.
  static func enqueue(_ deliveries: [GroupDelivery], _ deferred: inout DeferredWork) {
    var byMember: [ObjectIdentifier: GroupDelivery] = [:]
    for delivery in deliveries { byMember[delivery.member.id] = delivery }
    for delivery in deliveries {
      delivery.admission = nil
      for predecessor in delivery.member.predecessors(among: byMember) {
        predecessor.dependents.append(delivery)
        delivery.remaining += 1
      }
    }
    registerTurns(of: deliveries)
    for delivery in deliveries { delivery.member.append(delivery) }
    GroupMember.advance(at: deliveries.map(\.member), &deferred)
  }

  /// Registers the action with every observer that combines two or more of the members.
  private static func registerTurns(of deliveries: [GroupDelivery]) {
    var byCombination:
      [ObjectIdentifier: [(delivery: GroupDelivery, registration: ColumnRegistration)]] = [:]
    for delivery in deliveries {
      for registration in delivery.member.registrations.all {
        byCombination[ObjectIdentifier(registration.combination), default: []].append(
          (delivery, registration))
      }
    }
    for columns in byCombination.values where columns.count > 1 {
      let barrier = columns[0].registration.combination.addBarrier(
        columns.map(\.registration.column))
      for (delivery, registration) in columns {
        delivery.turnRegistrations.append(TurnRegistration(column: registration, barrier: barrier))
      }
    }
  }

  /// Admits the action to the member's inbox, unless it has been cancelled.
  ///
  /// Called under the lock.
  ///
  /// - Returns: Members whose queues may advance, because this action will have no turn.
  private func admitInTurn(_ deferred: inout DeferredWork) -> [GroupMember] {
    guard let admit = pendingAdmit.take() else { return [] }
    let isCancelled = state.withLock { $0.isCancelled }
    let admission = admit(isCancelled, { $0 }, marks)
    let turnRegistrations = turnRegistrations
    deferred.add { [self] in
      withExtendedLifetime(admit) {}
      admission.complete()
      end(admission.outcome)
      guard !admission.isAccepted else { return }
      for registration in turnRegistrations { registration.ended(atVersion: nil) }
    }
    return admission.isAccepted ? [] : release()
  }

  /// The marks before and after the turn of the action with this number.
  ///
  /// Called under the lock.
  private func marks(_ number: UInt64) -> [EngineMark] {
    // Set before the turn can begin: a cancellation from here on reaches the action.
    state.withLock { $0.outcome = .accepted(number) }
    var marks: [EngineMark] = []
    let turnRegistrations = turnRegistrations
    if !turnRegistrations.isEmpty {
      marks.append(
        EngineMark(after: number) { version, _ in
          for registration in turnRegistrations { registration.began(atVersion: version) }
        })
    }
    if !turnRegistrations.isEmpty || !dependents.isEmpty {
      marks.append(
        EngineMark(after: number + 1) { [self] version, _ in
          for registration in turnRegistrations { registration.ended(atVersion: version) }
          turnIsOver()
        })
    }
    return marks
  }

  /// Guard: the lock of the order.
  private func release() -> [GroupMember] {
    let released = dependents
    dependents = []
    for dependent in released { dependent.remaining -= 1 }
    return released.map(\.member)
  }

  /// Runs on the member or, after the member has been released, on any thread.
  private func turnIsOver() {
    GroupOrder.withLock { GroupMember.advance(at: release(), &$0) }
  }

  private func end(_ outcome: EngineAdmission.Outcome) {
    let (latches, isCancelled) = state.withLock { state -> ([Latch], Bool) in
      state.outcome = outcome
      defer { state.latches = IdentityList() }
      return (state.latches.all, state.isCancelled)
    }
    // The action may have been cancelled while it was being admitted.
    if isCancelled, case .accepted(let number) = outcome { member.engine.cancel(number) }
    for latch in latches { latch.open() }
  }

  // MARK: For receipts

  /// The outcome; `nil` while the action waits.
  var outcome: EngineAdmission.Outcome? { state.withLock { $0.outcome } }

  /// Waits until the action is in the inbox or never will be, or until the waiting task is
  /// cancelled.
  nonisolated(nonsending) func admitted() async -> EngineAdmission.Outcome? {
    if let outcome { return outcome }
    let latch = Latch()
    let isOver = state.withLock { state in
      if state.outcome == nil { state.latches.append(latch) }
      return state.outcome != nil
    }
    if !isOver { await latch.wait() }
    return state.withLock { state in
      state.latches.remove(latch.id)
      return state.outcome
    }
  }

  func cancel() {
    let outcome = state.withLock { state in
      state.isCancelled = true
      return state.outcome
    }
    if case .accepted(let number) = outcome { member.engine.cancel(number) }
  }
}

extension GroupDelivery: GroupQueueItem {
  func advance(from member: GroupMember, _ deferred: inout DeferredWork) -> [GroupMember]? {
    guard remaining == 0 else { return nil }
    deferred.add { withExtendedLifetime(self) {} }
    member.removeFirst()
    return admitInTurn(&deferred)
  }
}

extension Reactor {
  /// The identity of the reactor's engine, for members and snapshots.
  nonisolated var engineID: ObjectIdentifier { pipeline.engine.id }
}

/// What groups need of an engine, without the type of its reactor.
extension EngineAccess {
  var id: ObjectIdentifier { ObjectIdentifier(self) }

  var member: GroupMember { .of(self) }

  var isReleased: Bool {
    if case .released = activity { true } else { false }
  }

  func cancel(_ number: UInt64) { receipt(of: number).cancel() }

  func refusal(of number: UInt64) -> ActionRefusal? { receipt(of: number).refusal }

  nonisolated(nonsending) func outcome(of number: UInt64) async -> ActionOutcome {
    await receipt(of: number).outcome
  }

  func waitUntilPerformed(_ number: UInt64) async { await receipt(of: number).performed }
}
