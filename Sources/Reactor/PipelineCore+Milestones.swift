import ReactorMachines
import Synchronization

/// Telling what other threads have left to be told; see ``Milestone``.
extension PipelineCore {
  /// Leaves something to be told; under the inbox's lock, so that no action comes in between.
  @usableFromInline
  func leave(_ milestones: [Milestone<R.State>]) {
    shared.withLock { $0.rare.milestones += milestones }
    hasMail.store(true, ordering: .sequentiallyConsistent)
  }

  /// Leaves something to be told when all that has been accepted by now has had its turn.
  ///
  /// - Returns: Whether a job has to be made that looks, see ``look(asJob:)``.
  func leaveMilestone(_ reached: @escaping @Sendable (Milestone<R.State>.View?) -> Void) -> Bool {
    inbox.requestJob { leave([Milestone(number: $0, reached: reached)]) }
  }

  /// Sees to it that the reactor looks at what has been left for it, under no lock.
  func look(asJob: Bool) {
    guard let reactor else { return abandonMilestones() }
    if asJob { wake(reactor) }
  }

  /// Tells those whose time has come; the others stay, and are looked at after each turn.
  ///
  /// - Parameters:
  ///   - left: What has been left since this was done last; in the order of their numbers, which is
  ///     that of the inbox.
  ///   - reactor: The reactor.
  func tell(_ left: [Milestone<R.State>], on reactor: isolated R) {
    details.milestones += left
    let version = version
    while let next = details.milestones.first, let state = own.state, isReached(next.number) {
      details.milestones.removeFirst()
      let view = Milestone.View(state: state, version: version)
      let stage = outputStage
      leave(
        .milestone(isHolding ? nil : state, version: version) {
          next.reached(stage?.failure == nil ? view : nil)
        })
    }
    if !details.milestones.isEmpty { hasMail.store(true, ordering: .sequentiallyConsistent) }
  }

  /// Whether so many actions have had their turns, and none of these is under way.
  ///
  /// An action that waits in a lane has had its turn. Behind a `transform(action:)`, one has had it
  /// when the hook has passed it on and asks for the next.
  func isReached(_ number: UInt64) -> Bool {
    guard own.taken >= number else { return phase == .stopped }
    if let taking, taking < number { return false }
    guard Self.hasActionHook else { return true }
    return own.details?.pointee.hooks?.inputs.actions?.holdsAction(before: number) != true
  }

  /// Leaves those again that have yet to come, before the reactor's own is let go.
  @usableFromInline
  func returnMilestones() {
    guard let details = own.details, !details.pointee.milestones.isEmpty else { return }
    let ahead = Array(details.pointee.milestones)
    details.pointee.milestones = []
    shared.withLock { $0.rare.milestones = ahead + $0.rare.milestones }
  }

  /// The reactor is gone, and will come no further.
  @usableFromInline
  func abandonMilestones() {
    guard let parts = partsIfMade else { return }
    let (milestones, seat) = parts.pointee.shared.withLock { shared in
      defer { shared.rare.milestones = [] }
      return (shared.rare.milestones, shared.rare.seat?.seat)
    }
    for milestone in milestones { milestone.reached(nil) }
    seat?.reactorIsGone()
  }
}

extension HookChannel {
  /// Whether an action from before this one is in the hook's hands, or on its way there.
  func holdsAction(before number: UInt64) -> Bool {
    contents.withLock { contents in
      if case .action(let one, _) = contents.current, one < number { return true }
      // They ascend.
      return contents.waitingActions.first().map { $0 < number } ?? false
    }
  }
}
