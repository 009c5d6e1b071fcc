import Reactor
import ReactorRuntime

/// The output gate of a reactor type.
typealias ReactorGate<R: JournaledReactor> = OutputGate<R.Mutation, R.State, R.Output>

/// Delays what leaves a journaled reactor until the mutations before it are durable.
///
/// A ``GateMachine`` makes the decisions, with numbers; this class has the values for these
/// numbers. The reactor continues meanwhile: while one batch is being written, the next one fills.
///
/// Holds: `contents`, guarded by its own lock. Outside the lock, it calls the engine and the
/// writer, opens latches, and deallocates states.
final class OutputGate<Mutation: Sendable, State: Sendable, Output: Sendable>: OutputStage {
  typealias Item = StagedItem<State, Output>
  typealias Entry = GateEntry<Mutation, State>

  struct Contents: Sendable {
    var machine: GateMachine
    /// The entries that have yet to be taken.
    var entries = FIFO<Entry>()
    var items = FIFO<Item>()
    var waiters = FIFO<@Sendable () -> Void>()
    var pendingCommands = PendingCommands()
    /// Opened when no answer to a command is expected any more.
    var answerLatches: [Latch] = []
    /// The kind of entry that a mutation is written as.
    var kind = JournalEntry.Kind.change
    /// The last state that has left.
    var shown: State?
    /// The state at the end of the batch that is being written, if it is known.
    var batchState: (state: State, version: UInt64)?
    var failure: (any Error)?
    weak var engine: (any StagedEngine<State, Output>)?
  }

  let writer: any GateWriter<Mutation, State>
  let contents: Guarded<Contents>

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - writer: Writes the mutations.
  ///   - last: The number of entries in the journal.
  init(writer: any GateWriter<Mutation, State>, last: Int) {
    self.writer = writer
    contents = Guarded(Contents(machine: GateMachine(last: last)))
  }

  var failure: (any Error)? { contents.withLock { $0.failure } }
  var commands: any StoredCommands { self }
  /// The newest entry.
  var last: Int { contents.withLock { $0.machine.last } }
  /// The last state that has left.
  var shown: State? { contents.withLock { $0.shown } }

  // MARK: Reducing

  func begin(in engine: any StagedEngine<State, Output>) {
    let state = engine.view?.state
    contents.withLock { contents in
      contents.engine = engine
      contents.shown = state
    }
  }

  func reduced(_ mutation: Mutation, to view: StagedView<State>, of action: UInt64?) {
    let isWritten = writer.writes(mutation)
    let (hashesEvery, isAlone) = (writer.hashesEvery, writer.batchLimit == 1)
    let begins = contents.withLock { contents in
      // Commands come first, so that no mutation of a command is written before the command.
      contents.takePendingCommands()
      if isWritten {
        contents.append(mutation, view, of: action, hashesEvery, isAlone: isAlone)
      } else {
        contents.machine.reduceTransient()
      }
      return contents.machine.begin()
    }
    if view.isShown {
      leave(.state(view.state, version: view.version), isNeeded: view.isObserved)
    }
    if begins { beginTask() }
  }

  /// Writes the mutations that are reduced during the call as entries of another kind.
  func writing<Result>(as kind: JournalEntry.Kind, _ body: () -> Result) -> Result {
    contents.withLock { $0.kind = kind }
    defer { contents.withLock { $0.kind = .change } }
    return body()
  }

  // MARK: Outputs

  func leave(_ item: Item) {
    guard case .end(let finish) = item else { return leave(item, isNeeded: true) }
    if !wait(isWriteBehind: writer.isWriteBehind, finish) { finish() }
  }

  private func leave(_ item: Item, isNeeded: Bool) {
    let isWriteBehind = writer.isWriteBehind
    let leaving = contents.withLock { contents in
      let leaving = contents.machine.leave(isNeeded: isNeeded, isWriteBehind: isWriteBehind)
      if leaving == .held { contents.items.append(item) }
      return leaving
    }
    switch leaving {
    case .now: release(item)
    case .held, .leftOut: break
    case .dropped: drop(item)
    }
  }

  private func release(_ item: Item) {
    switch item {
    case .state(let state, let version): show(state, version: version)
    case .output: contents.withLock { $0.engine }?.release(item)
    case .milestone(let state, let version, let reached):
      if let state, contents.withLock({ version > $0.machine.shown }) {
        show(state, version: version)
      }
      reached()
    case .end(let finish): finish()
    }
  }

  private func show(_ state: State, version: UInt64) {
    let (engine, earlier) = contents.withLock { contents in
      contents.machine.show(version)
      let earlier = contents.shown
      contents.shown = state
      return (contents.engine, earlier)
    }
    engine?.release(.state(state, version: version))
    withExtendedLifetime(earlier) {}
  }

