/// How the last settled actions ended that did not finish.
///
/// An action that finished leaves nothing: so what is not known here has finished, unless it may
/// be older than the last outcome that was forgotten.
package struct RecentOutcomes: Sendable, Hashable {
  package static let room = 16

  private struct Entry: Sendable, Hashable {
    let action: UInt64
    let outcome: WorkMachine.Outcome
  }

  /// The newest last.
  private var entries: [Entry] = []
  /// The highest number whose outcome was forgotten.
  private var forgotten: UInt64?

  package init() {}

  /// Keeps an outcome, in the place of the oldest one if there is no other.
  ///
  /// - Returns: The action whose outcome is forgotten for it.
  package mutating func keep(_ outcome: WorkMachine.Outcome, of action: UInt64) -> UInt64? {
    entries.append(Entry(action: action, outcome: outcome))
    guard entries.count > Self.room else { return nil }
    let oldest = entries.removeFirst()
    forgotten = max(forgotten ?? 0, oldest.action)
    return oldest.action
  }

  package func outcome(of action: UInt64) -> WorkMachine.Outcome? {
    entries.last { $0.action == action }?.outcome
  }

  /// Whether nothing is known of an action any more, had it ended otherwise than by finishing.
  package func hasForgotten(_ action: UInt64) -> Bool {
    if let forgotten, action <= forgotten { outcome(of: action) == nil } else { false }
  }
}
