import Synchronization

/// Those who come to observe states, and the last of them, who goes.
extension PipelineCore {
  /// Has the states go where observers are, if they have come, and shows those the state of now.
  ///
  /// Behind a gate the outlet has what may be seen, and newcomers find it there.
  func takeUpOutlet() {
    guard !Self.isJournaled || own.details?.pointee.gate == nil else { return }
    let outlet = shared.withLock { $0.outlet }
    let isHooked = own.details?.pointee.hooks?.inputs.states != nil
    if !isHooked, outlet != nil || own.details != nil { details.live = outlet }
    if !isHolding { showToNewcomers() }
  }

  /// Takes back what observers saw, if nobody does any more.
  ///
  /// - Returns: Whether that is so; then the reactor, which has it, too, is to look at its mail.
  func takeBack(_ deserted: StateBroadcaster<R.State>) -> Bool {
    let isTaken = shared.withLock { shared in
      guard shared.outlet === deserted, deserted.fanOut.withLock({ $0.isDeserted }) else {
        return false
      }
      shared.outlet = nil
      return true
    }
    if isTaken { hasMail.store(true, ordering: .sequentiallyConsistent) }
    return isTaken
  }
}
