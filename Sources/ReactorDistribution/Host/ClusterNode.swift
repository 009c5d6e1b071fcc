import Foundation
package import Reactor
import ReactorJournal
import ReactorRuntime

/// This process in its cluster: one life after another, and the kinds of reactors that it has.
///
/// Holds: `state`, guarded by its own lock.
package final class ClusterNode: Sendable {
  private struct State: Sendable {
    var life: HostLife?
    var kinds: [String: any AnyClusterKind] = [:]
    var keeping: Task<Void, Never>?
    var isStopped = false
    /// How many others wait for news, and how many ask how far a journal is.
    var calls = [0, 0]
  }

  let store: any ClusterStore
  let transport: any ClusterTransport
  package let options: ClusterOptions
  let clock: ClusterClock
  let address: String
  private let state = Guarded(State())
  private let standbys: StandbyWatch
  /// The commands of others that are under way here.
  let slots: CallSlots
  private let gone = OneShot()

  package init(
    _ store: any ClusterStore, _ transport: any ClusterTransport, address: String,
    _ options: ClusterOptions
  ) {
    (self.store, self.transport, self.address) = (store, transport, address)
    (self.options, standbys) = (options, StandbyWatch(options))
    clock = ClusterClock(options.journal.clock)
    slots = CallSlots(limit: options.callLimit)
  }

  /// Enters the cluster, and begins to answer.
  package func start() async throws {
    let life: HostLife
    do {
      life = try await enter()
    } catch {
      await transport.close()
      throw error
    }
    do {
      try standbys.check(life.view)
      begin(life)
      try await transport.serve(at: address) { [weak self] in
        self?.state.withLock { $0.life?.secret }
      } _: { [weak self] frame in
        guard let self else { return Data() }
        return await self.receive(frame)
      }
    } catch {
      try? await store.leave(life.id)
      await transport.close()
      throw error
    }
    let keeping = PipelineTasks.inheriting { [weak self] in
      var life: HostLife? = life
      while let present = life { life = await self?.live(present) }
    }
    state.withLock { $0.keeping = keeping }
  }

  /// The present life; `nil` while there is none.
  var life: HostLife? { state.withLock { $0.life }.flatMap { $0.isOver ? nil : $0 } }

  /// Whether it goes, or has gone.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether it has gone: it calls no other host any more.
  var isGone: Bool { gone.hasHappened }

  /// Which host this is at present, for tests and reports.
  package var hostID: HostID? { life?.id }

  // MARK: Lives

  private func enter(after ended: HostLife? = nil) async throws -> HostLife {
    let host = ClusterHost(id: HostID(options.makeID()), address: address)
    let lease = store.isAlone ? .longest : options.lease
    return try await HostLife.begin(as: host, after: ended, in: store, clock, lease: lease)
  }

  /// One life, to its end.
  ///
  /// - Returns: The next one; `nil` where there is none.
  private func live(_ life: HostLife) async -> HostLife? {
    let keeping = PipelineTasks.inheriting { [weak self, standbys] in
      await life.keep { [standbys] in
        standbys.look(at: $0, from: life.host)
      } look: { [weak self] in
        PipelineTasks.inheriting { [weak self] in await self?.moveAway(life) }
      }
    }
    let watching = PipelineTasks.inheriting { await life.watch() }
    let forgetting = PipelineTasks.inheriting { [store, clock, options] in
      // Of those in this process's memory none is repeated once its caller's patience is over.
      let age =
        store.remembersInMemory
        ? min(options.keepsCommands, options.patience * 2) : options.keepsCommands
      while (try? await clock.sleep(max(age / 24, .seconds(60)))) != nil {
        try? await store.forgetCommands(olderThan: age)
      }
    }
    await life.over.wait()
    keeping.cancel()
    watching.cancel()
    forgetting.cancel()
    state.withLock { $0.life = nil }
    if !isStopped { options.report(life.report) }
    let ends = kinds.map { $0.end(life) }
    let ending = PipelineTasks.inheriting { [store] in
      for end in ends { await end() }
      // All that was here has ended: the rest of the lease need not be waited for.
      try? await store.leave(life.id)
    }
    // Beside the next life: what does not heed being cancelled is fenced, and not waited for.
    guard isStopped else { return await nextLife(after: life) }
    try? await clock.limit(to: options.lease) { await ending.value }
    return nil
  }

  /// In the same order each time.
  private var kinds: [any AnyClusterKind] {
    state.withLock { $0.kinds.values.sorted { $0.name < $1.name } }
  }

  private func nextLife(after ended: HostLife) async -> HostLife? {
    var pause = Duration.milliseconds(50)
    while !isStopped {
      if let life = try? await enter(after: ended) {
        guard begin(life) else {
          try? await store.leave(life.id)
          return nil
        }
        return life
      }
      guard (try? await clock.sleep(pause)) != nil else { return nil }
      pause = min(pause * 2, .seconds(1))
    }
    return nil
  }

  /// - Returns: Whether there is to be another life.
  @discardableResult
  private func begin(_ life: HostLife) -> Bool {
    let isWanted = state.withLock { state in
      if !state.isStopped { state.life = life }
      return !state.isStopped
    }
    if isWanted { for kind in kinds { kind.begin(life) } }
    return isWanted
  }

  /// Hands over what belongs elsewhere and is at rest.
  private func moveAway(_ life: HostLife) async {
    var isDone = true
    for kind in kinds {
      let isMoved = await kind.moveAway(life)
      isDone = isDone && isMoved
    }
    life.looked(isDone: isDone)
  }

  /// Hands over everything, and leaves.
  ///
  /// - Returns: What was not done when it had to be cut short.
  package func drain() async -> [AbandonedWork] {
    let (life, keeping) = state.withLock { state in
      state.isStopped = true
      return (state.life, state.keeping)
    }
    life?.stopTaking()
    if let life { try? await store.depart(life.id) }
    var abandoned: [AbandonedWork] = []
    for kind in kinds { abandoned += await kind.drain() }
    // What came of other hosts' calls is known nowhere else, until they are told; and a caller that
    // was told that it takes longer asks again. One that does not, within a lease, is gone.
    try? await clock.limit(to: options.lease) { [kinds] in
      for kind in kinds { await kind.collected() }
    }
    gone.happen()
    life?.over.happen()
    // Also where it was just entering once more: its row goes with it.
    await keeping?.value
    await transport.close()
    await store.close()
    return abandoned
  }

  /// Ends without a word, as a process does that is killed; for tests.
  package func abandon() {
    let life = state.withLock { state in
      state.isStopped = true
      return state.life
    }
    life?.over.happen()
  }

  // MARK: Kinds

  func add(_ kind: some AnyClusterKind) {
    let life = state.withLock { state in
      precondition(state.kinds[kind.name] == nil, "there is a registry of '\(kind.name)' already")
      state.kinds[kind.name] = kind
      return state.life
    }
    guard let life else { return }
    kind.begin(life)
  }

  // MARK: Receiving

  /// Answers a call of another host.
  func receive(_ frame: Data) async -> Data {
    let answer = (try? await respond(to: frame).encoded()) ?? Data()
    guard answer.count > options.bodyLimit else { return answer }
    // Sent, it would look like a lost connection, and be asked for again and again.
    let text = "an answer of \(answer.count) bytes; it may have \(options.bodyLimit)"
    return (try? CallResponse(.invalid, text: text).encoded()) ?? Data()
  }

  private func respond(to frame: Data) async -> CallResponse {
    do {
      let request = try CallRequest(frame: frame)
      guard let kind = state.withLock({ $0.kinds[request.head.name] }) else {
        throw ClusterError.unknownKind(request.head.name)
      }
      guard let room = room(for: request.head) else { return CallResponse(.overloaded) }
      return try await kind.receive(request, room)
    } catch {
      return CallResponse(error)
    }
  }

  /// Room for a call, for as long as the value is held; `nil` where there is none.
  ///
  /// Calls that wait for news take no room from those that have something done; and what makes
  /// room is never refused for want of it.
  private func room(for head: CallRequest.Head) -> CallRoom? {
    switch head.verb {
    case .cancel: return CallRoom {}
    case .send, .outcome, .ask: return slots.enter(head.command)
    case .follow, .last:
      let line = head.verb == .follow ? 0 : 1
      let isRoom = state.withLock { state in
        guard state.calls[line] < options.callLimit else { return false }
        state.calls[line] += 1
        return true
      }
      return isRoom ? CallRoom { [weak self] in self?.state.withLock { $0.calls[line] -= 1 } } : nil
    }
  }
}
