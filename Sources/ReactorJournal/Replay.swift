import Foundation
import Reactor

/// Restores a state from a store, without a reactor.
///
/// It reads page by page, so that its memory does not depend on the length of the history.
struct Replay<R: JournaledReactor>: Sendable {
  let key: JournalKey
  let store: any JournalStore
  let codec: any JournalCodec
  /// Measures how long it takes.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Receives the errors of snapshots that were skipped because they cannot be read.
  var report: @Sendable (JournalError) -> Void = { _ in }

  /// How many entries are read at once.
  private static var page: Int { 1_000 }

  /// A state and its place in the history.
  struct Point: Sendable {
    var state: R.State
    var sequence: Int
    /// How many entries were folded to reach it.
    var folded = 0
    /// How long it took to read, decode and fold them.
    var time = Duration.zero
    /// The last entry whose hash matched the state; before the first one, the place where the
    /// replay began.
    var lastVerified: Int

    init(state: R.State, sequence: Int) {
      (self.state, self.sequence, lastVerified) = (state, sequence, sequence)
    }
  }

  /// Returns the state after an entry.
  ///
  /// - Parameters:
  ///   - sequence: The last entry to fold.
  ///   - extent: Where the journal begins and ends.
  /// - Returns: The state, and how many entries were folded.
  /// - Throws: ``JournalError`` for an entry that is missing or cannot be read.
  func state(at sequence: Int, in extent: JournalExtent) async throws -> Point {
    try await withExtent(extent) { try await attempt(sequence, in: $0) }
  }

  /// Reads with an extent, and again if old entries were deleted during the read.
  ///
  /// An entry that was missing for that reason is not damage.
  func withExtent<Found>(
    _ extent: JournalExtent, _ read: (JournalExtent) async throws -> Found
  ) async throws -> Found {
    var extent = extent
    while true {
      do {
        return try await read(extent)
      } catch let error as JournalError {
        guard error.isAbsence else { throw error }
        let now = try await store.extent(of: key)
        guard now.deleted > extent.deleted else { throw error }
        extent = now
      }
    }
  }

  /// Returns the state after an entry, provided that nothing of the history is deleted meanwhile.
  ///
  /// - Parameters:
  ///   - sequence: The last entry to fold.
  ///   - extent: Where the journal begins and ends.
  ///   - fromStart: Whether to begin at the start of the history: with the initial state, or with
  ///     the snapshot before its first entry, as in a fork.
  ///   - step: Called before each entry is folded, with the entry, its mutations and the state
  ///     before it.
  /// - Returns: The state, and how many entries were folded.
  /// - Throws: ``JournalError`` for an entry that is missing or cannot be read.
  func attempt(
    _ sequence: Int, in extent: JournalExtent, fromStart: Bool = false,
    eachStep step: ((JournalEntry, [R.Mutation], R.State) -> Void)? = nil
  ) async throws -> Point {
    guard sequence <= extent.last, sequence >= extent.deleted, sequence >= 0 else {
      throw JournalError.outside(
        key, sequence: sequence, first: extent.deleted, last: extent.last)
    }
    var point =
      fromStart ? try await oldest(in: extent) : try await start(before: sequence, in: extent)
    let elapsed = clock.stopwatch()
    while point.sequence < sequence {
      let limit = min(Self.page, sequence - point.sequence)
      let page = try await store.entries(of: key, after: point.sequence, limit: limit)
      if page.isEmpty { throw JournalError.missing(key, sequence: point.sequence + 1) }
      for entry in page { try fold(entry, into: &point, step) }
    }
    point.time = elapsed()
    return point
  }

