public import Foundation
public import Reactor

/// The stored history of one reactor, which can be read while the reactor is alive and afterwards.
///
/// ```swift
/// let history = journal.history("42", of: CartReactor.self)
/// let before = try await history.state(at: 41)
/// for try await change in history.changes() { print(change.time, change.mutations) }
/// ```
///
/// It folds mutations with `reduce` in the caller's task. It needs no reactor and runs no effects.
public struct JournalHistory<R: JournaledReactor>: Sendable {
  /// One stored entry with its mutations.
  public struct Change: Sendable {
    /// The number of the entry in the journal, from 1 on.
    public let sequence: Int
    /// The mutations; usually one, but an upgrade may have made several of it, or none.
    public let mutations: [R.Mutation]
    /// Whether it is a new change, an undo or a redo; never a command, which changes no state.
    public let kind: JournalEntry.Kind
    /// The action that emitted the mutation; `nil` if no action did.
    ///
    /// It consists of the epoch of the reactor and the number of the action. Together they are
    /// unique across restarts.
    public let cause: String?
    /// When the entry was passed to the store.
    public let time: Date
  }

  let replay: Replay<R>

  /// The name and identifier of the reactor.
  public var key: JournalKey { replay.key }

  /// The sequence number of the last change; 0 if there is none.
  public var last: Int { get async throws { try await extent.last } }

  /// The first and last entry of the journal.
  public var extent: JournalExtent { get async throws { try await replay.store.extent(of: key) } }

  /// Returns the state after a change.
  ///
  /// - Parameter sequence: The number of the change; 0 for the state before the first one.
  /// - Returns: The state.
  /// - Throws: ``JournalError/outside(_:sequence:first:last:)`` if the history has no such change.
  public func state(at sequence: Int) async throws -> R.State {
    try await replay.state(at: sequence, in: extent).state
  }

  /// Returns the number of the last change that was stored by a date.
  ///
  /// The date is compared with those that ``JournalOptions/now`` gave. If that clock was set back,
  /// several changes may qualify, and this returns one of them.
  ///
  /// - Parameter date: The date.
  /// - Returns: The number of the change; deleted changes count as earlier than every date.
  /// - Throws: What the store throws.
  public func last(asOf date: Date) async throws -> Int {
    try await replay.withExtent(extent) { try await last(asOf: date, in: $0) }
  }

  private func last(asOf date: Date, in extent: JournalExtent) async throws -> Int {
    // A binary search: it reads about twenty of a million entries.
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

  /// Returns the state at a date.
  ///
  /// ```swift
  /// let before = try await history.state(asOf: yesterday)
  /// ```
  ///
  /// - Parameter date: The date; see ``last(asOf:)``.
  /// - Returns: The state.
  /// - Throws: ``JournalError/deleted(_:through:)`` if the entries that led to it have been
  ///   deleted.
  public func state(asOf date: Date) async throws -> R.State {
    try await replay.withExtent(extent) { extent in
      try await replay.attempt(last(asOf: date, in: extent), in: extent).state
    }
  }

  /// Returns the changes in order; they are read page by page during the iteration.
  ///
  /// - Parameter sequence: The number before the first change to return.
  /// - Returns: The changes; the sequence ends at the entry that was the journal's last when it was
  ///   last read.
  public func changes(after sequence: Int = 0) -> JournalChanges<R> {
    JournalChanges(replay: replay, place: sequence)
  }

  /// Makes a reactor that continues from a past state, without any effect on the journal.
  ///
  /// The mutations of the fork are stored in memory, and its history begins with that state.
  ///
  /// - Parameters:
  ///   - sequence: The number of the change after which the fork begins.
  ///   - make: Makes the reactor. Give it no dependencies through which its effects could change
  ///     anything outside.
  /// - Returns: The reactor.
  /// - Throws: ``JournalError``, or what `make` throws.
  nonisolated(nonsending) public func fork(
    at sequence: Int, _ make: () throws -> R
  ) async throws -> R {
    try await R.forked(from: state(at: sequence), key, replay.codec, make)
  }
}

extension JournaledReactor {
  /// Makes a reactor that starts with a state and stores its mutations in memory.
  ///
  /// - Parameters:
  ///   - state: The state, with which its history begins.
  ///   - key: The name and identifier that errors show.
  ///   - codec: Encodes its mutations.
  ///   - make: Makes an unused reactor.
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
  /// Returns the history of a reactor.
  ///
  /// - Parameters:
  ///   - id: The identifier among the reactors of this type.
  ///   - type: The type of the reactor.
  /// - Returns: The history.
  public func history<R: JournaledReactor>(_ id: String, of type: R.Type) -> JournalHistory<R> {
    JournalHistory(replay: replay(of: type, JournalKey(name: R.journalName, id: id)))
  }

  /// The same as ``history(_:of:)``.
  @available(*, deprecated, renamed: "history(_:of:)")
  public func history<R: JournaledReactor>(of type: R.Type, _ id: String) -> JournalHistory<R> {
    history(id, of: type)
  }
}

extension JournaledReactor {
  /// The history of this reactor; `nil` if no journal has opened it.
  public nonisolated var history: JournalHistory<Self>? {
    writer.map { JournalHistory(replay: $0.journal.replay(of: Self.self, $0.key)) }
  }

  nonisolated var writer: JournalWriter<Self>? { gate?.writer as? JournalWriter<Self> }
}

/// The changes of a history, in order.
public struct JournalChanges<R: JournaledReactor>: AsyncSequence, Sendable {
  let replay: Replay<R>
  let place: Int

  /// Makes an iterator.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(replay: replay, place: place) }

  /// An iterator that reads the changes page by page.
  public struct Iterator: AsyncIteratorProtocol {
    let replay: Replay<R>
    var place: Int
    private var page: ArraySlice<JournalEntry> = []

    init(replay: Replay<R>, place: Int) { (self.replay, self.place) = (replay, place) }

    /// Returns the next change; `nil` at the end of the journal.
    ///
    /// - Throws: ``JournalError`` for an entry that is missing or cannot be decoded.
    public mutating func next() async throws -> JournalHistory<R>.Change? {
      var entry: JournalEntry
      repeat {
        if page.isEmpty { try await readNextPage() }
        guard let found = page.popFirst() else { return nil }
        if found.sequence != place + 1 { try await skipDeleted(to: found.sequence) }
        place = found.sequence
        entry = found
        // A command changes no state.
      } while entry.kind == .command
      return JournalHistory<R>.Change(
        sequence: entry.sequence, mutations: try replay.decode(entry), kind: entry.kind,
        cause: entry.cause, time: entry.time)
    }

    private mutating func readNextPage() async throws {
      // The end is read before the page, so that an entry that is added in between is not reported
      // as missing.
      let last = try await replay.store.extent(of: replay.key).last
      page = try await replay.store.entries(of: replay.key, after: place, limit: 1_000)[...]
      if page.isEmpty, place < last { try await skipDeleted(to: last + 1) }
    }

    /// Skips entries that have been deleted meanwhile; any other gap is an error.
    private mutating func skipDeleted(to sequence: Int) async throws {
      place = Swift.max(place, try await replay.store.extent(of: replay.key).deleted)
      if place + 1 < sequence { throw JournalError.missing(replay.key, sequence: place + 1) }
    }
  }
}
