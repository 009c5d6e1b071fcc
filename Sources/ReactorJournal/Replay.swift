import Foundation
import Reactor

/// Makes a state of what is kept, without a reactor: page by page, so that the length of the
/// history does not matter to memory.
struct Replay<R: JournaledReactor>: Sendable {
  let key: JournalKey
  let store: any JournalStore
  let codec: any JournalCodec
  /// What measures how long it takes.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Told of what was passed by: a snapshot that cannot be read.
  var report: @Sendable (JournalError) -> Void = { _ in }

  /// How many entries are read at once.
  private static var page: Int { 1_000 }

  /// A state, and where in the history it is.
  struct Point: Sendable {
    var state: R.State
    var sequence: Int
    /// How many entries have been folded to come here.
    var folded = 0
    /// How long it took to read, decode and fold them.
    var time = Duration.zero
    /// The last entry whose hash was the state's; before the first one, where it began.
    var agreed: Int

    init(state: R.State, sequence: Int) {
      (self.state, self.sequence, agreed) = (state, sequence, sequence)
    }
  }

  /// The state after an entry.
  ///
  /// - Parameters:
  ///   - sequence: The last entry to fold.
  ///   - extent: Where the journal begins and ends.
  /// - Returns: The state, and how many entries it took to make it.
  /// - Throws: ``JournalError`` for what is not there or cannot be read.
  func state(at sequence: Int, in extent: JournalExtent) async throws -> Point {
    try await withExtent(extent) { try await attempt(sequence, in: $0) }
  }

  /// Reads with an extent, and again where old entries were deleted while that was read: then what
  /// was missing is not damage.
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

  /// The state after an entry, if nothing of the history is deleted meanwhile.
  ///
  /// - Parameters:
  ///   - sequence: The last entry to fold.
  ///   - extent: Where the journal begins and ends.
  ///   - fromStart: Whether to begin where the history does: with the first state, or the snapshot
  ///     that stands before its first entry, as in a fork.
  ///   - step: Called with each entry, decoded, before it is folded, and with the state then.
  /// - Returns: The state, and how many entries it took to make it.
  /// - Throws: ``JournalError`` for what is not there or cannot be read.
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

  /// The newest snapshot that can be read, or the beginning.
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

  /// Where the history begins, or what is left of it.
  private func oldest(in extent: JournalExtent) async throws -> Point {
    if extent.deleted == 0 { return try await start(before: 0, in: extent) }
    guard let snapshot = try await oldestSnapshot(in: extent) else {
      throw JournalError.deleted(key, through: extent.last)
    }
    return Point(state: try decode(snapshot), sequence: snapshot.sequence)
  }

  /// The first snapshot from which it can be folded: not all that it covers need be deleted.
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
    guard let hash = entry.stateHash.map(StateHash.init(kept:)), hash.isCurrent(in: R.self),
      entry.version == R.journalVersion
    else { return }
    guard try hash.value == StateHash(of: point.state, in: R.self).value else {
      throw JournalError.diverged(key, sequence: entry.sequence, after: point.agreed)
    }
    point.agreed = entry.sequence
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
  /// Whether something was not there, be it deleted or damaged.
  fileprivate var isAbsence: Bool {
    switch self {
    case .missing, .deleted: true
    default: false
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// - Returns: What says how long ago this was.
  func stopwatch() -> @Sendable () -> Swift.Duration {
    let begun = now
    return { begun.duration(to: self.now) }
  }
}
