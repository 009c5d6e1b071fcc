/// The way out: everything that leaves the reactor passes here, a state on its way to observers, an
/// output, a receipt that settles.
///
/// **The seam.** What a crash must not be able to take back can be held back here until it is
/// durable. An answer leaves by its ``ReplyToken``, which knows its pipeline.
extension PipelineCore {
  // MARK: States

  /// What observers see; made for the first of them.
  var output: StateBroadcaster<R.State> { shared.withLock { output(in: &$0) } }

  func output(in shared: inout SharedNotes<R>) -> StateBroadcaster<R.State> {
    if let output = shared.output { return output }
    let output = StateBroadcaster<R.State>()
    if shared.hasEnded { output.finish(with: own.state, version: version) }
    shared.output = output
    return output
  }

  // MARK: Outputs

  func putOut(_ output: R.Output) {
    if ReactorObservers.isAny { observeOutput(output) }
    if Self.isJournaled, let gate { return gate.leave(.output(output)) }
    // Who listens has made the parts.
    if partsIfMade != nil { events.tell(output: output) }
  }

  // MARK: Receipts

  /// A piece of an action's work has ended; with the last one the action settles.
  @inlinable
  func endWork(of number: UInt64, _ run: Run? = nil) {
    if endPiece(of: number, run) { tellEnded(number) }
  }

  /// A piece of an action's work has ended, and the caller tells if it was the last.
  ///
  /// - Returns: Whether it was the last piece.
  @inlinable @inline(__always)
  func endPiece(of number: UInt64, _ run: Run? = nil) -> Bool { ledger.end(number, run) }

  /// Settles an action that never had a turn.
  @usableFromInline
  func settleUntaken(_ number: UInt64) {
    settleIfIdle(number)
    tellEnded(number)
  }

  /// Settles an action that has left no work behind.
  ///
  /// Not inlined: few actions come here, and the code that the others run is shorter for it.
  @inlinable @inline(never)
  func settleIfIdle(_ number: UInt64) {
    if ReactorObservers.isAny { observeEndIfOver(number) }
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
    if SimulatedExecutor.isActive, !Self.hasMutationHook, own.phase != .stubbed {
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
