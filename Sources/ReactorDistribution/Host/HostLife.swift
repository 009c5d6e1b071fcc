import Foundation
import Reactor
import ReactorRuntime

/// One life of this process in its cluster, from entering to the end of the lease.
///
/// Holds: what changes, guarded by its own lock.
final class HostLife: Sendable {
  private struct State: Sendable {
    /// When the lease runs out, by this host's clock: counted from before it was asked for.
    var deadline: Duration
    var view: ClusterView
    var isStopping = false
    /// The store's, where that is another one than when this life began.
    var newTerm: ClusterTerm?
    /// Whether something may be here that belongs elsewhere, and whether that is being looked for.
    var mustLook = false
    var isLooking = false
  }

  let host: ClusterHost
  let secret: String
  private let store: any ClusterStore
  private let clock: ClusterClock
  let lease: Duration
  private let state: Guarded<State>
  /// The lease has run out, or been given up.
  let over = OneShot()

  var id: HostID { host.id }

  private init(
    _ host: ClusterHost, _ entrance: ClusterEntrance, until deadline: Duration,
    _ store: any ClusterStore, _ clock: ClusterClock, _ lease: Duration
  ) {
    (self.host, self.store, self.clock, self.lease) = (host, store, clock, lease)
    secret = entrance.secret
    state = Guarded(State(deadline: deadline, view: entrance.view))
  }

  /// Enters a cluster.
  ///
  /// - Parameters:
  ///   - host: As which host.
  ///   - ended: The life of this process that it comes after.
  ///   - store: The cluster's store.
  ///   - clock: What measures the lease here.
  ///   - lease: How long it lasts.
  /// - Returns: The life.
  /// - Throws: What the store throws.
  static func begin(
    as host: ClusterHost, after ended: HostLife? = nil, in store: any ClusterStore,
    _ clock: ClusterClock, lease: Duration
  ) async throws -> HostLife {
    let sent = clock.now()
    let entrance = try await store.enter(host, lease: lease, after: ended?.id)
    return HostLife(host, entrance, until: sent + lease, store, clock, lease)
  }

  /// Whether the lease has run out, by this host's own clock too.
  var isOver: Bool {
    if over.hasHappened { return true }
    if clock.now() < state.withLock({ $0.deadline }) { return false }
    over.happen()
    return true
  }

  var view: ClusterView { state.withLock { $0.view } }

  /// What is to be reported when it is over and was not ended by this host.
  var report: ClusterReport {
    state.withLock { $0.newTerm }.map { .otherHistory(host, $0) } ?? .leaseRanOut(host)
  }

  /// Whether it takes no more reactors, because it goes.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  func stopTaking() { state.withLock { $0.isStopping = true } }

  /// Renews the lease until it has run out.
  ///
  /// - Parameters:
  ///   - seen: Called with what each renewal has shown.
  ///   - look: Called when something may be here that belongs elsewhere; it calls
  ///     ``looked(isDone:)`` when it is done.
  func keep(
    seen: @Sendable (ClusterView) -> Void, look: @escaping @Sendable () -> Void
  ) async {
    var pause = lease / 3
    while !isOver, (try? await clock.sleep(pause)) != nil, !isOver {
      let sent = clock.now()
      do {
        guard let view = try await store.renew(id, lease: lease) else { return over.happen() }
        pause = lease / 3
        seen(view)
        if renewed(view, sent + lease) { look() }
      } catch {
        // Sooner than usual: there may be time for several tries.
        pause = lease / 10
      }
    }
  }

  /// Sees to it that this life is over when its time is, however long a renewal takes.
  func watch() async {
    while !over.hasHappened {
      let rest = state.withLock { $0.deadline } - clock.now()
      if rest <= .zero { return over.happen() }
      guard (try? await clock.sleep(rest)) != nil else { return }
    }
  }

  /// Waits for the store, and when this life is over for no longer than a lease: what a statement
  /// waits for before it is begun has no end where the store has none.
  ///
  /// - Parameter body: What the store is asked; cancelled then, and not waited for.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and `CancellationError`.
  func waiting<Value: Sendable>(
    for body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let attempt = Attempt(body)
    let end = over.whenHappened { [clock, lease] in
      PipelineTasks.inheriting {
        try? await clock.sleep(lease)
        attempt.over.happen()
      }
    }
    await attempt.over.wait()
    over.takeBack(end)
    attempt.cancel()
    guard let result = attempt.result else { throw CancellationError() }
    return try result.get()
  }

  /// - Returns: Whether to look for what belongs elsewhere.
  private func renewed(_ view: ClusterView, _ deadline: Duration) -> Bool {
    let (isSame, looks) = state.withLock { state in
      guard state.view.term == view.term else {
        state.newTerm = view.term
        return (false, false)
      }
      if state.view.hosts != view.hosts { state.mustLook = true }
      (state.view, state.deadline) = (view, deadline)
      guard state.mustLook, !state.isLooking else { return (true, false) }
      (state.mustLook, state.isLooking) = (false, true)
      return (true, true)
    }
    // Another history: what was acknowledged may not be part of it.
    if !isSame { over.happen() }
    return looks
  }

  /// What belongs elsewhere has been looked for.
  ///
  /// - Parameter isDone: Whether nothing is left; else it is looked again after the next renewal.
  func looked(isDone: Bool) {
    state.withLock { state in
      state.isLooking = false
      if !isDone { state.mustLook = true }
    }
  }

  /// Where a reactor belongs among the hosts that this one knows of.
  func place(_ name: String, _ id: String, avoiding: Set<HostID> = []) -> ClusterHost? {
    let hosts = view.hosts.filter { !avoiding.contains($0.id) }
    return Placement.host(for: name, id, among: isStopping ? hosts.filter { $0 != host } : hosts)
  }
}
