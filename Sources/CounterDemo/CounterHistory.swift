import Foundation
import ReactorJournal

/// What a counter has done, as lines of text, computed from its journal without the counter.
struct CounterHistory {
  let history: JournalHistory<CounterReactor>

  /// Returns the newest changes, the oldest of them first.
  ///
  /// - Parameter count: The number of changes.
  /// - Returns: A line for each: its number, its time, the value after it, and what was done.
  /// - Throws: `JournalError` if the journal cannot be read.
  func lines(newest count: Int) async throws -> [String] {
    let extent = try await history.extent
    let first = max(extent.deleted, extent.last - count)
    var state = try await history.state(at: first)
    var lines: [String] = []
    for try await change in history.changes(after: first) {
      let before = state
      for mutation in change.mutations { CounterReactor.reduce(state: &state, mutation: mutation) }
      let what = Self.text(of: change, hasFit: before.value != state.value)
      lines.append(
        "\(change.sequence)  \(change.time.formatted(.iso8601))  value: \(state.value)  \(what)")
    }
    return lines
  }

  private static func text(
    of change: JournalHistory<CounterReactor>.Change, hasFit: Bool
  ) -> String {
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
    case .begin, .refuse: return "nothing"
    }
  }
}
