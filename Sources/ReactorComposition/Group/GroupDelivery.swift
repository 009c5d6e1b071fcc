public import Reactor
import ReactorRuntime

/// An action on its way to one member of a group: what its receipt asks.
///
/// `@unchecked`. Guard of every field that varies: the lock of the order, but for `admission`, and
/// `put` of a plain member, which only the sender touches; of what is in `state`, its own lock.
@usableFromInline
final class GroupDelivery: @unchecked Sendable {
  /// Admits the action to the member's engine, unless it is to be withdrawn; made where the
  /// reactor's type is known.
  @usableFromInline
  typealias Admit =
    @Sendable (
      _ isWithdrawn: Bool, _ decide: (Bool) -> Bool, _ marks: (UInt64) -> [EngineMark]
    ) -> EngineAdmission
  /// Waits for the work of an action; made there as well, since it may take the turns that are due.
  @usableFromInline
  typealias Settle = nonisolated(nonsending) @Sendable (_ number: UInt64) async -> Void

  private struct State: Sendable {
    /// What became of it; `nil` while it waits.
    var outcome: EngineAdmission.Outcome?
    var isCancelled = false
    /// Opened once that is known.
    var latches = IdentityList<Latch>()
  }

  let member: GroupMember
  let settle: Settle
  /// `nil` once it has been called for good: a receipt does not keep the action.
  private var put: Admit?
  private let state = Guarded(State())

  /// To be completed by the sender, once it has released the lock.
  private var admission: EngineAdmission?
  /// For how many members' turns it waits.
  private var remaining = 0
  /// What waits for this one's turn.
  private var dependents: [GroupDelivery] = []
  /// What looks at the turn.
  private var watches: [CombinedWatch] = []

  @usableFromInline
  init(to member: GroupMember, settling settle: @escaping Settle, admitting admit: @escaping Admit)
  {
    self.member = member
    self.settle = settle
    put = admit
  }

  // MARK: At once

  /// Puts it into the member's inbox, if that is decided.
  func admit(if decide: (Bool) -> Bool = { $0 }) {
    admission = put?(false, decide) { _ in [] }
  }

  /// Completes what the sender has done under the lock, if it has done anything.
  func complete() {
    guard let admission = self.admission.take() else { return }
    put = nil
    admission.complete()
    end(admission.outcome)
  }

  // MARK: When its turn has come

  /// Sends one action to several members, to each when its turn has come; under the lock.
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
    watch(deliveries)
    for delivery in deliveries { delivery.member.append(delivery) }
    GroupMember.advance(at: deliveries.map(\.member), &deferred)
  }

  /// Has all that look at two or more of the members expect the action.
  private static func watch(_ deliveries: [GroupDelivery]) {
    var watched: [ObjectIdentifier: [(delivery: GroupDelivery, watcher: CombinedWatcher)]] = [:]
    for delivery in deliveries {
      for watcher in delivery.member.watchers.all {
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

  /// Puts it into the member's inbox, unless it has been cancelled; under the lock.
  ///
  /// - Returns: Members at which something may go on, because this one will have no turn.
  private func admitInTurn(_ deferred: inout DeferredWork) -> [GroupMember] {
    guard let put = self.put.take() else { return [] }
    let isCancelled = state.withLock { $0.isCancelled }
    let admission = put(isCancelled, { $0 }, marks)
    let watches = watches
    deferred.add { [self] in
      withExtendedLifetime(put) {}
      admission.complete()
      end(admission.outcome)
      guard !admission.isAccepted else { return }
      for watch in watches { watch.ended(atVersion: nil) }
    }
    return admission.isAccepted ? [] : release()
  }

  /// What has to be known of the turn of the action with this number; under the lock.
  private func marks(_ number: UInt64) -> [EngineMark] {
    // Before the turn can begin: what cancels the action from here on reaches it.
    state.withLock { $0.outcome = .accepted(number) }
    var marks: [EngineMark] = []
    let watches = watches
    if !watches.isEmpty {
      marks.append(
        EngineMark(after: number) { version, _ in
          for watch in watches { watch.began(atVersion: version) }
        })
    }
    if !watches.isEmpty || !dependents.isEmpty {
      marks.append(
        EngineMark(after: number + 1) { [self] version, _ in
          for watch in watches { watch.ended(atVersion: version) }
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

  /// On the member, or on any thread once that has been released.
  private func turnIsOver() {
    GroupOrder.withLock { GroupMember.advance(at: release(), &$0) }
  }

  private func end(_ outcome: EngineAdmission.Outcome) {
    let (latches, isCancelled) = state.withLock { state -> ([Latch], Bool) in
      state.outcome = outcome
      defer { state.latches = IdentityList() }
      return (state.latches.all, state.isCancelled)
    }
    // It may have been cancelled while it was being put into the inbox.
    if isCancelled, case .accepted(let number) = outcome { member.engine.cancel(number) }
    for latch in latches { latch.open() }
  }

  // MARK: For receipts

  /// What became of it; `nil` while it waits.
  var outcome: EngineAdmission.Outcome? { state.withLock { $0.outcome } }

  /// Waits until it is in the inbox, or will never be; or until the waiting task is cancelled.
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
  /// What members and states are known by.
  nonisolated var engineID: ObjectIdentifier { pipeline.engine.id }
}

/// What groups ask an engine, without its reactor's type.
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
