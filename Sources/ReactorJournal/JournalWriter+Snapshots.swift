import Reactor
import ReactorRuntime

/// Makes snapshots, and deletes the entries that they cover.
extension JournalWriter {
  /// Makes a snapshot of all entries that are stored now, after a snapshot that is under way has
  /// ended.
  ///
  /// - Returns: The last entry that it covers; 0 if nothing is stored, and then no snapshot is
  ///   made.
  /// - Throws: What the store or the codec throws; `CancellationError` if it is cancelled while it
  ///   waits for another snapshot.
  func makeSnapshot() async throws -> Int {
    try await beginSaving()
    defer { endSaving() }
    let last = try await journal.store.extent(of: key).last
    // A snapshot of the initial state would override that of a later program with another one.
    guard last > 0 else { return 0 }
    state.withLock { $0.snapshots.begin(at: last) }
    try await storeSnapshot(of: nil, at: last)
    return last
  }

  /// Waits until no snapshot is under way, and blocks others until ``endSaving()``.
  private func beginSaving() async throws {
    while true {
      let latch = try state.withLock { state -> Latch? in
        if state.isClosed { throw JournalError.ended(key) }
        guard state.isSaving else {
          state.isSaving = true
          return nil
        }
        let latch = Latch()
        state.savingEnds.append(latch)
        return latch
      }
      guard let latch else { return }
      await latch.wait()
      try Task.checkCancellation()
    }
  }

  private func endSaving() {
    let latches = state.withLock { state in
      state.isSaving = false
      defer { state.savingEnds = [] }
      return state.savingEnds
    }
    for latch in latches { latch.open() }
  }

  /// Counts stored entries, and begins a snapshot if one is due.
  func count(_ current: R.State?, at sequence: Int) {
    let advice = state.withLock { state in
      state.snapshots.reach(sequence)
      guard !state.isSaving, !state.isClosed else { return SnapshotTimer.Advice.wait }
      let advice = state.snapshots.advice
      state.isSaving = advice != .wait
      if advice == .save { state.snapshots.begin(at: sequence) }
      return advice
    }
    switch advice {
    case .wait: break
    case .measure: PipelineTasks.inheriting { await self.measure(through: sequence) }
    case .save: PipelineTasks.inheriting { await self.save(current, at: sequence) }
    }
  }

  /// Measures the time of a replay, off the reactor, and saves its state as a snapshot if it took
  /// too long.
  private func measure(through sequence: Int) async {
    do {
      let extent = try await journal.store.extent(of: key)
      let point = try await journal.replay(of: R.self, key).state(at: sequence, in: extent)
      let isDue = state.withLock { state in
        state.snapshots.recordReplay(of: point.folded, through: sequence, taking: point.time)
        let isDue = state.snapshots.advice == .save && !state.isClosed
        if isDue { state.snapshots.begin(at: sequence) }
        return isDue
      }
      if isDue { await save(point.state, at: sequence) } else { endSaving() }
    } catch {
      endSaving()
      reportFailed(error)
    }
  }

  /// Makes a snapshot, off the reactor; if that fails, it is reported, and nothing is lost.
  private func save(_ current: R.State?, at sequence: Int) async {
    defer { endSaving() }
    do {
      try await storeSnapshot(of: current, at: sequence)
    } catch {
      reportFailed(error)
    }
  }

  private func storeSnapshot(of current: R.State?, at sequence: Int) async throws {
    let replay = journal.replay(of: R.self, key)
    let value: R.State
    if let current {
      value = current
    } else {
      // The reactor's current state also contains transient mutations.
      let extent = try await journal.store.extent(of: key)
      value = try await replay.state(at: sequence, in: extent).state
    }
    let snapshot = JournalSnapshot(
      sequence: sequence, version: R.snapshotVersion, payload: try journal.codec.encode(value))
    try await journal.store.save(snapshot, of: key, epoch: epoch)
    guard journal.options.deletesBeforeSnapshot else { return }
    try await delete(before: snapshot, replay)
  }

  private func reportFailed(_ error: any Error) {
    // After the journal has been released, another owner may write it, so the failure is expected.
    if !state.withLock({ $0.isClosed }) { report(.snapshotFailed(error)) }
  }

  /// Deletes what the snapshot covers, after reading the snapshot back and decoding it.
  private func delete(before snapshot: JournalSnapshot, _ replay: Replay<R>) async throws {
    let found = try await journal.store.snapshot(of: key, through: snapshot.sequence)
    guard let found, found == snapshot else {
      throw JournalError.undecodableSnapshot(
        key, sequence: snapshot.sequence, version: snapshot.version,
        cause: JournalError.corrupt(key, sequence: snapshot.sequence))
    }
    _ = try replay.decode(found)
    // Commands are remembered as long as the options say, even if their entries are covered.
    let last = min(found.sequence, (try await commands.first() ?? .max) - 1)
    try await journal.store.deleteEntries(of: key, through: last, epoch: epoch)
    try await journal.store.deleteSnapshots(of: key, through: found.sequence - 1, epoch: epoch)
  }
}
