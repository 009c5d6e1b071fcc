/// The outcomes of the last settled actions that ended in another way than by finishing.
///
/// An action that finished is not recorded. So an action without an entry has finished, unless it
/// may be older than the last outcome that was forgotten.
package struct RecentOutcomes: Sendable, Hashable {
  package static let capacity = 16

  private struct Entry: Sendable, Hashable {
    let action: UInt64
    let outcome: WorkMachine.Outcome
  }

  /// In order; the newest is the last.
  private var entries: [Entry] = []
  /// The highest number whose outcome was forgotten.
  private var forgotten: UInt64?

  package init() {}

  /// Records an outcome, and forgets the oldest one if the capacity is used up.
  ///
  /// - Returns: The action whose outcome is forgotten.
  package mutating func append(_ outcome: WorkMachine.Outcome, of action: UInt64) -> UInt64? {
    entries.append(Entry(action: action, outcome: outcome))
    guard entries.count > Self.capacity else { return nil }
    let oldest = entries.removeFirst()
    forgotten = max(forgotten ?? 0, oldest.action)
    return oldest.action
  }

  package func outcome(of action: UInt64) -> WorkMachine.Outcome? {
    entries.last { $0.action == action }?.outcome
  }

  /// Whether an outcome of the action other than finishing would have been forgotten.
  package func hasForgotten(_ action: UInt64) -> Bool {
    if let forgotten, action <= forgotten { outcome(of: action) == nil } else { false }
  }
}
