import Synchronization

/// Those who come to observe states, and the last of them, who goes.
extension PipelineCore {
  /// What observers see; made for the first of them.
  var outlet: Broadcast<R.State> { shared.withLock { outlet(in: &$0) } }

  func outlet(in shared: inout SharedNotes<R>) -> Broadcast<R.State> {
    if let outlet = shared.outlet { return outlet }
    let outlet = Broadcast<R.State>(hasValues: true)
    if shared.hasEnded { outlet.finish(with: own.state.map { ($0, version) }) }
    shared.outlet = outlet
    return outlet
  }

  /// Has the states go where observers are, if they have come, and shows those the state of now.
  ///
  /// With an output stage the outlet has what may be seen, and newcomers find it there.
  func takeUpOutlet() {
    guard outputStage == nil else { return }
    let outlet = shared.withLock { $0.outlet }
    let isHooked = own.details?.pointee.hooks?.inputs.states != nil
    if !isHooked, outlet != nil || own.details != nil { details.live = outlet }
    if !isHolding { showToNewcomers() }
  }

  /// Shows the state of now to those who have come since the last one was shown.
  ///
  /// While `reduce` has it in its hands, they wait until the reactor next looks.
  func showToNewcomers() {
    guard let live = own.details?.pointee.live else { return }
    guard let state = own.state else {
      return hasMail.store(true, ordering: .sequentiallyConsistent)
    }
    live.deliver(live.offer(state, number: version))
  }

  /// Takes back what observers saw, if nobody does any more.
  ///
  /// - Returns: Whether that is so; then the reactor, which has it, too, is to look at its mail.
  func takeBack(_ deserted: Broadcast<R.State>) -> Bool {
    let isTaken = shared.withLock { shared in
      guard shared.outlet === deserted, deserted.isDeserted else {
        return false
      }
      shared.outlet = nil
      return true
    }
    if isTaken { hasMail.store(true, ordering: .sequentiallyConsistent) }
    return isTaken
  }
}