  /// Discards an item without showing it.
  private func drop(_ item: Item) {
    switch item {
    case .milestone(_, _, let reached): reached()
    case .end(let finish): finish()
    case .state, .output: break
    }
  }

  /// Releases the items and waiters whose entries are durable now.
  func releaseHeld(_ view: StagedView<State>?) {
    while let item = contents.withLock({ $0.nextItem() }) { release(item) }
    showNewest(view)
    // Waiters are last, since they may read the shown state at once, from any thread.
    while let waiter = contents.withLock({ $0.nextWaiter() }) { waiter() }
  }

  /// Shows the newest state that may be visible, with which later observers begin.
  private func showNewest(_ view: StagedView<State>?) {
    let isWriteBehind = writer.isWriteBehind
    let (newest, batch) = contents.withLock { contents in
      let batch = contents.batchState.take()
      let newest = contents.machine.newest(
        current: view.flatMap { $0.isShown ? $0.version : nil }, batch: batch?.version,
        isWriteBehind: isWriteBehind)
      return (newest, batch)
    }
    switch newest {
    case .current: if let view { show(view.state, version: view.version) }
    case .batch: if let batch { show(batch.state, version: batch.version) }
    case .none: break
    }
  }

  /// Fails the gate: nothing more leaves, and waiters are resumed and read the error.
  func shut(by error: any Error) {
    let isFirst = contents.withLock { contents in
      guard contents.machine.fail() else { return false }
      contents.failure = error
      return true
    }
    guard isFirst else { return }
    let entries = contents.withLock { $0.entries.removeAll() }
    while let item = contents.withLock({ $0.nextItem() }) { drop(item) }
    while let waiter = contents.withLock({ $0.nextWaiter() }) { waiter() }
    withExtendedLifetime(entries) {}
  }

  // MARK: Waiting

  func latch(isAsked: Bool) -> Latch? {
    let latch = holdLatch(isWriteBehind: !isAsked && writer.isWriteBehind)
    if latch != nil { writer.expedite() }
    return latch
  }

  private func holdLatch(isWriteBehind: Bool) -> Latch? {
    contents.withLock { contents in
      guard contents.machine.wait(isWriteBehind: isWriteBehind) else { return nil }
      let latch = Latch()
      contents.waiters.append { latch.open() }
      return latch
    }
  }

  /// Adds a waiter.
  ///
  /// - Returns: Whether it is held; otherwise there is nothing to wait for.
  private func wait(isWriteBehind: Bool, _ resume: @escaping @Sendable () -> Void) -> Bool {
    contents.withLock { contents in
      guard contents.machine.wait(isWriteBehind: isWriteBehind) else { return false }
      contents.waiters.append(resume)
      return true
    }
  }

  /// Opens a latch once everything reduced by now is durable, or can no longer become durable.
  func openWhenDurable(_ latch: Latch) {
    if wait(isWriteBehind: false, { latch.open() }) { writer.expedite() } else { latch.open() }
  }
}

extension OutputGate.Contents {
  /// Returns the latches to open, if no answer to a command is expected any more.
  mutating func takeAnswerLatches() -> [Latch] {
    if pendingCommands.awaitsAnswer || answerLatches.isEmpty { return [] }
    defer { answerLatches = [] }
    return answerLatches
  }

  /// Adds entries for the recorded commands.
  mutating func takePendingCommands() {
    for command in pendingCommands.takeAll() {
      guard let sequence = machine.append(of: nil, isCommand: true) else { continue }
      entries.append(GateEntry(sequence: sequence, kind: .command, command: command))
    }
  }

  /// Adds an entry for a mutation.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - view: The state after it.
  ///   - cause: The action that emitted it.
  ///   - hashesEvery: After how many entries an entry contains the state.
  ///   - isAlone: Whether the entry is written by itself. Then it also contains the state that is
  ///     shown when it is durable: the reactor may have reduced more before it is taken.
  mutating func append(
    _ mutation: Mutation, _ view: StagedView<State>, of cause: UInt64?, _ hashesEvery: Int,
    isAlone: Bool
  ) {
    guard let sequence = machine.append(of: cause) else { return }
    // With transient mutations, the state differs from the one that a replay makes.
    let isHashed = hashesEvery > 0 && sequence.isMultiple(of: hashesEvery) && !machine.hasTransient
    entries.append(
      GateEntry(
        sequence: sequence, kind: kind, mutation: mutation, cause: cause,
        state: isHashed ? view.state : nil, shown: isAlone && view.isShown ? view : nil))
  }

  mutating func nextItem() -> StagedItem<State, Output>? {
    machine.releaseItem() ? items.popFirst() : nil
  }

  mutating func nextWaiter() -> (@Sendable () -> Void)? {
    machine.releaseWaiter() ? waiters.popFirst() : nil
  }
}
