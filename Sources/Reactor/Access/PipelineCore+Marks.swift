import ReactorMachines
import Synchronization

/// Positions that other threads have marked; see ``EngineMark``.
///
/// The reactor looks for them where it looks for whatever other threads have left, so that an
/// engine without one does nothing for them.
extension PipelineCore {
  /// Leaves marks; under the inbox's lock, so that no action comes in between.
  @usableFromInline
  func leave(_ marks: [EngineMark]) {
    shared.withLock { $0.rare.marks += marks }
    hasMail.store(true, ordering: .sequentiallyConsistent)
  }

  /// Sees to it that the reactor looks at what has been left for it, under no lock.
  func look(asJob: Bool) {
    guard let reactor else { return abandonMarks() }
    if asJob { wake(reactor) }
  }

  /// Calls the marks that have been reached; the others are looked at after each turn.
  ///
  /// - Parameters:
  ///   - left: What has been left since this was done last, in the order of the inbox.
  ///   - reactor: The reactor.
  func passMarks(_ left: [EngineMark], on reactor: isolated R) {
    details.marks += left
    let version = version
    while let next = details.marks.first, let state = own.state, isReached(next.number) {
      details.marks.removeFirst()
      guard let outputStage else {
        next.reached(version) { state }
        continue
      }
      outputStage.leave(
        .milestone(isHolding ? nil : state, version: version) {
          let isKept = outputStage.failure == nil
          next.reached(isKept ? version : nil) { isKept ? state : nil }
        })
    }
    if !details.marks.isEmpty { hasMail.store(true, ordering: .sequentiallyConsistent) }
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

  /// Leaves the marks again that have yet to be reached, before the reactor's details are released.
  @usableFromInline
  func returnMarks() {
    guard let details = own.details, !details.pointee.marks.isEmpty else { return }
    let ahead = Array(details.pointee.marks)
    details.pointee.marks = []
    shared.withLock { $0.rare.marks = ahead + $0.rare.marks }
  }

  /// The reactor has been released, and will come no further.
  @usableFromInline
  func abandonMarks() {
    guard let parts = partsIfMade else { return }
    let marks = parts.pointee.shared.withLock { shared in
      defer { shared.rare.marks = [] }
      return shared.rare.marks
    }
    for mark in marks { mark.reached(nil) { nil } }
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
