import ReactorMachines
import Synchronization

/// The children of a reactor, which begin and end with their part of its state.
///
/// The pipeline knows keepers, and shows them each state; see ``ChildKeeper``. A reactor without
/// children pays nothing: the states of one with children go the way of those that somebody
/// watches.
extension PipelineCore: ChildParent {
  /// The number under which the ledger knows that children have yet to end.
  @usableFromInline static var workOfChildren: UInt64 { .max }

  // MARK: Beginning

  /// Takes in a keeper, before the reactor is first used.
  func adopt(_ keeper: any ChildKeeper<R.State, R.Mutation>) {
    precondition(
      !isConnected.load(ordering: .acquiring),
      "\(R.self): its children have to be declared in its init, before it is used")
    shared.withLock { $0.rare.children.append(keeper) }
  }

  /// Makes the children of the first state, and sees to it that the keepers are shown the others.
  @usableFromInline
  func startChildren(on reactor: isolated R) {
    let keepers = shared.withLock { $0.rare.children }
    guard !keepers.isEmpty, let state = own.state else { return }
    details.children = keepers
    details.hasChildren = true
    let outlet = outlet
    outlet.change { $0.showsEveryState = true }
    details.hooks?.inputs.states?.change { $0.showsEveryState = true }
    if details.live == nil { details.live = outlet }
    followChildren(state)
  }

  // MARK: Following

  @usableFromInline
  func followChildren(_ state: R.State) {
    for keeper in own.details?.pointee.children ?? [] { keeper.follow(state, of: self) }
  }

  func reduceFromChild(_ mutation: R.Mutation) async -> Bool {
    guard let reactor else { return false }
    return await reduceFromChild(mutation, on: reactor)
  }

  private func reduceFromChild(_ mutation: R.Mutation, on reactor: isolated R) async -> Bool {
    // Cancelled on the reactor, when the child's part of the state has gone.
    guard phase == .running || phase == .draining, !Task.isCancelled else { return false }
    readMail(on: reactor)
    guard Self.hasMutationHook else {
      reduce(mutation, of: nil, on: reactor)
      return true
    }
    let latch = Latch()
    guard let input = details.hooks?.inputs.mutations,
      input.push(mutation, ticket: .outside(latch))
    else { return false }
    await latch.wait()
    return true
  }

  // MARK: Ending

  func willEnd(_ end: ChildEnd, hasEnded: @escaping @Sendable () -> Void) {
    ledger.begin(Self.workOfChildren)
    PipelineTasks.make { [self] in
      await end.settled()
      hasEnded()
      endPiece(of: Self.workOfChildren)?.open()
    }
  }

  /// Has all children come to their ends, also those that are made meanwhile.
  func drainChildren(on reactor: isolated R) async {
    while !inbox.life.isHurried {
      let ends = own.details?.pointee.children.flatMap { $0.drain() } ?? []
      if ends.isEmpty {
        // Those that have gone from the state meanwhile are work that the ledger knows of.
        if ledger.isEmpty { return }
        await waitUnlessHurried { ledger.whenIdle($0) }
        continue
      }
      await waitUnlessHurried { latch in
        PipelineTasks.make {
          for end in ends { await end.settled() }
          latch.open()
        }
      }
    }
  }

  /// Whether the reactor's life has ended, and all of its work.
  var hasEverythingEnded: Bool { inbox.life.hasEnded && hasNoWork }

  /// Ends all children, with the reactor.
  @usableFromInline
  func endChildren() {
    guard let details = own.details else { return }
    let ends = details.pointee.children.flatMap { $0.end() }.filter { !$0.hadEnded }
    (details.pointee.children, details.pointee.hasChildren) = ([], false)
    let stops = ends.map { (child: $0.identity, stopped: $0.stopped) }
    shared.withLock { $0.rare.childStops = stops }
    // Nobody waits for the end of one that is gone.
    guard !ends.isEmpty, reactor != nil else { return }
    ledger.begin(Self.workOfChildren)
    PipelineTasks.make { [self] in
      for end in ends { await end.stopped.settled }
      endPiece(of: Self.workOfChildren)?.open()
    }
  }

  /// What the last end has cut short in children, and in theirs.
  nonisolated(nonsending) func abandonedInChildren() async -> [AbandonedWork] {
    guard let parts = partsIfMade else { return [] }
    var abandoned: [AbandonedWork] = []
    for (child, stopped) in parts.pointee.shared.withLock({ $0.rare.childStops }) {
      abandoned += await stopped.abandonedWork(of: child)
    }
    return abandoned
  }
}
