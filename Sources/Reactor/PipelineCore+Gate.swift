import ReactorMachines
import Synchronization

/// The gate that a reactor's states and outputs pass.
@usableFromInline
package typealias PipelineGate<R: Reactor> = OutputGate<R.Mutation, R.State, R.Output>

/// The gate of a journaled reactor: what it holds, and who writes meanwhile.
extension PipelineCore {
  /// Known when the reactor's type is: one that is not journaled has no code for it.
  @inlinable static var isJournaled: Bool { R._isJournaled }

  /// The gate, once a journal has opened the reactor.
  @usableFromInline var gate: PipelineGate<R>? {
    guard Self.isJournaled else { return nil }
    return partsIfMade?.pointee.shared.withLock { $0.rare.gate }
  }

  // MARK: Opening

  /// Begins with a state that was made of what is kept, behind a gate.
  ///
  /// - Returns: Whether the reactor had yet to begin; otherwise nothing has been done.
  func open(from state: R.State, behind gate: PipelineGate<R>, on reactor: isolated R) -> Bool {
    guard phase == .idle else { return false }
    shared.withLock { $0.rare.gate = gate }
    details.gate = gate
    own.state = state
    startTaking(on: reactor)
    return true
  }

  /// Nobody has opened this reactor: its actions are refused, and that is said of each.
  @usableFromInline
  func startUnopened(on reactor: isolated R) {
    _ = inbox.begin(as: .stub)
    connect(reactor)
    own.state = reactor.initialState
    details.recordAction = { [weak self] in self?.refuseUnopened($0) }
  }

  private func refuseUnopened(_ action: R.Action) {
    let number = own.taken &- 1
    note(.refused(.notOpened), of: number)
    report(.notOpened, action, number)
  }

  // MARK: Reducing

  /// Hands a mutation over to be kept, and holds back the state that shows it.
  ///
  /// Guard: called by whoever reduces, on the reactor.
  @usableFromInline
  func passToGate(
    _ state: R.State, after mutation: R.Mutation, of number: UInt64?, _ gate: PipelineGate<R>
  ) {
    let isWatched = details.live?.isWatched.load(ordering: .relaxed) == true
    let isShown = !isHolding
    if !isShown { noteStateOfBatch() }
    let mustWrite = gate.reduced(
      mutation, state, version: version, isWatched: isWatched, isShown: isShown, cause: number)
    if mustWrite, let reactor {
      PipelineTasks.make { await self.write(behind: gate, on: reactor) }
    }
  }

  /// Reduces a mutation that is no action's.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - note: What is to be written beside it.
  ///   - last: The mutation that is to be the last one before; nothing is done if it is not.
  ///   - reactor: The reactor.
  /// - Returns: Whether it has been done.
  func putIn(_ mutation: R.Mutation, note: any Sendable, after last: Int, on reactor: isolated R)
    -> Bool
  {
    guard let gate = details.gate, phase == .running, gate.own.last == last,
      gate.failure == nil
    else {
      return false
    }
    gate.own.note = note
    reduce(mutation, of: nil, on: reactor)
    gate.own.note = nil
    return true
  }

  // MARK: Writing

  /// Writes until nothing is left to be written; keeps the reactor meanwhile.
  private func write(behind gate: PipelineGate<R>, on reactor: isolated R) async {
    while gate.failure == nil {
      await gate.keeper.prepare()
      gate.takeNotes()
      if gate.own.pending.isEmpty { break }
      let batch = gate.takeBatch(isHolding ? nil : own.state, version: version)
      do {
        try await gate.keeper.keep(batch)
      } catch {
        return await fail(gate, with: error, on: reactor)
      }
      gate.areKept(batch)
      gate.kept(
        through: batch.last?.sequence ?? gate.own.durable, now: own.state, version: version,
        isShown: !isHolding)
      tell(.durable(upTo: gate.own.durable))
      if gate.own.pending.isEmpty { break }
    }
    gate.own.isWriting = false
  }

  /// Writes what was noted as well, unless somebody does.
  private func beginToWrite(_ gate: PipelineGate<R>, on reactor: isolated R) {
    gate.takeNotes()
    guard gate.mustWrite() else { return }
    PipelineTasks.make { await self.write(behind: gate, on: reactor) }
  }

  /// Has the commands that were noted written, and does not wait for that.
  nonisolated(nonsending) func writeNotes() async {
    if let gate, let reactor { await beginToWrite(gate, on: reactor) }
  }

  /// Returns once the commands that were noted are kept.
  ///
  /// - Parameter isAsked: Whether it waits for that whatever the level says; otherwise it returns
  ///   at once where nothing waits for it.
  /// - Throws: What the store has failed with, or `CancellationError`.
  nonisolated(nonsending) func keepNotes(isAsked: Bool) async throws {
    guard let gate else { return }
    await writeNotes()
    if isAsked || !gate.keeper.isBehind { try await passGateOrThrow(isAsked: true) }
  }

