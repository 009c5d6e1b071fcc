import ReactorMachines
import Synchronization

/// The way out: everything that leaves the reactor passes here, a state on its way to observers, an
/// output, a receipt that settles.
///
/// **The seam.** What a crash must not be able to take back is held back by an ``OutputStage``, and
/// comes here when it may leave. An answer leaves by its ``ReplyToken``, which knows its pipeline.
extension PipelineCore {
  // MARK: States

  /// Shows a state to all who observe, or to the hook before them.
  ///
  /// Each state comes by here once, however many observe, and whatever it comes from: a mutation,
  /// several actions that were sent as one, a journal that has kept it, a stub.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - version: How many states there have been.
  ///   - outlet: Where it goes; `details.live`, where that is known.
  @inlinable @inline(__always)
  func showToAll(_ state: R.State, version: UInt64, of outlet: Broadcast<R.State>?) {
    outlet?.publish(state, number: version)
  }

  /// Ends what shows states and outputs, after the last of them.
  @inlinable
  func finishShowing(_ hooks: Hooks?) {
    events.finishOutputs()
    if let input = hooks?.inputs.states {
      hooks?.inputs.statesEnd?.gave(version + 1)
      return input.finish()
    }
    let outlet = shared.withLock { shared in
      shared.hasEnded = true
      defer { shared.outlet = nil }
      return shared.outlet
    }
    own.details?.pointee.live = nil
    outlet?.finish(with: own.state.map { ($0, version) })
  }

  // MARK: Outputs

  func putOut(_ output: R.Output) {
    tell(.output(output, of: actionOfCaller))
    if let outputStage { return outputStage.leave(.output(output)) }
    // Who listens has made the parts.
    if partsIfMade != nil { events.tell(output: output) }
  }

  // MARK: Receipts

  /// A piece of an action's work has ended; with the last one the action settles.
  @inlinable
  func endWork(of number: UInt64, _ run: Run? = nil) {
    guard let settled = endPiece(of: number, run) else { return }
    tellEnded(number)
    settled.open()
  }

  /// A piece of an action's work has ended, and the caller tells if it was the last.
  ///
  /// - Returns: What waited for the action, to be opened once sinks know that it has ended; `nil`
  ///   if this was not the last piece.
  @inlinable @inline(__always)
  func endPiece(of number: UInt64, _ run: Run? = nil) -> Settled? {
    if let run { ledger.end(number, run) } else { ledger.end(number) }
  }

  /// Settles an action that never had a turn.
  @usableFromInline
  func settleUntaken(_ number: UInt64) {
    tellEnded(number)
    settleIfIdle(number)
  }

  /// Settles an action that has left no work behind.
  ///
  /// Not inlined: few actions come here, and the code that the others run is shorter for it.
  @inlinable @inline(never)
  func settleIfIdle(_ number: UInt64) {
    let hasWaiters = ledger.settleIfIdle(number)
    // Actions are taken in order; what was taken before and is still awaited has work in the
    // ledger.
    let parts = parts
    parts.pointee.awaited = hasWaiters ? max(parts.pointee.awaited, number &+ 1) : .max
    own.isAwaited = hasWaiters
  }

  // MARK: Actions

  /// Tells those who listen that an action has been taken: now, or when what it began has run.
  @usableFromInline
  func tellOver(_ turn: Turn<R.Action>) {
    // Where the turn makes way for its effects, which have yet to begin.
    if SimulatedExecutor.isActive, !Self.hasMutationHook, phase != .stubbed {
      details.untold.append(turn)
    } else {
      tellOverNow(turn)
    }
  }

  func tellOverNow(_ turn: Turn<R.Action>) {
    events.tell(turn.action, toStreamsUpTo: turn.listening)
    tell(.turnEnded(turn.action, number: turn.number))
  }
}
