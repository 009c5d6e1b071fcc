public import Foundation
public import Reactor

/// What is kept of one reactor: to be read, while the reactor lives or after.
///
/// ```swift
/// let history = journal.history("42", of: CartReactor.self)
/// let before = try await history.state(at: 41)
/// for try await change in history.changes() { print(change.time, change.mutations) }
/// ```
///
/// Folds by `reduce`, in the caller's task, and needs no reactor: nothing that runs here can touch
/// the world.
public struct JournalHistory<R: JournaledReactor>: Sendable {
  /// One mutation, as it was kept.
  public struct Change: Sendable {
    /// Its place, from 1 on.
    public let sequence: Int
    /// Mostly one; an upgrade may have made several of it, or none.
    public let mutations: [R.Mutation]
    /// New, or an undo or redo of another; never a command, which changes nothing.
    public let kind: JournalEntry.Kind
    /// The action whose work it was: the reactor's epoch and the action's number, which together
    /// stay unique over restarts; `nil` where it was no action's.
    public let cause: String?
    /// When it was handed to the store.
    public let time: Date
  }

  let replay: Replay<R>

  /// Whose it is.
  public var key: JournalKey { replay.key }

  /// The last change there is, by its place; 0 if there is none.
  public var last: Int { get async throws { try await extent.last } }

  /// Where it begins and ends.
  public var extent: JournalExtent { get async throws { try await replay.store.extent(of: key) } }

  /// The state after a change.
  ///
  /// - Parameter sequence: Which change; 0 for the state before the first one.
  /// - Returns: The state.
  /// - Throws: ``JournalError/outside(_:sequence:first:last:)`` where there is none.
  public func state(at sequence: Int) async throws -> R.State {
    try await replay.state(at: sequence, in: extent).state
  }

  /// The last change that had been kept by a time, by the journal's calendar clock.
  ///
  /// Where that clock was set back, several changes may be the last one; this is one of them.
  ///
  /// - Parameter date: The time.
  /// - Returns: The change's place; what has been deleted counts as before every time.
  /// - Throws: What the store throws.
  public func last(asOf date: Date) async throws -> Int {
    try await replay.withExtent(extent) { try await last(asOf: date, in: $0) }
  }

