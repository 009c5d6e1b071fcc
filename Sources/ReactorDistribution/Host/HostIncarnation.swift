import Foundation
import Reactor
import ReactorRuntime

/// One incarnation of this process in its cluster, from joining to the end of its lease.
///
/// Holds: what changes, guarded by its own lock.
final class HostIncarnation: Sendable {
  private struct State: Sendable {
    /// When the lease expires, by this host's clock; counted from before the lease was requested.
    var deadline: Duration
    var view: ClusterView
    var isStopping = false
    /// The term of the store, if it has changed during this incarnation.
    var newTerm: ClusterTerm?
    /// Whether reactors may be here that belong to other hosts, and whether that is being checked.
    var needsPlacementCheck = false
    var isCheckingPlacement = false
  }

  let host: ClusterHost
  let secret: String
  private let store: any ClusterStore
  private let clock: ClusterClock
  let lease: Duration
  private let state: Guarded<State>
  /// Fires when the lease has expired, or has been given up.
  let ended = OneShotEvent()

  var id: HostID { host.id }

  private init(
    _ host: ClusterHost, _ joined: ClusterJoinResult, until deadline: Duration,
    _ store: any ClusterStore, _ clock: ClusterClock, _ lease: Duration
  ) {
    (self.host, self.store, self.clock, self.lease) = (host, store, clock, lease)
    secret = joined.secret
    state = Guarded(State(deadline: deadline, view: joined.view))
  }

  /// Joins a cluster.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - ended: The previous incarnation of this process.
  ///   - store: The cluster's store.
  ///   - clock: Measures the lease on this host.
  ///   - lease: How long the lease lasts.
  /// - Returns: The incarnation.
  /// - Throws: What the store throws.
  static func begin(
    as host: ClusterHost, after ended: HostIncarnation? = nil, in store: any ClusterStore,
    _ clock: ClusterClock, lease: Duration
  ) async throws -> HostIncarnation {
    let sent = clock.now()
    let joined = try await store.join(host, lease: lease, after: ended?.id)
    return HostIncarnation(host, joined, until: sent + lease, store, clock, lease)
  }

  /// Whether the lease has expired, also by this host's own clock.
  var isOver: Bool {
    if ended.hasFired { return true }
    if clock.now() < state.withLock({ $0.deadline }) { return false }
    ended.fire()
    return true
  }

  var view: ClusterView { state.withLock { $0.view } }

  /// The report for an end that this host did not request.
  var report: ClusterReport {
    state.withLock { $0.newTerm }.map { .historyChanged(host, $0) } ?? .leaseExpired(host)
  }

  /// Whether it takes no more reactors, because it is leaving.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  func stopTaking() { state.withLock { $0.isStopping = true } }

  /// Renews the lease until it has expired.
  ///
  /// - Parameters:
  ///   - onRenewal: Called with the result of each renewal.
  ///   - checkPlacement: Called when reactors may be here that belong to other hosts; it calls
  ///     ``placementChecked(isDone:)`` at its end.
  func renewLease(
    onRenewal: @Sendable (ClusterView) -> Void, checkPlacement: @escaping @Sendable () -> Void
  ) async {
    var pause = lease / 3
    while !isOver, (try? await clock.sleep(pause)) != nil, !isOver {
      let sent = clock.now()
      do {
        guard let view = try await store.renew(id, lease: lease) else { return ended.fire() }
        pause = lease / 3
        onRenewal(view)
        if applyRenewal(view, sent + lease) { checkPlacement() }
      } catch {
        // It retries sooner than usual, so that there may be several attempts before the lease
        // expires.
        pause = lease / 10
      }
    }
  }

  /// Ends this incarnation when its time is up, however long a renewal takes.
  func expireAtDeadline() async {
    while !ended.hasFired {
      let rest = state.withLock { $0.deadline } - clock.now()
      if rest <= .zero { return ended.fire() }
      guard (try? await clock.sleep(rest)) != nil else { return }
    }
  }

  /// Waits for the store, and at most for a lease after this incarnation has ended.
  ///
  /// If the store does not end, a statement could wait forever before it begins.
  ///
  /// - Parameter body: The operation on the store; after that time it is cancelled and not awaited.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and `CancellationError`.
  func awaitStore<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let operation = AbandonableOperation(body)
    let end = ended.whenFired { [clock, lease] in
      PipelineTasks.inheriting {
        try? await clock.sleep(lease)
        operation.finished.fire()
      }
    }
    await operation.finished.wait()
    ended.removeHandler(end)
    operation.cancel()
    guard let result = operation.result else { throw CancellationError() }
    return try result.get()
  }

  /// Records a renewal.
  ///
  /// - Returns: Whether to check for reactors that belong to other hosts.
  private func applyRenewal(_ view: ClusterView, _ deadline: Duration) -> Bool {
    let (isSame, isCheckDue) = state.withLock { state in
      guard state.view.term == view.term else {
        state.newTerm = view.term
        return (false, false)
      }
      if state.view.hosts != view.hosts { state.needsPlacementCheck = true }
      (state.view, state.deadline) = (view, deadline)
      guard state.needsPlacementCheck, !state.isCheckingPlacement else { return (true, false) }
      (state.needsPlacementCheck, state.isCheckingPlacement) = (false, true)
      return (true, true)
    }
    // The database has another history, which may lack acknowledged entries.
    if !isSame { ended.fire() }
    return isCheckDue
  }

  /// Records the end of a check for reactors that belong to other hosts.
  ///
  /// - Parameter isDone: Whether none is left; otherwise it is checked again after the next
  ///   renewal.
  func placementChecked(isDone: Bool) {
    state.withLock { state in
      state.isCheckingPlacement = false
      if !isDone { state.needsPlacementCheck = true }
    }
  }

  /// Returns the host that a reactor belongs to, among the hosts in this one's view.
  func place(_ name: String, _ id: String, avoiding: Set<HostID> = []) -> ClusterHost? {
    let hosts = view.hosts.filter { !avoiding.contains($0.id) }
    return Placement.host(for: name, id, among: isStopping ? hosts.filter { $0 != host } : hosts)
  }
}
