public import Foundation
public import Reactor

/// Where reactors are opened whose mutations are kept.
///
/// ```swift
/// let journal = try await Journal(.sqlite(at: path))
/// let cart = try await journal.open("42") { CartReactor() }  // as it was before the crash
/// await cart.send(.add(book)).settled  // on the disk when this returns
/// ```
///
/// **Durable before visible**: states to observers, outputs, answers and `settled` wait until the
/// mutations before them are kept. Inside the reactor nothing waits: `await emit(…)` returns once
/// the mutation is reduced, and `currentState` is the reduced one.
///
/// **Replaying** folds what is kept by `reduce`, and runs nothing else.
///
/// **If the store fails**, the reactor ends with a report, and its callers are told; opened again,
/// it is at the last durable state.
public struct Journal: Sendable {
  /// Which store.
  public enum Place: Sendable {
    /// For tests and previews: lasts as long as the journal.
    case inMemory
    /// A file, made if it is not there; see ``SQLiteStore``.
    case sqlite(at: String)
    /// One of your own.
    case store(any JournalStore)
  }

  /// Where journals are kept.
  public let store: any JournalStore
  let codec: any JournalCodec
  let options: JournalOptions

  /// - Parameters:
  ///   - place: Where.
  ///   - codec: How mutations and states become bytes.
  ///   - options: What is decided for all of its reactors.
  /// - Throws: ``JournalError/unusable(_:cause:)``; the file is left as it is.
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

  /// The same on a store that there is already.
  package init(store: any JournalStore, codec: any JournalCodec, options: JournalOptions) {
    (self.store, self.codec, self.options) = (store, codec, options)
  }

  /// Opens a reactor: makes its state of what is kept, before its first action.
  ///
  /// **One at a time**: while it lives, nothing else can open this journal, here or in another
  /// process. End it with `stop()`, and wait for that, before it is opened again.
  ///
  /// - Parameters:
  ///   - id: Which of the reactors of this type; any text without a NUL in it.
  ///   - durability: What a crash may lose.
  ///   - make: Makes the reactor, where the caller is; one that has not been used. It must not send
  ///     in its `init`.
  /// - Returns: The reactor, recovered.
  /// - Throws: ``JournalError``; no entry and no snapshot has been changed then. All that has been
  ///   written is that there was an opening: the epoch, which keeps out its owner before.
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

  /// Sets aside what is kept of a reactor, under another identifier: so that it starts over when it
  /// is opened next.
  ///
  /// For a journal that cannot be opened any more. Nothing of it is deleted or read; mended, it can
  /// be set back in the same way. What has been opened under its identifier since, be it empty, is
  /// set aside before that.
  ///
  /// - Parameters:
  ///   - id: Which of the reactors of this type.
  ///   - type: The type.
  ///   - other: The identifier it has from now on; nothing may have been opened under that.
  /// - Throws: ``JournalError``: while it is open, where there is none, or one called `other`.
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
    snapshots.learn(point.folded, through: point.sequence, taking: point.time)
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

/// What is decided for all reactors of a ``Journal``.
public struct JournalOptions: Sendable {
  /// How long replaying may take before a snapshot is made; `nil` for none.
  ///
  /// Measured when a reactor is opened, and reckoned from that while it lives. Where that was too
  /// little to know, a hundred entries are replayed to see, once there are as many, and not on the
  /// reactor.
  public var snapshotAfter: Duration?
  /// Whether what is before the newest snapshot is deleted, once that has been read back.
  ///
  /// What is deleted is gone from the history.
  public var deletesBeforeSnapshot: Bool
  /// Every how many entries a hash of the state is kept; 0 for never.
  ///
  /// It finds a `reduce` that is not deterministic, at the next entry that has one, and costs an
  /// encoding of the state each time. What comes after the last one is compared with nothing.
  /// From the first transient mutation on, until the reactor is opened again, there are none: the
  /// state has something then that is not kept.
  public var hashesEvery: Int
  /// For how long a request with a key is known when it comes again, after a restart as well; see
  /// `ActionOptions` of ReactorHummingbird.
  public var keepsCommands: Duration
  /// What measures how long replaying takes, and the time that is written behind.
  public var clock: any Clock<Duration>
  /// What entries are dated by.
  public var now: @Sendable () -> Date

  /// The defaults lose nothing, and keep everything.
  public init(
    snapshotAfter: Duration? = .milliseconds(50), deletesBeforeSnapshot: Bool = false,
    hashesEvery: Int = 0, keepsCommands: Duration = .seconds(600),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    (self.snapshotAfter, self.deletesBeforeSnapshot) = (snapshotAfter, deletesBeforeSnapshot)
    (self.hashesEvery, self.keepsCommands) = (hashesEvery, keepsCommands)
    (self.clock, self.now) = (clock, now)
  }
}

extension JournaledReactor {
  /// The engine of a reactor that is journaled.
  @inlinable public static var _engine: _ReactorEngine<Self> { _ReactorEngine(isJournaled: true) }

  /// Begins with a state that was made of what is kept.
  ///
  /// - Returns: Whether the reactor had yet to begin; otherwise nothing has been done.
  func begin(
    from state: State, writing writer: any GateWriter<Mutation, State>, after last: Int,
    isFork: Bool = false
  ) -> Bool {
    let gate = ReactorGate<Self>(writer: writer, last: last)
    guard pipeline.open(from: state, through: gate, on: self) else { return false }
    // In a fork nothing was open.
    if !isFork { recovered() }
    return true
  }

  /// The gate, once a journal has opened the reactor.
  nonisolated var gate: ReactorGate<Self>? { pipeline.outputStage as? ReactorGate<Self> }
}
