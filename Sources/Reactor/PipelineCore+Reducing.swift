public import Synchronization

/// Folding a mutation into the state, and showing the state to those that need it: past followers,
/// the output stage, sinks, and what is held back.
extension PipelineCore {
  /// Folds a mutation into the state, and then shows the state to whoever looks.
  @inlinable @inline(__always)
  func reduce(
    _ mutation: R.Mutation, of number: @autoclosure () -> UInt64?, on reactor: isolated R
  ) {
    // Moved out and in again, so that `reduce` edits it in place and nobody sees it half done.
    guard var state = own.state.take() else { return reentered() }
    reactor.reduce(state: &state, mutation: mutation)
    guard let details = own.details, let live = details.pointee.live else {
      own.state = consume state
      return
    }
    show(state, after: mutation, of: number(), to: live)
  }

  @usableFromInline
  func reentered() {
    preconditionFailure(
      "\(R.self): a mutation was emitted inside reduce(state:mutation:); send an action instead")
  }

  @inlinable @inline(never)
  func show(
    _ state: consuming R.State, after mutation: R.Mutation, of number: UInt64?,
    to live: Broadcast<R.State>
  ) {
    version &+= 1
    if !details.followers.isEmpty { showFollowers(state) }
    if let outputStage {
      own.state = consume state
      return pass(mutation, of: number, through: outputStage)
    }
    guard live.isWatched.load(ordering: .relaxed) else {
      own.state = consume state
      return
    }
    own.state = copy state
    if details.sinks != nil { tellReduced(mutation, copy state, of: number) }
    if details.batches.isEmpty || !isHolding {
      showToAll(state, version: version, of: live)
    } else {
      noteStateOfBatch()
    }
  }
}
