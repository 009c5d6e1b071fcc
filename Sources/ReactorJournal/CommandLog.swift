import Foundation
import Reactor
import ReactorRuntime

/// The commands in a journal: which have begun, and the outcomes of those that have ended.
///
/// It is read from the journal at the first query, from the end backwards. Without a query it costs
/// nothing.
///
/// Holds: `state`, guarded by its own lock.
final class CommandLog: Sendable {
  private struct Entry: Sendable {
    let command: StoredCommand
    let sequence: Int
    let time: Date
  }

  private struct State: Sendable {
    /// The entries that were stored since the journal was opened, and those that were read; oldest
    /// first.
    var entries: ArraySlice<Entry> = []
    /// The newest entry of each command, by its identifier.
    var known: [String: Entry] = [:]
    var isRead = false

    mutating func removeExpired(before time: Date) {
      while let entry = entries.first, entry.time < time {
        if known[entry.command.id]?.sequence == entry.sequence { known[entry.command.id] = nil }
        entries.removeFirst()
      }
    }
  }

  private let key: JournalKey
  private let journal: Journal
  private let state = Guarded(State())

  init(key: JournalKey, journal: Journal) { (self.key, self.journal) = (key, journal) }

  /// Adds commands that have just been stored.
  func add(_ commands: [(command: StoredCommand, sequence: Int)]) {
    if commands.isEmpty { return }
    let now = journal.options.now()
    state.withLock { state in
      state.removeExpired(before: now - journal.options.commandTime)
      for (command, sequence) in commands {
        let entry = Entry(command: command, sequence: sequence, time: now)
        state.known[command.id] = entry
        state.entries.append(entry)
      }
    }
  }

  /// Returns the newest record of a command; `nil` if there is none, or if it was withdrawn.
  func command(_ id: String) async throws -> StoredCommand? {
    try await read()
    let then = journal.options.now() - journal.options.commandTime
    let known = state.withLock { state in
      state.removeExpired(before: then)
      return state.known[id]?.command
    }
    return known?.standing == .withdrawn ? nil : known
  }

  /// Returns the sequence number of the oldest entry that is still needed; `nil` if none is.
  func first() async throws -> Int? {
    try await read()
    let then = journal.options.now() - journal.options.commandTime
    return state.withLock { state in
      state.removeExpired(before: then)
      return state.entries.first?.sequence
    }
  }

  private func read() async throws {
    if state.withLock({ $0.isRead }) { return }
    let then = journal.options.now() - journal.options.commandTime
    let extent = try await journal.store.extent(of: key)
    var found: [Entry] = []
    var end = extent.last
    while end > extent.deleted {
      let start = max(extent.deleted, end - 1_000)
      let page = try await journal.store.entries(of: key, after: start, limit: end - start)
      // A clock that was set back can give one entry too early a date, but not all entries of a
      // page.
      if page.allSatisfy({ $0.time < then }) { break }
      for entry in page.reversed() where entry.kind == .command {
        found.append(
          Entry(command: try decode(entry), sequence: entry.sequence, time: entry.time))
      }
      end = start
    }
    state.withLock { state in
      if state.isRead { return }
      state.isRead = true
      // Entries that were stored during this read are newer, and the read may have found them as
      // well.
      let since = state.entries.first?.sequence ?? .max
      let older = found.reversed().filter { $0.sequence < since }
      state.entries = ArraySlice(older) + state.entries
      state.known = [:]
      for entry in state.entries { state.known[entry.command.id] = entry }
    }
  }

  private func decode(_ entry: JournalEntry) throws -> StoredCommand {
    do {
      return try journal.codec.decode(StoredCommand.self, from: entry.payload)
    } catch {
      throw JournalError.undecodable(
        key, sequence: entry.sequence, version: entry.version, cause: error)
    }
  }
}

extension JournalOptions {
  fileprivate var commandTime: TimeInterval { commandRetention / .seconds(1) }
}
