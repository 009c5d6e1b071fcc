import ReactorMachines
import Synchronization

/// What follows the engine from outside; see ``EngineFollower``.
extension PipelineCore {
  @usableFromInline
  func withFollowers<Result: Sendable>(
    _ body: (inout [any EngineFollower<R.State>]) -> Result
  ) -> Result {
    shared.withLock { body(&$0.rare.followers) }
  }

  /// Shows the followers the first state, and sees to it that they are shown the others.
  @usableFromInline
  func beginFollowing(on reactor: isolated R) {
    let followers = withFollowers { $0.filter { $0.followsStates } }
    guard !followers.isEmpty, let state = own.state else { return }
    details.followers = followers
    outlet.needEveryElement(true)
    details.hooks?.inputs.states?.needEveryElement(true)
    if details.live == nil { details.live = outlet }
    for follower in followers { follower.begin(with: state) }
  }

  @usableFromInline
  func showFollowers(_ state: R.State) {
    for follower in details.followers { follower.follow(state) }
  }

  // MARK: Ending

  /// Has the followers drain what they have, also what they begin meanwhile.
  func drainFollowers(on reactor: isolated R) async {
    while !inbox.life.isHurried {
      let waits = own.details?.pointee.followers.compactMap { $0.drain() } ?? []
      if waits.isEmpty {
        // What was ended meanwhile is work that the ledger knows of.
        if ledger.isEmpty { return }
        await waitUnlessHurried { ledger.whenIdle($0) }
        continue
      }
      await waitUnlessHurried { latch in
        PipelineTasks.make {
          for wait in waits { await wait() }
          latch.open()
        }
      }
    }
  }

  /// Ends what the followers have, with the reactor.
  @usableFromInline
  func endFollowing() {
    guard let details = own.details else { return }
    let waits = details.pointee.followers.compactMap { $0.end() }
    details.pointee.followers = []
    // Nothing waits for the end of one that has been released.
    guard reactor != nil else { return }
    for wait in waits { keepOpen(until: wait) }
  }

  /// The reactor has been released.
  @usableFromInline
  func releaseFollowers() {
    guard let parts = partsIfMade else { return }
    let followers = parts.pointee.shared.withLock { $0.rare.followers }
    for follower in followers { follower.released() }
  }

  nonisolated(nonsending) func abandonedByFollowers() async -> [AbandonedWork] {
    guard let parts = partsIfMade else { return [] }
    var abandoned: [AbandonedWork] = []
    for follower in parts.pointee.shared.withLock({ $0.rare.followers }) {
      abandoned += await follower.abandoned()
    }
    return abandoned
  }
}
