import Foundation
import ReactorJournal
import ReactorREPL

/// What a counter has done, as lines of text, computed from its journal without the counter.
struct CounterHistory {
  let history: JournalHistory<CounterReactor>
  typealias Change = JournalHistory<CounterReactor>.Change

  /// Returns a line for each of the newest changes, the oldest of them first.
  ///
  /// A line has the change's number, its time, the value after it, and what was done.
  func lines(newest count: Int) async throws -> [String] {
    let extent = try await history.extent
    let first = max(extent.deleted, extent.last - count)
    var (state, lines) = (try await history.state(at: first), [String]())
    for try await change in history.changes(after: first) {
      let (before, time) = (state.value, change.time.formatted(.iso8601))
      for mutation in change.mutations { CounterReactor.reduce(state: &state, mutation: mutation) }
      let what = Self.text(of: change, hasFit: before != state.value)
      lines.append("\(change.sequence)  \(time)  value: \(state.value)  \(what)")
    }
    return lines
  }

  /// Returns the value after a change; change 0 is the beginning.
  func value(after change: Int) async throws -> Int {
    do {
      return try await history.state(at: change).value
    } catch JournalError.outside(_, _, _, let last) {
      throw CommandError("there is no change \(change); use a number from 0 to \(last)")
    }
  }

  private static func text(of change: Change, hasFit: Bool) -> String {
    switch change.kind {
    case .undo(let number): return "undid \(number)"
    case .redo(let number): return "redid \(number)"
    // The program sends no journaled commands.
    case .change, .command:
      let cause = change.cause.map { ", by action \($0)" } ?? ""
      return change.mutations.map { text(of: $0, hasFit: hasFit) }.joined(separator: ", ") + cause
    }
  }

  private static func text(of mutation: CounterReactor.Mutation, hasFit: Bool) -> String {
    switch mutation {
    case .end(let amount, _), .add(let amount):
      if amount != 0, !hasFit { return "refused to add \(amount)" }
      return amount < 0 ? "decreased by \(amount.magnitude)" : "increased by \(amount)"
    case .set(let value): return "set to \(value)"
    case .begin, .cancel, .refuse: return "nothing"
    }
  }
}
