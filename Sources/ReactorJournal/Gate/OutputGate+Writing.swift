import Reactor
import ReactorRuntime

/// Writes entries batch by batch, and ends the gate.
extension OutputGate {
  /// Begins to write all entries and recorded commands, unless a task is writing.
  private func beginToWrite() {
    let begins = contents.withLock { contents in
      contents.takePendingCommands()
      return contents.machine.begin()
    }
    if begins { beginTask() }
  }

  func beginTask() {
    guard let engine = contents.withLock({ $0.engine }), let home = engine.actor else { return }
    PipelineTasks.make { await self.write(on: home, in: engine) }
  }

  /// Writes until nothing is pending, and keeps the reactor alive meanwhile.
  ///
  /// Each batch is taken on the reactor, between two turns, and written off the reactor.
  private func write(
    on home: isolated any Actor, in engine: any StagedEngine<State, Output>
  ) async {
    while contents.withLock({ $0.machine.continues() }) {
      await writer.prepare()
      let batch = takeBatch(engine.view)
      if batch.isEmpty { continue }
      do {
        try await writer.write(batch)
      } catch {
        return await engine.fail(with: error, showing: shown) { self.shut(by: error) }
      }
      written(batch, engine.view)
      engine.durable(upTo: contents.withLock { $0.machine.durable })
    }
  }

  /// Takes the entries for the next batch.
  func takeBatch(_ view: StagedView<State>?) -> [Entry] {
    let limit = writer.batchLimit
    return contents.withLock { contents in
      contents.takePendingCommands()
      let batch = contents.entries.removeFirst(contents.machine.take(limit: limit))
      if let view, view.isShown, contents.machine.taken == contents.machine.last {
        contents.batchState = (view.state, view.version)
      } else if let shown = batch.last?.shown {
        contents.batchState = (shown.state, shown.version)
      }
      return batch
    }
  }

  /// Releases what waited for a batch that is durable now.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - view: The reactor's state now.
  func written(_ batch: [Entry], _ view: StagedView<State>?) {
    contents.withLock { contents in
      contents.machine.written()
      for command in batch.compactMap(\.command) { contents.pendingCommands.markDurable(command) }
    }
    releaseHeld(view)
    let (isWhole, durable) = contents.withLock { contents in
      let machine = contents.machine
      return (!machine.hasTransient && machine.durable == machine.last, machine.durable)
    }
    writer.written(isWhole ? view?.state : nil, at: durable)
    // What is still held waits for a later batch.
    if contents.withLock({ $0.machine.holdsAny }) { writer.expedite() }
  }

  // MARK: Ending

  nonisolated(nonsending) func close() async {
    guard let engine = contents.withLock({ $0.engine }), engine.actor != nil else {
      return await writer.close()
    }
    beginToWrite()
    // The task of a request records the answer after the action has settled. It may be long until
    // cancelled work returns, so answers to that are not waited for.
    if engine.isWorkEnded { await engine.waitUnlessExpedited { openWhenAnswered($0) } }
    beginToWrite()
    await engine.waitUnlessExpedited { openWhenDurable($0) }
    let closing = contents.withLock { contents in
      contents.takePendingCommands()
      return contents.machine.close()
    }
    guard case .unconfirmed(let count) = closing else { return await writer.close() }
    beginToWrite()
    engine.report(.unconfirmed(count))
    let latch = Latch()
    openWhenDurable(latch)
    PipelineTasks.make {
      await latch.wait()
      await self.writer.close()
    }
  }
}

/// The records of requests that have a key.
extension OutputGate: StoredCommands {
  func command(_ id: String) async throws -> StoredCommand? { try await writer.command(id) }

  func hasUnstored(_ id: String) -> Bool {
    contents.withLock { $0.pendingCommands.hasUnstored(id) }
  }

  func note(_ command: StoredCommand) { changeCommands { $0.add(command) } }

  func endRequest(_ id: String) { changeCommands { $0.endRequest(id) } }

  private func changeCommands(_ change: (inout PendingCommands) -> Void) {
    let latches = contents.withLock { contents in
      change(&contents.pendingCommands)
      return contents.takeAnswerLatches()
    }
    for latch in latches { latch.open() }
  }

  /// Opens a latch once no answer to a command is expected any more.
  private func openWhenAnswered(_ latch: Latch) {
    let latches = contents.withLock { contents in
      contents.answerLatches.append(latch)
      return contents.takeAnswerLatches()
    }
    for latch in latches { latch.open() }
  }

  nonisolated(nonsending) func write() async {
    if let home = contents.withLock({ $0.engine })?.actor { await beginToWrite(on: home) }
  }

  private func beginToWrite(on home: isolated any Actor) { beginToWrite() }

  var holdsBack: Bool { !writer.isWriteBehind }
}
