import Foundation
import Reactor
import ReactorJournal

/// The reactors of one type, as a host knows them: what it does for its own program and for others.
protocol AnyClusterKind: Sendable {
  var name: String { get }
  /// A new life of the host begins.
  func begin(_ life: HostLife)
  /// A life of the host is over: everything that is here ends, now.
  func end(_ life: HostLife) async
  /// Hands over what belongs elsewhere by now.
  func moveAway(_ life: HostLife) async
  /// Hands over everything.
  func drain() async -> [AbandonedWork]
  /// Answers a call.
  func receive(_ request: CallRequest) async throws -> CallResponse
}

/// The reactors of one type on this host.
///
/// Holds: `state`, guarded by its own lock.
final class ClusterKind<R: JournaledReactor>: AnyClusterKind where R.Action: Codable {
  /// What belongs to one life of the host.
  struct Local: Sendable {
    let life: HostLife
    let journals: HostJournal
    let journal: Journal
    let registry: ReactorRegistry<String, R>
  }

  private struct State: Sendable {
    var local: Local?
    /// Those that are being handed over: nobody takes them here.
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

  /// What is here in the host's present life; `nil` where that is over.
  var local: Local? {
    state.withLock { $0.local }.flatMap { $0.life.isOver ? nil : $0 }
  }

  func isLeaving(_ id: String) -> Bool { state.withLock { $0.leaving.contains(id) } }

  // MARK: Lives

  func begin(_ life: HostLife) {
    let journals = HostJournal(
      life, store, clock, version: R.journalVersion, takingLimit: options.takingLimit)
    let journal = Journal(store: journals, codec: options.codec, options: options.journal)
    let registry = ReactorRegistry<String, R>(idle: idle, clock: options.journal.clock) {
      [make, name] id in
      let reactor = try await make(id)
      let opened = try await journal.open(id) { reactor }
      try? await journals.recovered(JournalKey(name: name, id: id))
      return opened
    }
    let local = Local(life: life, journals: journals, journal: journal, registry: registry)
    state.withLock { state in
      state.local = local
      state.leaving = []
    }
  }

  func end(_ life: HostLife) async {
    let local = state.withLock { state -> Local? in
      guard let local = state.local, local.life === life else { return nil }
      state.local = nil
      return local
    }
    _ = await local?.registry.stop(.cancel)
  }

  func drain() async -> [AbandonedWork] {
    guard let local = state.withLock({ $0.local }) else { return [] }
    return await local.registry.drain()
  }

  func moveAway(_ life: HostLife) async {
    guard let local, local.life === life else { return }
    let moving = local.journals.keys.map(\.id).filter { id in
      life.place(name, id).map { $0.id != life.id } ?? false
    }
    await withTaskGroup(of: Void.self) { group in
      for (place, id) in moving.sorted().enumerated() {
        if place >= options.movesAtOnce { await group.next() }
        group.addTask { await self.move(id, from: local) }
      }
    }
  }

  /// Ends a reactor in order; its row is released after its end, and the next host takes it.
  private func move(_ id: String, from local: Local) async {
    state.withLock { _ = $0.leaving.insert(id) }
    await local.registry.stop(id, .drain)
    state.withLock { _ = $0.leaving.remove(id) }
  }

  // MARK: Commands

  /// Does something with a reactor that is here, or comes here by that.
  ///
  /// - Throws: ``ClusterError/notMine(_:_:)`` where another host has it, or this one is just
  ///   letting it go.
  nonisolated(nonsending) func with<Result>(
    _ id: String, _ body: nonisolated(nonsending) (R, HeldKey, Local) async throws -> Result
  ) async throws -> Result {
    guard let local, !isLeaving(id) else { throw ClusterError.notMine(key(id), nil) }
    do {
      return try await local.registry.with(id) { reactor in
        guard let held = local.journals.held(key(id)) else {
          throw ClusterError.fenced(key(id), epoch: 0)
        }
        return try await body(reactor, held, local)
      }
    } catch RegistryError.stopped {
      throw ClusterError.notMine(key(id), nil)
    }
  }

