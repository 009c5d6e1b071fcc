import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import TestSupport

@testable import ReactorDistribution

/// Records the answers to clients, in real time, list by list.
final class HistoryRecorder: Sendable {
  private let histories = Guarded<[String: History]>([:])
  private let start = ContinuousClock.now
  /// Each append that was answered.
  let acknowledged = Log<Int>()

  var now: Duration { ContinuousClock.now - start }

  /// Appends by some way that says at which place it then is; `nil` where that is not known.
  @discardableResult
  func append(_ value: Int, to id: String, _ body: () async -> Int?) async -> Int? {
    let begun = now
    histories.withLock { histories in
      histories[id, default: History()].appends.append(.init(value: value, begun: begun))
    }
    guard let place = await body() else { return nil }
    let ended = now
    histories.withLock { histories in
      guard let index = histories[id]?.appends.lastIndex(where: { $0.value == value }) else {
        return
      }
      histories[id]?.appends[index].place = place
      histories[id]?.appends[index].ended = ended
    }
    acknowledged.append(value)
    return place
  }

  /// The same, by a host of this process.
  @discardableResult
  func append(_ value: Int, to id: String, at host: HTTPHost) async -> Int? {
    await append(value, to: id) {
      try? await host.lists[id].ask { .append(value, $0) }
    }
  }

  /// The same, by a host that is a process.
  @discardableResult
  func append(_ value: Int, to id: String, by host: FixtureHost) async -> Int? {
    await append(value, to: id) { await host.append(value, to: id) }
  }

  /// Reads a list, to be of this very moment, by some way.
  func read(_ id: String, _ body: () async -> [Int]?) async {
    let begun = now
    guard let values = await body() else { return }
    let read = History.Read(values: values, begun: begun, ended: now, isFenced: true)
    histories.withLock { $0[id, default: History()].reads.append(read) }
  }

  /// What an observer of a list saw, from its beginning to its end.
  func observed(_ states: [[Int]], of id: String) {
    histories.withLock { $0[id, default: History()].observed.append(states) }
  }

  /// A line for each thing that is wrong, in whatever list.
  func problems(in store: PostgresStore) async throws -> [String] {
    let rows = try await store.query(
      """
      select id, seq, epoch, convert_from(payload, 'UTF8') from reactor_journal
      where kind = 'list' order by id, seq
      """
    ).rows
    var found: [String: [(sequence: Int, epoch: Int, value: Int)]] = [:]
    for row in rows {
      guard let id = row[0], let sequence = row[1].flatMap({ Int($0) }),
        let epoch = row[2].flatMap({ Int($0) }), let value = row[3].flatMap({ Int($0) })
      else { throw PostgresError.malformed("\(row)") }
      found[id, default: []].append((sequence, epoch, value))
    }
    let histories = histories.withLock { $0 }
    return Set(histories.keys).union(found.keys).sorted().flatMap { id in
      (histories[id] ?? History()).problems(beside: found[id] ?? []).map { "\(id): \($0)" }
    }
  }
}
