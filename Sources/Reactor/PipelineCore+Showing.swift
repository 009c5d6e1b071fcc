public import Synchronization

/// A state that has been reduced, on its way to those who look: past children, the gate, what tests
/// and observers are told, and what is held back.
extension PipelineCore {
  @inlinable @inline(never)
  func show(
    _ state: consuming R.State, after mutation: R.Mutation, of number: UInt64?,
    to live: StateBroadcaster<R.State>
  ) {
    version &+= 1
    if details.hasChildren { followChildren(state) }
    if Self.isJournaled, let gate = details.gate {
      own.state = copy state
      if details.telling != nil { observeReduced(mutation, copy state, of: number) }
      return holdBack(state, after: mutation, of: number, gate)
    }
    guard live.isWatched.load(ordering: .relaxed) else {
      own.state = consume state
      return
    }
    own.state = copy state
    if let steps = details.steps {
      steps.tell(.reduced(mutation, copy state, mutation: version, of: number))
    }
    if details.telling != nil { observeReduced(mutation, copy state, of: number) }
    if details.batches.isEmpty || !isHolding {
      live.publish(state, version: version)
    } else {
      keepBack()
    }
  }
}