  /// What cannot be kept has not been: the reactor ends with the last state that was shown.
  private func fail(
    _ gate: PipelineGate<R>, with error: any Error, on reactor: isolated R
  ) async {
    // First all that whoever waits may look at when it is let go.
    let closing = inbox.close(.cancel)
    if let shown = gate.own.shown { own.state = shown }
    report(.journalFailed(error), nil)
    gate.shut(by: error)
    switch closing.step {
    case .hurried: finishMutations()
    // The job finds nothing to do; without it there would be none to find that.
    case .begun: if closing.schedules { wake(reactor) }
    case .already: break
    }
    guard inbox.cutShort() else { return }
    keepAbandoned(on: reactor)
    end(isFirst: true)
    dropWaiting()
    await gate.keeper.close()
    inbox.finished()
  }

  /// The end has come before what waits in the inbox: nobody performs it any more.
  private func dropWaiting() {
    let waiting = own.batch.removeAll() + inbox.dropWaiting()
    for envelope in waiting {
      let number = own.taken
      own.taken &+= 1
      if envelope.context != nil { follow(envelope, number: number) }
      if !own.looksAtEach || !endIfSkipped(number) {
        note(.neverBegun, of: number)
        report(.actionDropped, envelope.action, number)
      }
      settleUntaken(number)
    }
  }

  // MARK: Ending

  /// Ends what shows states and outputs, once what was reduced has been kept.
  @usableFromInline
  func finishBehind(_ gate: PipelineGate<R>, _ hooks: Hooks?) {
    gate.leave(.errand { self.finishShowing(hooks) })
  }

  /// Waits until everything is kept, unless it is hurried, and lets go of the journal.
  func close(_ gate: PipelineGate<R>, on reactor: isolated R) async {
    beginToWrite(gate, on: reactor)
    await waitUnlessHurried(on: reactor) { gate.whenKept($0) }
    gate.own.isClosed = true
    if gate.own.durable < gate.own.last, gate.failure == nil {
      report(.unconfirmed(gate.own.last - gate.own.durable), nil)
      let latch = Latch()
      gate.whenKept(latch)
      PipelineTasks.make {
        await latch.wait()
        await gate.keeper.close()
      }
    } else {
      await gate.keeper.close()
    }
  }

  /// The reactor has gone, and with it whoever wrote.
  @usableFromInline
  func letGoOfGate() {
    guard let gate else { return }
    PipelineTasks.detached { await gate.keeper.close() }
  }
}

extension ReactorPipeline {
  /// Begins with a state that was made of what is kept, behind a gate.
  ///
  /// - Returns: Whether the reactor had yet to begin; otherwise nothing has been done.
  package func open(
    from state: R.State, behind gate: PipelineGate<R>, on reactor: isolated R
  ) -> Bool {
    core.open(from: state, behind: gate, on: reactor)
  }

  /// The gate, once a journal has opened the reactor.
  package var gate: PipelineGate<R>? { core.gate }

  /// Reduces a mutation that is no action's; see ``PipelineCore/putIn(_:note:after:on:)``.
  package func putIn(
    _ mutation: R.Mutation, note: any Sendable, after last: Int, on reactor: isolated R
  ) -> Bool {
    core.putIn(mutation, note: note, after: last, on: reactor)
  }

  /// Has the commands that were noted written, and does not wait for that.
  nonisolated(nonsending) package func writeNotes() async { await core.writeNotes() }

  /// Returns once the commands that were noted are kept.
  ///
  /// - Parameter isAsked: Whether it waits for that whatever the level says; otherwise it returns
  ///   at once where nothing waits for it.
  /// - Throws: What the store has failed with, or `CancellationError`.
  nonisolated(nonsending) package func keepNotes(isAsked: Bool = false) async throws {
    try await core.keepNotes(isAsked: isAsked)
  }

  /// Whether it takes actions.
  package func isRunning(on reactor: isolated R) -> Bool { core.phase == .running }

  /// Cancels the work of all actions that have effects running.
  package func cancelEffects(on reactor: isolated R) {
    for number in Set(core.ledger.works().map(\.number)) { core.cancelNow(number, on: reactor) }
  }

  /// The mutation that was reduced last.
  package func lastMutation(on reactor: isolated R) -> Int? { core.gate?.own.last }

  /// Returns once all that has been reduced by now has been kept.
  nonisolated(nonsending) package func durable() async throws {
    try await core.passGateOrThrow(isAsked: true)
  }
}
