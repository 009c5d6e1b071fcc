import Foundation
import Reactor
import ReactorComposition
import ReactorJournal
import ReactorRuntime

/// The reactors of one type on a host, for its own program and for other hosts.
protocol AnyClusterKind: Sendable {
  var name: String { get }
  /// Begins a new incarnation of the host.
  func begin(_ incarnation: HostIncarnation)
  /// Ends an incarnation of the host; none of its reactors can be used any more.
  ///
  /// - Returns: A function that ends the reactors, and returns when they have ended.
  func end(_ incarnation: HostIncarnation) -> @Sendable () async -> Void
  /// Hands over idle reactors that belong to other hosts by now.
  ///
  /// - Returns: Whether no reactor that belongs to another host is left.
  func handOverMisplaced(_ incarnation: HostIncarnation) async -> Bool
  /// Hands over all reactors.
  func drain() async -> [AbandonedWork]
  /// Returns when the callers that were answered that work takes longer have received its outcome.
  func waitUntilDelivered() async
  /// Answers a call.
  func receive(_ request: CallRequest, _ slot: ReleaseToken) async throws -> CallResponse
}

/// The reactors of one type on this host.
///
/// Holds: `state`, guarded by its own lock.
final class ClusterKind<R: JournaledReactor>: AnyClusterKind where R.Action: Codable {
  /// The objects of one incarnation of the host.
  struct Local: Sendable {
    let incarnation: HostIncarnation
    let journals: HostJournal
    let journal: Journal
    let registry: ReactorRegistry<String, R>
    let commands: HostCommands
  }

  private struct State: Sendable {
    var local: Local?
    /// The reactors that are being handed over, and are not taken here meanwhile.
    var leaving: Set<String> = []
  }

  let name = R.journalName
  let store: any ClusterStore
  let options: ClusterOptions
  let clock: ClusterClock
  private let idle: Duration?
  private let make: @Sendable (String) async throws -> R
  private let state = Guarded(State())

  init(
    _ store: any ClusterStore, _ options: ClusterOptions, idle: Duration?,
    _ make: @escaping @Sendable (String) async throws -> R
  ) {
    (self.store, self.options, self.idle, self.make) = (store, options, idle, make)
    clock = ClusterClock(options.journal.clock)
  }

  func key(_ id: String) -> JournalKey { JournalKey(name: name, id: id) }

  /// The objects of the current incarnation; `nil` if it has ended.
  var local: Local? {
    state.withLock { $0.local }.flatMap { $0.incarnation.isOver ? nil : $0 }
  }

  func isLeaving(_ id: String) -> Bool { state.withLock { $0.leaving.contains(id) } }

  // MARK: Incarnations

  func begin(_ incarnation: HostIncarnation) {
    let journals = HostJournal(
      incarnation, store, clock, version: R.journalVersion,
      attemptLimit: options.recoveryAttemptLimit,
      report: options.report)
    let journal = Journal(store: journals, codec: options.codec, options: options.journal)
    let registry = ReactorRegistry<String, R>(idle: idle, clock: options.journal.clock) {
      [make, name] id in
      let reactor = try await CreationError.ifThrown { try await make(id) }
      let opened = try await CreationError.ifUnreadable { try await journal.open(id) { reactor } }
      journals.recovered(JournalKey(name: name, id: id))
      return opened
    }
    let commands = HostCommands(clock, retention: options.lease * 2)
    let local = Local(
      incarnation: incarnation, journals: journals, journal: journal, registry: registry,
      commands: commands)
    state.withLock { state in
      // A registry may be added just when one incarnation ends and the next begins.
      if let present = state.local, !present.incarnation.ended.hasFired, incarnation.ended.hasFired
      {
        return
      }
      state.local = local
      state.leaving = []
    }
  }

  func end(_ incarnation: HostIncarnation) -> @Sendable () async -> Void {
    let local = state.withLock { state -> Local? in
      guard let local = state.local, local.incarnation === incarnation else { return nil }
      state.local = nil
      return local
    }
    return { _ = await local?.registry.stop(.cancel) }
  }

  func drain() async -> [AbandonedWork] {
    guard let local = state.withLock({ $0.local }) else { return [] }
    return await local.registry.drain()
  }

  func waitUntilDelivered() async {
    await state.withLock { $0.local }?.commands.waitUntilDelivered()
  }

  func handOverMisplaced(_ incarnation: HostIncarnation) async -> Bool {
    guard let local, local.incarnation === incarnation else { return true }
    let misplaced = local.journals.keys.map(\.id).filter { id in
      incarnation.place(name, id).map { $0.id != incarnation.id } ?? false
    }
    // A working reactor may never become idle, and would not answer while this waits for it.
    let moving = misplaced.filter(local.registry.isIdle)
    await withTaskGroup(of: Void.self) { group in
      for (place, id) in moving.sorted().enumerated() {
        if place >= options.handoverLimit { await group.next() }
        group.addTask { await self.move(id, from: local) }
      }
    }
    return moving.count == misplaced.count
  }

  /// Drains a reactor; then its row is released, and the next host takes it.
  private func move(_ id: String, from local: Local) async {
    state.withLock { _ = $0.leaving.insert(id) }
    do {
      try await clock.limit(to: options.lease, continuesAfterLimit: true) {
        await local.registry.stop(id, .drain)
        self.state.withLock { _ = $0.leaving.remove(id) }
      }
    } catch {
      // It has received endless work at the last moment.
      PipelineTasks.inheriting { await local.registry.stop(id, .cancel) }
    }
  }

  // MARK: Using reactors

  /// Uses a reactor that is on this host, or is taken by this call.
  ///
  /// - Throws: ``ClusterError/notOwner(_:_:)`` if another host owns it, or if this host
  ///   releases it.
  nonisolated(nonsending) func with<Result>(
    _ id: String, _ body: nonisolated(nonsending) (R, OwnedReactor, Local) async throws -> Result
  ) async throws -> Result {
    guard let local, !isLeaving(id) else { throw ClusterError.notOwner(key(id), nil) }
    do {
      return try await local.registry.with(id) { reactor in
        guard let owned = local.journals.owned(key(id)) else {
          throw ClusterError.fenced(key(id), epoch: 0)
        }
        return try await body(reactor, owned, local)
      }
    } catch RegistryError.stopped {
      throw ClusterError.notOwner(key(id), nil)
    }
  }
}