  /// Returns the newest snapshot that can be read, or the initial state.
  private func start(before sequence: Int, in extent: JournalExtent) async throws -> Point {
    var (place, unreadable) = (sequence, [JournalError]())
    while place >= extent.deleted {
      do {
        guard let point = try await newestSnapshot(through: place),
          point.sequence >= extent.deleted
        else { break }
        unreadable.forEach(report)
        return point
      } catch let error as JournalError {
        guard case .undecodableSnapshot(_, let found, _, _) = error else { throw error }
        unreadable.append(error)
        place = min(place, found) - 1
      }
    }
    if extent.deleted == 0 {
      unreadable.forEach(report)
      return Point(state: R.initialState, sequence: 0)
    }
    if let newest = unreadable.first { throw newest }
    let oldest = try await oldestSnapshot(in: extent)
    throw JournalError.deleted(key, through: oldest?.sequence ?? extent.last)
  }

  /// Returns the state at the start of the history, or of what is left of it.
  private func oldest(in extent: JournalExtent) async throws -> Point {
    if extent.deleted == 0 { return try await start(before: 0, in: extent) }
    guard let snapshot = try await oldestSnapshot(in: extent) else {
      throw JournalError.deleted(key, through: extent.last)
    }
    return Point(state: try decode(snapshot), sequence: snapshot.sequence)
  }

  /// Returns the oldest snapshot that can be folded from.
  ///
  /// Some entries that it covers may still be stored.
  private func oldestSnapshot(in extent: JournalExtent) async throws -> JournalSnapshot? {
    var (oldest, place) = (nil as JournalSnapshot?, extent.last)
    while let found = try await store.snapshot(of: key, through: place),
      found.sequence >= extent.deleted
    {
      (oldest, place) = (found, found.sequence - 1)
    }
    return oldest
  }

  private func newestSnapshot(through sequence: Int) async throws -> Point? {
    guard let snapshot = try await store.snapshot(of: key, through: sequence) else { return nil }
    return Point(state: try decode(snapshot), sequence: snapshot.sequence)
  }

  func decode(_ snapshot: JournalSnapshot) throws -> R.State {
    do {
      let values = try R.snapshotUpgrades.run(
        snapshot.payload, from: snapshot.version, to: R.snapshotVersion)
      guard let value = values.first else {
        throw VersionProblem.noUpgrade(from: snapshot.version)
      }
      return try codec.decode(R.State.self, from: value)
    } catch {
      throw JournalError.undecodableSnapshot(
        key, sequence: snapshot.sequence, version: snapshot.version, cause: error)
    }
  }

  private func fold(
    _ entry: JournalEntry, into point: inout Point,
    _ step: ((JournalEntry, [R.Mutation], R.State) -> Void)?
  ) throws {
    guard entry.sequence == point.sequence + 1 else {
      throw JournalError.missing(key, sequence: point.sequence + 1)
    }
    let mutations = try decode(entry)
    step?(entry, mutations, point.state)
    for mutation in mutations { R.reduce(state: &point.state, mutation: mutation) }
    point.sequence = entry.sequence
    point.folded += 1
    guard let hash = entry.stateHash.map(StateHash.init(stored:)), hash.isCurrent(in: R.self),
      entry.version == R.journalVersion
    else { return }
    guard try hash.value == StateHash(of: point.state, in: R.self).value else {
      throw JournalError.diverged(key, sequence: entry.sequence, after: point.lastVerified)
    }
    point.lastVerified = entry.sequence
  }

  func decode(_ entry: JournalEntry) throws -> [R.Mutation] {
    if entry.kind == .command { return [] }
    do {
      if entry.version == R.journalVersion {
        return [try codec.decode(R.Mutation.self, from: entry.payload)]
      }
      return try R.upgrades.run(entry.payload, from: entry.version, to: R.journalVersion)
        .map { try codec.decode(R.Mutation.self, from: $0) }
    } catch {
      throw JournalError.undecodable(
        key, sequence: entry.sequence, version: entry.version, cause: error)
    }
  }
}

extension JournalError {
  /// Whether the error says that something is missing, be it deleted or damaged.
  fileprivate var isAbsence: Bool {
    switch self {
    case .missing, .deleted: true
    default: false
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Starts to measure.
  ///
  /// - Returns: A function that returns the time since this call.
  func stopwatch() -> @Sendable () -> Swift.Duration {
    let begun = now
    return { begun.duration(to: self.now) }
  }
}
