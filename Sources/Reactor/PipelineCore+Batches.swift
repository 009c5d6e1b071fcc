import ReactorMachines
import Synchronization

/// Several actions that are sent as one: nobody else's comes between them, and what they make of
/// the state is shown once.
///
/// Which ones these are is left for the reactor in the same breath in which they are accepted, and
/// it looks there where it looks for whatever other threads have left.
extension PipelineCore {
  // MARK: Sending

  func acceptTogether(_ actions: [R.Action], for reactor: R) -> [ActionReceipt<R>] {
    let envelopes = actions.map { Envelope($0, contextOfSender()) }
    let admission = inbox.admit(together: envelopes) { numbers in
      shared.withLock { $0.rare.batches.append(PipelineBatch(numbers)) }
      hasMail.store(true, ordering: .sequentiallyConsistent)
    }
    return envelopes.enumerated().map { index, envelope in
      let kind = wakeOrRefuse(
        admission.ofAction(index), envelope.action, with: envelope.context, of: reactor)
      return ActionReceipt(self, kind)
    }
  }

  // MARK: On the reactor

  /// Whether states are kept back, because more actions are to be taken before they are shown.
  @inlinable var isHolding: Bool { own.details?.pointee.isHolding == true }

  /// Begins to keep states back, or shows what has been kept back, as far as the actions have come.
  func holdStates(for left: [PipelineBatch], on reactor: isolated R) {
    details.batches += left
    while let batch = details.batches.first, isReached(batch.range.lowerBound) {
      // When a hook lets the next one go is the hook's business, and observers do not wait for it.
      details.batches[details.batches.startIndex].isHeld = !Self.hasActionHook
      // While `reduce` has the state in its hands, the reactor looks again.
      guard isReached(batch.range.upperBound), own.state != nil else { break }
      endBatch()
    }
    if !details.batches.isEmpty { hasMail.store(true, ordering: .sequentiallyConsistent) }
  }

  /// Shows what has been kept back, and lets those in who have come meanwhile.
  private func endBatch() {
    let batch = details.batches.removeFirst()
    if batch.hasStates, let state = own.state { leave(.state(state, version: version)) }
    for latch in batch.newcomers { latch.open() }
  }

  /// The end has come before the rest of them.
  @usableFromInline
  func endBatches() {
    while own.details?.pointee.batches.isEmpty == false { endBatch() }
  }

  /// A state has been made that is to be shown later.
  @usableFromInline
  func noteStateOfBatch() { details.batches[details.batches.startIndex].hasStates = true }

  /// What opens when states are shown again; `nil` while they are.
  func shownAgain() -> Latch? {
    guard isHolding else { return nil }
    let latch = Latch()
    details.batches[details.batches.startIndex].newcomers.append(latch)
    return latch
  }
}

extension InboxMachine.Admission {
  /// What became of one of several that were admitted together: the first makes the job.
  fileprivate func ofAction(_ index: Int) -> Self {
    guard case .accepted(let first, let schedules) = self else { return self }
    return .accepted(first + UInt64(index), schedules: schedules && index == 0)
  }
}
