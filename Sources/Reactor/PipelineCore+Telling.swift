public import Synchronization

/// Telling the steps; see ``PipelineStep``. All of it stands apart from the code that runs where
/// nobody listens.
extension PipelineCore {
  // MARK: On the reactor

  /// Tells a step of the reactor's own, if somebody listens.
  @inlinable
  func tell(_ step: @autoclosure () -> Step) {
    if let steps = own.details?.pointee.steps { steps.tell(step()) }
  }

  /// Tells that a turn begins, where somebody listens to the steps.
  ///
  /// - Returns: The turn, which the ledger knows of now.
  @usableFromInline
  func told(_ turn: Turn<R.Action>) -> Turn<R.Action> {
    guard let steps = own.details?.pointee.steps else { return turn }
    if !turn.isInLedger { ledger.begin(turn.number) }
    steps.tell(.taken(turn.action, number: turn.number))
    return Turn(turn.action, number: turn.number, listening: turn.listening, isInLedger: true)
  }

  /// An action is about to be carried out.
  @usableFromInline
  func tellBegun(_ number: UInt64) {
    guard let details = own.details, let steps = details.pointee.steps else { return }
    steps.tell(.begun(number: number, lane: details.pointee.lanes.keyOfTurn))
  }

  // MARK: On any thread

  /// Who listens to the steps.
  ///
  /// Mostly nobody, which is known without a lock.
  @inlinable var steps: Listener? {
    guard let parts = partsIfMade, parts.pointee.latestListener.load(ordering: .acquiring) != 0
    else { return nil }
    return stepsListenedTo
  }

  @usableFromInline var stepsListenedTo: Listener? { shared.withLock { $0.rare.steps } }

  @inlinable
  func tellEnded(_ number: UInt64) { steps?.tell(.ended(number: number)) }
}
