import Synchronization

/// What leaves a journaled reactor waits here until the mutations before it are kept.
///
/// Inside, work goes on: while one batch is being written, the next one fills.
///
/// Holds: what only the reactor's isolation touches, marked so; whether it is shut, which any
/// thread may ask; and the commands that any thread has noted.
@usableFromInline
package final class OutputGate<Mutation: Sendable, State: Sendable, Output: Sendable>: Sendable {
  /// Something on its way out.
  enum Leaving {
    case state(State, version: UInt64)
    case output(Output)
    /// Somebody who waits, and is let go even if what it waits for never comes.
    case waiter(Latch)
    /// What is done once all that can be seen is.
    case errand(@Sendable () -> Void)
    /// Somebody is told how far the reactor is: after the state of that moment, which is shown
    /// before it where it may be, and before any later one.
    case milestone(State?, version: UInt64, @Sendable () -> Void)
  }

  package let keeper: any MutationKeeper<Mutation, State>
  /// Why nothing will leave any more.
  private let shutBy = Guarded<(any Error)?>(nil)

  private let notes = Guarded(CommandNotes())
  private let hasNotes = Atomic(false)

  /// Guard: the reactor's isolation.
  nonisolated(unsafe) var own: OutputGateState<Mutation, State, Output>

  /// - Parameters:
  ///   - keeper: Where mutations are kept.
  ///   - last: How many have been.
  package init(keeper: any MutationKeeper<Mutation, State>, last: Int) {
    self.keeper = keeper
    own = OutputGateState(last: last)
  }

  /// Why nothing will leave any more; `nil` while that is not so.
  package var failure: (any Error)? { shutBy.withLock { $0 } }

  /// Notes what is known of a command; kept with the next mutation.
  package func note(_ command: KeptCommand) {
    notes.withLock { $0.add(command) }
    hasNotes.store(true, ordering: .releasing)
  }

  /// Whether a command has been noted of which the keeper does not know all yet.
  package func hasUnkept(_ id: String) -> Bool { notes.withLock { $0.hasUnkept(id) } }

  // MARK: On the reactor

  /// Gives the commands that were noted their places.
  func takeNotes() {
    guard hasNotes.exchange(false, ordering: .acquiring), failure == nil, !own.isClosed else {
      return
    }
    for command in notes.withLock({ $0.takeAll() }) {
      own.last += 1
      own.pending.append(
        KeptMutation(
          sequence: own.last, mutation: nil, command: command, cause: nil, note: nil, state: nil))
    }
  }

  /// Whether somebody has to begin to write.
  func mustWrite() -> Bool {
    guard !own.isWriting, !own.pending.isEmpty else { return false }
    own.isWriting = true
    return true
  }

  /// A mutation has been reduced.
  ///
  /// - Returns: Whether somebody has to begin to write.
  func reduced(
    _ mutation: Mutation, _ state: State, version: UInt64, isWatched: Bool, isShown: Bool,
    cause: UInt64?
  ) -> Bool {
    // Before it: so nothing is kept of a command that has not been.
    if hasNotes.load(ordering: .relaxed) { takeNotes() }
    if keeper.keeps(mutation) {
      own.last += 1
      // With what is not kept in it, it is not the one that is made again.
      let wanted = !own.hasTransient && keeper.wantsState(after: own.last) ? state : nil
      own.pending.append(
        KeptMutation(
          sequence: own.last, mutation: mutation, command: nil, cause: cause, note: own.note,
          state: wanted))
    } else {
      own.hasTransient = true
    }
    // While nobody watches, one state for each batch is enough: for whoever comes then.
    if isShown, isWatched || isOpen { leave(.state(state, version: version)) }
    return mustWrite()
  }

  /// Whether all that has been reduced has been kept, or nobody cares.
  var isOpen: Bool { own.durable == own.last || keeper.isBehind }

  /// Lets something out, now or when it may.
  func leave(_ leaving: Leaving) {
    if failure != nil {
      release(leaving)
    } else if isOpen, own.held.isEmpty || keeper.isBehind {
      perform(leaving)
    } else {
      own.held.append((own.last, leaving))
    }
  }

  /// Opens a latch when all that has been reduced by now has been kept, or never will be.
  func whenKept(_ latch: Latch) {
    guard own.durable < own.last, failure == nil else { return latch.open() }
    own.held.append((own.last, .waiter(latch)))
    keeper.hurry()
  }

  /// What opens when all that has been reduced by now has been kept.
  ///
  /// - Parameter isAsked: Whether somebody asks for that in so many words, whatever the level says.
  /// - Returns: The latch; `nil` if it has been kept, or never will be.
  @usableFromInline
  func latch(isAsked: Bool) -> Latch? {
    guard own.durable < own.last, isAsked || !keeper.isBehind, failure == nil else { return nil }
    let latch = Latch()
    whenKept(latch)
    return latch
  }

  private func perform(_ leaving: Leaving) {
    switch leaving {
    case .state(let state, let version):
      own.shown = state
      own.shownVersion = version
      own.show?(state, version)
    case .output(let output): own.tell?(output)
    case .waiter(let latch): latch.open()
    case .errand(let errand): errand()
    case .milestone(let state, let version, let errand):
      if let state, version > own.shownVersion { perform(.state(state, version: version)) }
      errand()
    }
  }

  /// How many mutations are to be written next.
  ///
  /// What an action does at once is not torn in two, unless each is written by itself: not by
  /// commands that other threads have noted meanwhile, either.
  private var nextCount: Int {
    let (pending, limit) = (own.pending, keeper.batchLimit)
    var count = min(pending.count, limit)
    guard limit > 1, count < pending.count,
      let last = (0..<count).last(where: { pending[$0].command == nil }),
      let cause = pending[last].cause
    else { return count }
    for place in count..<pending.count where pending[place].command == nil {
      guard pending[place].cause == cause else { break }
      count = place + 1
    }
    return count
  }

  /// The mutations that are to be written next.
  func takeBatch(_ state: State?, version: UInt64) -> [KeptMutation<Mutation, State>] {
    let count = nextCount
    let batch = own.pending.removeFirst(count)
    own.writtenState = own.pending.isEmpty ? state : nil
    own.writtenVersion = version
    return batch
  }

  /// The commands of a batch have been kept.
  func areKept(_ batch: [KeptMutation<Mutation, State>]) {
    let count = batch.count { $0.command != nil }
    if count > 0 { notes.withLock { $0.areKept(count) } }
  }

  /// What was taken has been kept: lets out what waited for it.
  ///
  /// - Parameters:
  ///   - sequence: The last of it.
  ///   - state: The state as it is now.
  ///   - version: Its version.
  ///   - isShown: Whether it may be shown, or is in the middle of what is shown as one.
  func kept(through sequence: Int, now state: State?, version: UInt64, isShown: Bool) {
    own.durable = sequence
    let waiting = release(through: sequence)
    // Whoever comes next begins with the newest state that may be seen.
    let written = own.writtenState.take()
    if isShown, isOpen, let state, version > own.shownVersion {
      perform(.state(state, version: version))
    } else if let written, own.writtenVersion > own.shownVersion {
      perform(.state(written, version: own.writtenVersion))
    }
    // Last, as they may look at the state at once, from any thread.
    for leaving in waiting { perform(leaving) }
    keeper.kept(own.hasTransient || own.durable < own.last ? nil : state, at: sequence)
  }

  /// Lets states, outputs and milestones out, in order.
  ///
  /// - Returns: Who waited, or is to be told, in order.
  private func release(through sequence: Int) -> [Leaving] {
    var waiting: [Leaving] = []
    while let (after, leaving) = own.held.first, after <= sequence {
      switch leaving {
      case .state, .output, .milestone: perform(leaving)
      case .waiter, .errand: waiting.append(leaving)
      }
      // Only now: what leaves meanwhile goes behind it.
      _ = own.held.popFirst()
    }
    return waiting
  }

  /// Nothing leaves any more; whoever waits is let go, and finds out why.
  func shut(by error: any Error) {
    let isFirst = shutBy.withLock { shutBy in
      defer { if shutBy == nil { shutBy = error } }
      return shutBy == nil
    }
    guard isFirst else { return }
    own.pending = FIFO()
    for (_, leaving) in own.held.removeAll() { release(leaving) }
  }

  /// What would show something is dropped; whoever waits is let go.
  private func release(_ leaving: Leaving) {
    switch leaving {
    case .waiter, .errand: perform(leaving)
    case .milestone(_, _, let errand): errand()
    case .state, .output: break
    }
  }
}

/// What of a gate only the reactor's isolation touches.
struct OutputGateState<Mutation: Sendable, State: Sendable, Output: Sendable> {
  /// Reduced, and not handed over yet.
  var pending = FIFO<KeptMutation<Mutation, State>>()
  /// The mutation that was reduced last, and the last one that has been kept.
  var last: Int
  var durable: Int
  var isWriting = false
  /// Whether the journal has been let go of.
  var isClosed = false
  /// What waits, and for which mutation, in order.
  var held = FIFO<(after: Int, leaving: OutputGate<Mutation, State, Output>.Leaving)>()
  /// The state at the end of the batch that is being written, where that is known.
  var writtenState: State?
  var writtenVersion: UInt64 = 0
  /// The last state that has left.
  var shown: State?
  var shownVersion: UInt64 = 0
  /// Whether the state has something of mutations that are not kept.
  var hasTransient = false
  /// What shows a state, to observers or to the hook before them.
  var show: (@Sendable (State, _ version: UInt64) -> Void)?
  /// Where outputs go.
  var tell: (@Sendable (Output) -> Void)?
  /// What is to be written beside the mutation that is being put in.
  var note: (any Sendable)?

  init(last: Int) { (self.last, durable) = (last, last) }
}
