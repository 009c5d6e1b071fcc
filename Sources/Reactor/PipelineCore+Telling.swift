import Synchronization

/// Telling the steps; see ``PipelineStep``. All of it stands apart from the code that runs where
/// nobody listens.
extension PipelineCore {
  // MARK: On the reactor

  /// Tells a step of the reactor's own, if somebody listens.
  @inlinable
  func tell(_ step: @autoclosure () -> PipelineStep<R>) {
    if let steps = own.details?.pointee.steps { steps.tell(step()) }
  }

  /// An action's turn begins, and somebody listens to the actions.
  ///
  /// - Returns: Whether the ledger knows of the turn now.
  @usableFromInline
  func tellTaken(_ action: R.Action, _ number: UInt64, isInLedger: Bool) -> Bool {
    guard let steps = own.details?.pointee.steps else { return isInLedger }
    if !isInLedger { ledger.begin(number) }
    steps.tell(.taken(action, number: number))
    return true
  }

  /// An action is about to be carried out.
  @usableFromInline
  func tellBegun(_ number: UInt64) {
    guard let details = own.details, let steps = details.pointee.steps else { return }
    let lanes = details.pointee.lanes
    steps.tell(
      .begun(number: number, lane: lanes.entering?.key ?? lanes.slot?.record.state.rules.key))
  }

  // MARK: On any thread

  /// Who listens to the steps.
  ///
  /// Mostly nobody, which is known without a lock.
  @usableFromInline var steps: StepListener<R>? {
    guard let parts = partsIfMade, parts.pointee.latestListener.load(ordering: .acquiring) != 0
    else { return nil }
    return shared.withLock { $0.rare.steps }
  }

  /// A piece of an action's work has ended: with the last one, so has the action.
  @inlinable
  func endWork(of number: UInt64, _ run: Run? = nil) {
    if ledger.end(number, run) { tellEnded(number) }
  }

  @usableFromInline
  func tellEnded(_ number: UInt64) { steps?.tell(.ended(number: number)) }
}