  /// Sends an action for a command, and waits for what comes of it.
  ///
  /// - Parameters:
  ///   - id: To which reactor.
  ///   - head: The command.
  ///   - action: Makes the action; its reply, if it has one, answers the command.
  /// - Returns: What came of it, which may be believed.
  /// - Throws: ``ClusterError``, or what making the reactor throws.
  nonisolated(nonsending) func perform(
    _ id: String, _ head: CallRequest.Head, _ action: (RunningCommand) throws -> R.Action
  ) async throws -> Performed {
    try await with(id) { reactor, held, local in
      let (command, isKnown) = held.enter(head.command)
      if isKnown {
        await command.done.wait()
        guard let result = command.result else { throw CancellationError() }
        return result
      }
      do {
        if let known = try await knownBefore(head, held) { return finish(command, held, known) }
        let action = try action(command)
        if head.verb == .send { return try await accept(action, command, held, reactor) }
        begin(action, command, held, reactor, isAsked: head.verb == .ask)
      } catch {
        command.finish(.kept(.failed(ClusterFailure(error))))
        held.leave(command)
        throw error
      }
      return try await finish(command, within: head.within, held, reactor, local)
    }
  }

  /// What the journal has of a command that may have been begun elsewhere.
  private nonisolated(nonsending) func knownBefore(
    _ head: CallRequest.Head, _ held: HeldKey
  ) async throws -> Performed? {
    guard head.attempt > 1, let record = try await store.command(head.command, of: held.key) else {
      return nil
    }
    guard let answer = record.answer else {
      // Of an action that was only to be accepted there is no more to know.
      if head.verb == .send { return .kept(.done(nil)) }
      throw ClusterError.unfinished(held.key, command: head.command)
    }
    return .kept(try CommandResult(encoded: answer))
  }

  private func finish(
    _ command: RunningCommand, _ held: HeldKey, _ result: Performed
  ) -> Performed {
    command.finish(result)
    held.leave(command)
    return result
  }

  /// Sends, and sees to it that the command is told of the action's end.
  @discardableResult
  private func begin(
    _ action: R.Action, _ command: RunningCommand, _ held: HeldKey, _ reactor: R, isAsked: Bool
  ) -> ActionReceipt<R> {
    let place = Guarded<ActionReceipt<R>?>(nil)
    held.send(command) {
      let receipt = reactor.send(action)
      place.withLock { $0 = receipt }
      return (receipt.actionNumber?.rawValue, { receipt.cancel() })
    }
    guard let receipt = place.withLock({ $0 }) else { preconditionFailure("it was just sent") }
    SimulatedExecutor.task {
      let failure = ClusterFailure(await receipt.outcome)
      command.over(failure, isAsked: isAsked)
      // Nobody answers any more when the reactor has ended.
      let end = held.ended.whenHappened {
        command.answer(.failure(ClusterFailure(.ended, "the reactor ended in the middle")))
      }
      await command.done.wait()
      held.ended.takeBack(end)
      held.leave(command)
    }
    return receipt
  }

  private nonisolated(nonsending) func accept(
    _ action: R.Action, _ command: RunningCommand, _ held: HeldKey, _ reactor: R
  ) async throws -> Performed {
    let receipt = begin(action, command, held, reactor, isAsked: false)
    let refusal = receipt.isRefused ? receipt.refusal : nil
    let result = Performed.kept(
      refusal.map { .failed(ClusterFailure(ClusterFailure.Kind(of: $0), "refused: \($0)")) }
        ?? .done(nil))
    command.finish(result)
    return result
  }

  /// Waits for the answer, and until it may be believed.
  private nonisolated(nonsending) func finish(
    _ command: RunningCommand, within limit: Double?, _ held: HeldKey, _ reactor: R, _ local: Local
  ) async throws -> Performed {
    let time = limit.map { seconds in
      SimulatedExecutor.task { [clock] in
        guard (try? await clock.sleep(.seconds(seconds))) != nil else { return }
        command.answer(.failure(ClusterFailure(.late, "not within \(seconds) s")))
        command.cancel()
      }
    }
    defer { time?.cancel() }
    await withTaskCancellationHandler {
      await command.answered.wait()
    } onCancel: {
      command.cancel()
    }
    var answer = command.answer ?? .failure(CancellationError())
    do {
      try await reactor.pipeline.durable()
    } catch {
      answer = .failure(ClusterFailure(.ended, "the reactor ended in the middle: \(error)"))
    }
    // Nobody believes a host whose lease is over, unless what it says is in the journal.
    if local.life.isOver, !command.isRecorded {
      answer = .failure(ClusterFailure(.ended, "the host's lease has run out"))
    }
    let result = Performed.live(answer)
    if command.needsKeeping, let encoded = try? CommandResult(answer).encoded() {
      try? await store.answer(
        command.id, of: held.key, with: encoded, by: local.life.id, epoch: held.epoch)
    }
    command.finish(result)
    return result
  }
}
