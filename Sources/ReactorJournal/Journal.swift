public import Foundation
public import Reactor

/// A store of mutations, which opens reactors and restores their states.
///
/// ```swift
/// let journal = try await Journal(.sqlite(at: path))
/// let cart = try await journal.open("42") { CartReactor() }  // as it was before the crash
/// await cart.send(.add(book)).settled  // on the disk then, unless the store has failed
/// ```
///
/// **Durable before visible**: states for observers, outputs, answers and `settled` wait until all
/// mutations before them are durable, unless the durability is ``Durability/behind(atMost:)``. Code
/// inside the reactor does not wait: `await emit(…)` returns once the mutation is reduced.
/// `currentState` is the reduced state, also for a caller outside.
///
/// **Replay** folds the stored mutations with `reduce`, and runs no other code of the reactor.
///
/// **If the store fails**, the reactor ends with a report. `ask` and `emit.durable()` throw,
/// `outcome` is `failed`, and `settled` returns. When the reactor is opened again, it has its last
/// durable state.
public struct Journal: Sendable {
  /// The kind of store that a journal uses.
  public enum Place: Sendable {
    /// Memory, for tests and previews; it lasts as long as the journal.
    case inMemory
    /// A SQLite file, which is created if it does not exist; see ``SQLiteStore``.
    case sqlite(at: String)
    /// A store of your own.
    case store(any JournalStore)
  }

  /// The store.
  public let store: any JournalStore
  let codec: any JournalCodec
  let options: JournalOptions

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - codec: Encodes and decodes mutations and states.
  ///   - options: The options for all reactors of this journal.
  /// - Throws: ``JournalError/unusable(_:cause:)``; the file is not changed.
  public init(
    _ place: Place, codec: any JournalCodec = JSONJournalCodec(),
    options: JournalOptions = JournalOptions()
  ) async throws {
    switch place {
    case .inMemory: store = MemoryStore()
    case .sqlite(let path): store = try await SQLiteStore(path: path)
    case .store(let own): store = own
    }
    self.codec = codec
    self.options = options
  }

  /// Makes a journal on an existing store.
  package init(store: any JournalStore, codec: any JournalCodec, options: JournalOptions) {
    (self.store, self.codec, self.options) = (store, codec, options)
  }

  /// Opens a reactor, and restores its state before its first action.
  ///
  /// **One at a time**: while the reactor is alive, a second opening of the same journal fails, in
  /// this process and in any other. Before you open it again, call `stop()` and await its end.
  ///
  /// - Parameters:
  ///   - id: The identifier among the reactors of this type; any text without a NUL.
  ///   - durability: How much a crash may lose.
  ///   - make: Makes an unused reactor. It runs where the caller runs. The reactor must not send in
  ///     its `init`.
  /// - Returns: The restored reactor.
  /// - Throws: ``JournalError``. No entry and no snapshot has been changed then. Only the new epoch
  ///   of this opening has been written, and it fences the owner before.
  nonisolated(nonsending) public func open<R: JournaledReactor>(
    _ id: String, durability: Durability = .group, _ make: () throws -> R
  ) async throws -> R {
    let key = JournalKey(name: R.journalName, id: id)
    try key.check()
    let claim = try await store.take(key)
    do {
      return try await recover(make(), key, claim, durability)
    } catch {
      await store.release(key, epoch: claim.epoch)
      throw error
    }
  }

  /// Moves what is stored of a reactor to another identifier, so that the next opening starts over.
  ///
  /// Use it for a journal that can no longer be opened. It deletes nothing and decodes nothing.
  /// When the journal has been repaired, you can move it back in the same way. Before that, move
  /// away what has been opened under the identifier since, even if it is empty.
  ///
  /// - Parameters:
  ///   - id: The identifier among the reactors of this type.
  ///   - type: The type of the reactor.
  ///   - other: The new identifier, under which nothing may have been opened.
  /// - Throws: ``JournalError``, if the journal is open, if it does not exist, or if one with the
  ///   identifier `other` exists.
  public func setAside<R: JournaledReactor>(
    _ id: String, of type: R.Type, as other: String
  ) async throws {
    let key = JournalKey(name: R.journalName, id: id)
    try key.check()
    try JournalKey(name: R.journalName, id: other).check()
    if id == other { throw JournalError.occupied(key) }
    try await store.move(key, to: other)
  }

