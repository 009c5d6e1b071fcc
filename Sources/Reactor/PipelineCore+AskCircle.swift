import ReactorMachines
public import Synchronization

/// What the search for those who wait for themselves asks a reactor, and where it begins.
extension PipelineCore {
  // MARK: Whose work it is

  /// Whether the effect that is being started is to know whose work it is: others may wait for it.
  @inlinable var namesWork: Bool {
    if AskWaits.haveBegun.load(ordering: .relaxed) { return true }
    return Self.hasLanes && own.details?.pointee.lanes.mayHoldUp == true
  }

  // MARK: Looking

  /// Somebody's work waits for an action of this reactor.
  ///
  /// - Returns: What to forget once it does not any more.
  nonisolated(nonsending) func lookForCircle(
    _ number: UInt64, _ waiter: Ask
  ) async -> AskWaits.Wait? {
    guard let asking = AskingWork.current else { return nil }
    let wait = AskWaits.Wait(asking: asking, asked: AskingWork(self, number), waiter: waiter)
    AskWaits.add(wait)
    await AskCircle.look(for: wait)
    return wait
  }

  /// An action has come to wait in its lane.
  @usableFromInline
  func lookForCircle(before number: UInt64) {
    let asked = AskingWork(self, ledger.origin(of: number))
    guard let wait = AskWaits.wait(of: asked.key) else { return }
    PipelineTasks.make { await AskCircle.look(for: wait) }
  }

  // MARK: Being asked

  @usableFromInline
  func obstacle(before number: UInt64) async -> AskObstacle {
    guard Self.hasLanes, let reactor else { return .none }
    return await obstacle(before: number, on: reactor)
  }

  private func obstacle(before number: UInt64, on reactor: isolated R) -> AskObstacle {
    for one in [number] + ledger.twins(of: number) {
      guard let parked = details.lanes.parked[one], !parked.hasSlot else { continue }
      let record = parked.record
      let active = record.machine.active
      // Where some are evicted, or there is room, it is time that is waited for, or nearly over.
      let isFull = active.count >= record.machine.rules.limit
      return isFull && record.machine.occupied == active.count ? .lane(active) : .none
    }
    return .none
  }

  @usableFromInline
  func name(of number: UInt64) async -> String? {
    guard let reactor else { return nil }
    return await name(of: number, on: reactor)
  }

  private func name(of number: UInt64, on reactor: isolated R) -> String? {
    for one in [number] + ledger.twins(of: number) {
      if let run = ledger.works(of: one).first { return ReportText.name(of: run.action) }
      if Self.hasLanes, let parked = details.lanes.parked[one] {
        return ReportText.name(of: parked.action)
      }
    }
    return nil
  }
}