  private func last(asOf date: Date, in extent: JournalExtent) async throws -> Int {
    // Halved again and again: of a million entries, twenty are read.
    var (low, high) = (extent.deleted, extent.last)
    while low < high {
      let middle = low + (high - low + 1) / 2
      let found = try await replay.store.entries(of: key, after: middle - 1, limit: 1).first
      guard let found, found.sequence == middle else {
        throw JournalError.missing(key, sequence: middle)
      }
      if found.time <= date { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The state as it was at a time, by the journal's calendar clock.
  ///
  /// ```swift
  /// let before = try await history.state(asOf: yesterday)
  /// ```
  ///
  /// - Parameter date: The time; see ``last(asOf:)``.
  /// - Returns: The state.
  /// - Throws: ``JournalError/deleted(_:through:)`` where what led to it has been deleted.
  public func state(asOf date: Date) async throws -> R.State {
    try await replay.withExtent(extent) { extent in
      try await replay.attempt(last(asOf: date, in: extent), in: extent).state
    }
  }

  /// The changes in order, read page by page as they are asked for.
  ///
  /// - Parameter sequence: The change before the first one.
  /// - Returns: Those there are; it ends where the journal did when it was read last.
  public func changes(after sequence: Int = 0) -> JournalChanges<R> {
    JournalChanges(replay: replay, place: sequence)
  }

  /// A reactor that goes on from a state of the past, and has nothing to do with the journal: to
  /// look at what would have come of it.
  ///
  /// What it does is kept in memory, and its history begins with that state.
  ///
  /// - Parameters:
  ///   - sequence: After which change.
  ///   - make: Makes the reactor. Give it nothing with which its effects could touch the world.
  /// - Returns: The reactor.
  /// - Throws: ``JournalError``, or what `make` throws.
  nonisolated(nonsending) public func fork(
    at sequence: Int, _ make: () throws -> R
  ) async throws -> R {
    try await R.forked(from: state(at: sequence), key, replay.codec, make)
  }
}

extension JournaledReactor {
  /// Makes a reactor begin with a state, kept in memory; its history begins there.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - key: What it is called in errors.
  ///   - codec: How its mutations become bytes.
  ///   - make: Makes the reactor; one that has not been used.
  /// - Returns: The reactor.
  /// - Throws: ``JournalError``, or what `make` throws.
  nonisolated(nonsending) package static func forked(
    from state: State, _ key: JournalKey, _ codec: any JournalCodec, _ make: () throws -> Self
  ) async throws -> Self {
    let store = MemoryStore()
    let journal = try await Journal(.store(store), codec: codec)
    let claim = try await store.take(key)
    let writer = JournalWriter<Self>(
      key: key, claim: claim, journal: journal, durability: .group,
      snapshots: SnapshotTimer(limit: nil))
    let reactor = try make()
    let snapshot = JournalSnapshot(
      sequence: 0, version: snapshotVersion, payload: try codec.encode(state))
    try await store.save(snapshot, of: key, epoch: claim.epoch)
    guard await reactor.begin(from: state, writing: writer, after: 0, isFork: true) else {
      throw JournalError.alreadyStarted(key)
    }
    return reactor
  }
}

extension Journal {
  /// What is kept of a reactor.
  ///
  /// - Parameters:
  ///   - id: Which of the reactors of this type.
  ///   - type: The type.
  /// - Returns: Its history.
  public func history<R: JournaledReactor>(_ id: String, of type: R.Type) -> JournalHistory<R> {
    JournalHistory(replay: replay(of: type, JournalKey(name: R.journalName, id: id)))
  }

  /// As ``history(_:of:)``.
  @available(*, deprecated, renamed: "history(_:of:)")
  public func history<R: JournaledReactor>(of type: R.Type, _ id: String) -> JournalHistory<R> {
    history(id, of: type)
  }
}

extension JournaledReactor {
  /// What is kept of this reactor; `nil` where no journal has opened it.
  public nonisolated var history: JournalHistory<Self>? {
    writer.map { JournalHistory(replay: $0.journal.replay(of: Self.self, $0.key)) }
  }

  nonisolated var writer: JournalWriter<Self>? { gate?.writer as? JournalWriter<Self> }
}

/// The changes of a history in order.
public struct JournalChanges<R: JournaledReactor>: AsyncSequence, Sendable {
  let replay: Replay<R>
  let place: Int

  /// Begins to read.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(replay: replay, place: place) }

  /// Reads the changes page by page.
  public struct Iterator: AsyncIteratorProtocol {
    let replay: Replay<R>
    var place: Int
    private var page: ArraySlice<JournalEntry> = []

    init(replay: Replay<R>, place: Int) { (self.replay, self.place) = (replay, place) }

    /// - Throws: ``JournalError`` for an entry that is missing or cannot be read.
    public mutating func next() async throws -> JournalHistory<R>.Change? {
      var entry: JournalEntry
      repeat {
        if page.isEmpty { try await readOn() }
        guard let found = page.popFirst() else { return nil }
        if found.sequence != place + 1 { try await pass(to: found.sequence) }
        place = found.sequence
        entry = found
        // Of a command there is no change.
      } while entry.kind == .command
      return JournalHistory<R>.Change(
        sequence: entry.sequence, mutations: try replay.decode(entry), kind: entry.kind,
        cause: entry.cause, time: entry.time)
    }

    private mutating func readOn() async throws {
      // Asked before: what comes meanwhile is not missed.
      let last = try await replay.store.extent(of: replay.key).last
      page = try await replay.store.entries(of: replay.key, after: place, limit: 1_000)[...]
      if page.isEmpty, place < last { try await pass(to: last + 1) }
    }

    /// Goes on behind what has been deleted, by now; anything else must be there.
    private mutating func pass(to sequence: Int) async throws {
      place = Swift.max(place, try await replay.store.extent(of: replay.key).deleted)
      if place + 1 < sequence { throw JournalError.missing(replay.key, sequence: place + 1) }
    }
  }
}
