import Foundation
package import Reactor
import ReactorJournal
import ReactorRuntime

/// This process as a host of its cluster: its incarnations, one after another, and its reactor
/// types.
///
/// Holds: `state`, guarded by its own lock.
package final class ClusterNode: Sendable {
  private struct State: Sendable {
    var incarnation: HostIncarnation?
    var kinds: [String: any AnyClusterKind] = [:]
    var runTask: Task<Void, Never>?
    var isStopped = false
    /// How many calls wait for new entries, and how many read the last entry.
    var calls = [0, 0]
  }

  let store: any ClusterStore
  let transport: any ClusterTransport
  package let options: ClusterOptions
  let clock: ClusterClock
  let address: String
  private let state = Guarded(State())
  private let standbyMonitor: StandbyMonitor
  /// The commands that are running here for other hosts.
  let slots: CallSlots
  private let left = OneShotEvent()

  package init(
    _ store: any ClusterStore, _ transport: any ClusterTransport, address: String,
    _ options: ClusterOptions
  ) {
    (self.store, self.transport, self.address) = (store, transport, address)
    (self.options, standbyMonitor) = (options, StandbyMonitor(options))
    clock = ClusterClock(options.journal.clock)
    slots = CallSlots(limit: options.callLimit)
  }

  /// Joins the cluster, and starts to answer calls.
  package func start() async throws {
    let incarnation: HostIncarnation
    do {
      incarnation = try await join()
    } catch {
      await transport.close()
      throw error
    }
    do {
      try standbyMonitor.check(incarnation.view)
      begin(incarnation)
      try await transport.serve(at: address) { [weak self] in
        self?.state.withLock { $0.incarnation?.secret }
      } _: { [weak self] frame in
        guard let self else { return Data() }
        return await self.receive(frame)
      }
    } catch {
      try? await store.leave(incarnation.id)
      await transport.close()
      throw error
    }
    let runTask = PipelineTasks.inheriting { [weak self] in
      var incarnation: HostIncarnation? = incarnation
      while let present = incarnation { incarnation = await self?.run(present) }
    }
    state.withLock { $0.runTask = runTask }
  }

  /// The current incarnation; `nil` while there is none.
  var incarnation: HostIncarnation? {
    state.withLock { $0.incarnation }.flatMap { $0.isOver ? nil : $0 }
  }

  /// Whether it is leaving, or has left.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether it has left: it calls no other host any more.
  var hasLeft: Bool { left.hasFired }

  /// The current identifier of this host, for tests and reports.
  package var hostID: HostID? { incarnation?.id }

  // MARK: Incarnations

  private func join(after ended: HostIncarnation? = nil) async throws -> HostIncarnation {
    let host = ClusterHost(id: HostID(options.makeID()), address: address)
    let lease = store.isSingleHost ? .longest : options.lease
    return try await HostIncarnation.begin(as: host, after: ended, in: store, clock, lease: lease)
  }

  /// Runs one incarnation to its end.
  ///
  /// - Returns: The next one; `nil` if there is none.
  private func run(_ incarnation: HostIncarnation) async -> HostIncarnation? {
    let renewing = PipelineTasks.inheriting { [weak self, standbyMonitor] in
      await incarnation.renewLease { [standbyMonitor] in
        standbyMonitor.update($0, on: incarnation.host)
      } checkPlacement: { [weak self] in
        PipelineTasks.inheriting { [weak self] in await self?.handOverMisplaced(incarnation) }
      }
    }
    let expiring = PipelineTasks.inheriting { await incarnation.expireAtDeadline() }
    let deleting = PipelineTasks.inheriting { [store, clock, options] in
      // A command in memory is not repeated after its caller has stopped retrying.
      let age =
        store.storesCommandsInMemory
        ? min(options.commandRetention, options.retryTimeout * 2) : options.commandRetention
      while (try? await clock.sleep(max(age / 24, .seconds(60)))) != nil {
        try? await store.deleteCommands(olderThan: age)
      }
    }
    await incarnation.ended.wait()
    renewing.cancel()
    expiring.cancel()
    deleting.cancel()
    state.withLock { $0.incarnation = nil }
    if !isStopped { options.report(incarnation.report) }
    let ends = kinds.map { $0.end(incarnation) }
    let ending = PipelineTasks.inheriting { [store] in
      for end in ends { await end() }
      // All reactors have ended, so other hosts need not wait until the lease expires.
      try? await store.leave(incarnation.id)
    }
    // This runs concurrently with the next incarnation. Work that ignores cancellation is fenced,
    // so nothing has to wait for it.
    guard isStopped else { return await nextIncarnation(after: incarnation) }
    try? await clock.limit(to: options.lease) { await ending.value }
    return nil
  }

  /// The types in a fixed order.
  private var kinds: [any AnyClusterKind] {
    state.withLock { $0.kinds.values.sorted { $0.name < $1.name } }
  }

  private func nextIncarnation(after ended: HostIncarnation) async -> HostIncarnation? {
    var pause = Duration.milliseconds(50)
    while !isStopped {
      if let incarnation = try? await join(after: ended) {
        guard begin(incarnation) else {
          try? await store.leave(incarnation.id)
          return nil
        }
        return incarnation
      }
      guard (try? await clock.sleep(pause)) != nil else { return nil }
      pause = min(pause * 2, .seconds(1))
    }
    return nil
  }

  /// Begins an incarnation, unless the host has been stopped.
  ///
  /// - Returns: Whether it has begun.
  @discardableResult
  private func begin(_ incarnation: HostIncarnation) -> Bool {
    let isWanted = state.withLock { state in
      if !state.isStopped { state.incarnation = incarnation }
      return !state.isStopped
    }
    if isWanted { for kind in kinds { kind.begin(incarnation) } }
    return isWanted
  }

  /// Hands over idle reactors that belong to other hosts.
  private func handOverMisplaced(_ incarnation: HostIncarnation) async {
    var isDone = true
    for kind in kinds {
      let isMoved = await kind.handOverMisplaced(incarnation)
      isDone = isDone && isMoved
    }
    incarnation.placementChecked(isDone: isDone)
  }

  /// Hands over all reactors, and leaves the cluster.
  ///
  /// - Returns: The work that was cancelled.
  package func drain() async -> [AbandonedWork] {
    let (incarnation, runTask) = state.withLock { state in
      state.isStopped = true
      return (state.incarnation, state.runTask)
    }
    incarnation?.stopTaking()
    if let incarnation { try? await store.markLeaving(incarnation.id) }
    var abandoned: [AbandonedWork] = []
    for kind in kinds { abandoned += await kind.drain() }
    // The outcomes of other hosts' calls are stored nowhere else until they are delivered. A caller
    // that was answered that its work takes longer calls again. A caller that does not call within
    // a lease is gone.
    try? await clock.limit(to: options.lease) { [kinds] in
      for kind in kinds { await kind.waitUntilDelivered() }
    }
    left.fire()
    incarnation?.ended.fire()
    // It may be joining again at this moment; then its row is deleted as well.
    await runTask?.value
    await transport.close()
    await store.close()
    return abandoned
  }

  /// Ends without releasing anything, as a killed process does; for tests.
  package func abandon() {
    let incarnation = state.withLock { state in
      state.isStopped = true
      return state.incarnation
    }
    incarnation?.ended.fire()
  }

  // MARK: Types

  func add(_ kind: some AnyClusterKind) {
    let incarnation = state.withLock { state in
      precondition(state.kinds[kind.name] == nil, "there is a registry of '\(kind.name)' already")
      state.kinds[kind.name] = kind
      return state.incarnation
    }
    guard let incarnation else { return }
    kind.begin(incarnation)
  }

  // MARK: Receiving

  /// Answers a call of another host.
  func receive(_ frame: Data) async -> Data {
    let answer = (try? await respond(to: frame).encoded()) ?? Data()
    guard answer.count > options.bodyLimit else { return answer }
    // If it were sent, the caller would see a lost connection, and repeat the call again and again.
    let text = "an answer of \(answer.count) bytes; it may have \(options.bodyLimit)"
    return (try? CallResponse(.invalid, text: text).encoded()) ?? Data()
  }

  private func respond(to frame: Data) async -> CallResponse {
    do {
      let request = try CallRequest(frame: frame)
      guard let kind = state.withLock({ $0.kinds[request.head.name] }) else {
        throw ClusterError.unknownKind(request.head.name)
      }
      guard let slot = slot(for: request.head) else { return CallResponse(.overloaded) }
      return try await kind.receive(request, slot)
    } catch {
      return CallResponse(error)
    }
  }

  /// Takes a slot for a call; `nil` if the limit is reached.
  ///
  /// Calls that wait for new entries have limits of their own, so that they do not displace
  /// commands. A cancellation always gets a slot, since it frees one.
  private func slot(for head: CallRequest.Head) -> ReleaseToken? {
    switch head.verb {
    case .cancel: return ReleaseToken {}
    case .send, .outcome, .ask: return slots.acquire(head.command)
    case .follow, .last:
      let index = head.verb == .follow ? 0 : 1
      let hasSlot = state.withLock { state in
        guard state.calls[index] < options.callLimit else { return false }
        state.calls[index] += 1
        return true
      }
      return hasSlot
        ? ReleaseToken { [weak self] in self?.state.withLock { $0.calls[index] -= 1 } } : nil
    }
  }
}
