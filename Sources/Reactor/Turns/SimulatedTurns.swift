/// Turns in a simulation, one action at a time.
///
/// There an effect that uses the reactor cannot begin in the middle of its action's turn: a task
/// that prefers an executor is queued for its actor, even by the actor itself. So the turn makes
/// way for it: what an effect emits before it suspends is reduced before the next action is taken,
/// as elsewhere.
extension PipelineCore {
  @usableFromInline
  func drainOneByOne(on reactor: isolated R) async {
    while true {
      if hasReady {
        await startReadyOneByOne(on: reactor)
      } else if let next = nextAction(endingJob: true, on: reactor) {
        handOn(next, on: reactor)
        await letEffectsBegin(on: reactor)
      } else {
        return
      }
    }
  }

  @usableFromInline
  func takeOneByOne(
    _ action: R.Action, number: UInt64, with context: ActionContext?, on reactor: isolated R
  ) async {
    await startReadyOneByOne(on: reactor)
    take(action, number: number, with: context, on: reactor)
    await letEffectsBegin(on: reactor)
    await startReadyOneByOne(on: reactor)
  }

  private func startReadyOneByOne(on reactor: isolated R) async {
    while Self.hasLanes, taking == nil, let (number, parked) = nextReady(on: reactor) {
      start(parked, number: number, on: reactor)
      await letEffectsBegin(on: reactor)
    }
  }

  /// Their jobs are queued for the reactor already; this one's comes behind them.
  private func letEffectsBegin(on reactor: isolated R) async {
    // Two tasks may have turns to give, and each waits for what its own have begun.
    let told = details.untold
    details.untold = []
    await Task.yield()
    for turn in told { tellOverNow(turn) }
  }
}
