import Synchronization

/// Those who come to observe states, and the last of them, who goes.
extension PipelineCore {
  /// Has the states go where observers are, if they have come, and shows those the state of now.
  ///
  /// Behind a gate the output has what may be seen, and newcomers find it there.
  func takeUpOutput() {
    guard !Self.isJournaled || own.details?.pointee.gate == nil else { return }
    let output = shared.withLock { $0.output }
    let isHooked = own.details?.pointee.hooks?.inputs.states != nil
    if !isHooked, output != nil || own.details != nil { details.live = output }
    if !isHolding { showToNewcomers() }
  }

  /// Gives observers that have come since the last state the present one to begin with.
  ///
  /// While `reduce` has it in its hands, they wait until the reactor next looks.
  func showToNewcomers() {
    guard let live = own.details?.pointee.live else { return }
    guard let state = own.state else {
      return hasMail.store(true, ordering: .sequentiallyConsistent)
    }
    live.attachPending(to: state, version: version)
  }

  /// Takes back what observers saw, if nobody does any more.
  ///
  /// - Returns: Whether that is so; then the reactor, which has it, too, is to look at its mail.
  func takeBack(_ deserted: StateBroadcaster<R.State>) -> Bool {
    let isTaken = shared.withLock { shared in
      guard shared.output === deserted, deserted.fanOut.withLock({ $0.isDeserted }) else {
        return false
      }
      shared.output = nil
      return true
    }
    if isTaken { hasMail.store(true, ordering: .sequentiallyConsistent) }
    return isTaken
  }
}