  private func recover<R: JournaledReactor>(
    _ reactor: R, _ key: JournalKey, _ claim: JournalClaim, _ durability: Durability
  ) async throws -> R {
    let report = { @Sendable [weak reactor] (problem: ReactorReport.Problem) in
      guard let reactor else { return }
      reactor.report(
        ReactorReport(
          reactor: R.self, identity: reactor.identity, action: nil, problem: problem))
    }
    var replay = replay(of: R.self, key)
    replay.report = { report(.snapshotSkipped($0)) }
    let point = try await replay.state(at: claim.extent.last, in: claim.extent)
    var snapshots = SnapshotTimer(
      limit: options.snapshotAfter, start: point.sequence - point.folded)
    snapshots.recordReplay(of: point.folded, through: point.sequence, taking: point.time)
    let writer = JournalWriter<R>(
      key: key, claim: claim, journal: self, durability: durability, snapshots: snapshots,
      report: report)
    let last = claim.extent.last
    guard await reactor.begin(from: point.state, writing: writer, after: last) else {
      throw JournalError.alreadyStarted(key)
    }
    writer.count(point.state, at: last)
    return reactor
  }

  func replay<R: JournaledReactor>(of type: R.Type, _ key: JournalKey) -> Replay<R> {
    Replay<R>(key: key, store: store, codec: codec, clock: options.clock)
  }
}

/// Options for all reactors of a ``Journal``.
public struct JournalOptions: Sendable {
  /// How long a replay may take before a snapshot is made; `nil` for no snapshots.
  ///
  /// The time per entry is measured when a reactor is opened, and later replays are estimated from
  /// it. If too few entries were read to measure it, a hundred entries are replayed as a
  /// measurement once there are that many. That does not run on the reactor.
  public var snapshotAfter: Duration?
  /// Whether entries before the newest snapshot are deleted, once that snapshot has been read back.
  ///
  /// Deleted entries are no longer in the history.
  public var deletesBeforeSnapshot: Bool
  /// After how many entries a hash of the state is stored; 0 for never.
  ///
  /// A replay compares the hashes, and so finds a `reduce` that is not deterministic at the next
  /// entry with a hash. Each hash costs one encoding of the state. Entries after the last hash are
  /// not checked. After the first transient mutation no more hashes are stored until the reactor is
  /// opened again, because the state then contains something that is not stored.
  public var hashesEvery: Int
  /// How long the key of a request is stored, so that a repeated request is recognised, also
  /// after a restart.
  ///
  /// See `ActionOptions` of ReactorHummingbird.
  public var commandRetention: Duration
  /// The clock that measures the time of a replay, and the time that ``Durability/behind(atMost:)``
  /// allows.
  public var clock: any Clock<Duration>
  /// Returns the date for new entries.
  public var now: @Sendable () -> Date

  /// Creates options; with the defaults nothing is lost, and nothing is deleted.
  public init(
    snapshotAfter: Duration? = .milliseconds(50), deletesBeforeSnapshot: Bool = false,
    hashesEvery: Int = 0, commandRetention: Duration = .seconds(600),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    (self.snapshotAfter, self.deletesBeforeSnapshot) = (snapshotAfter, deletesBeforeSnapshot)
    (self.hashesEvery, self.commandRetention) = (hashesEvery, commandRetention)
    (self.clock, self.now) = (clock, now)
  }
}

extension JournaledReactor {
  /// The engine of a journaled reactor.
  @inlinable public static var _engine: _ReactorEngine<Self> { _ReactorEngine(isJournaled: true) }

  /// Starts the reactor with a restored state.
  ///
  /// - Returns: Whether the reactor had not started before; if it had, nothing is done.
  func begin(
    from state: State, writing writer: any GateWriter<Mutation, State>, after last: Int,
    isFork: Bool = false
  ) -> Bool {
    let gate = ReactorGate<Self>(writer: writer, last: last)
    guard pipeline.open(from: state, through: gate, on: self) else { return false }
    // A fork has no unfinished work to resume.
    if !isFork { recovered() }
    return true
  }

  /// The output gate; `nil` until a journal has opened the reactor.
  nonisolated var gate: ReactorGate<Self>? { pipeline.outputStage as? ReactorGate<Self> }
}
