/// The work of actions: which are open, who waits for them, and how they ended.
///
/// An action is known only while it has work: a turn that is not over, effects, or a hook that
/// holds it. Each is a *piece*.
///
/// ```
///             begin            end of a piece that is not the last
///   (none) ─────────▶ open(n) ────────────────────────────────────▶ open(n-1)
///                        │ end of the last piece
///                        ▼
///                     settled: waiters are resumed, with the outcome
/// ```
///
/// | event | returns |
/// |---|---|
/// | `begin` | – |
/// | `note` | whether the outcome is news: the first one counts |
/// | `end` | nothing, or the settlement of the action |
/// | `settle` | the settlement of an action that left no work behind |
/// | `wait` | settled with its outcome, or wait |
/// | `cancelWaiter` | whether it still waited |
/// | `abandon` | every waiter but those of effects that run |
///
/// That an action finished is not recorded: it is what is left where no other outcome is known. Of
/// settled actions the last sixteen other outcomes are kept, and the highest number whose outcome
/// is no longer known.
package struct WorkMachine: Sendable, Hashable {
  /// How an action ended.
  ///
  /// What goes with it, an error or a lane, the shell keeps.
  package enum Outcome: UInt8, Sendable, Hashable {
    case finished, failed, cancelled, dropped, superseded, evicted, refused, neverBegun
    case reactorEnded
  }

  package enum Answer: Sendable, Hashable {
    case ended(Outcome)
    /// It settled too long ago.
    case forgotten
  }

  private struct Open: Sendable, Hashable {
    /// Pieces that are not effects.
    var parts = 0
    var effects: [UInt64] = []
    var outcome = Outcome.finished
    var waiters: [UInt64] = []
    /// Actions that a hook made of this one, which does not settle before them.
    var twins: [UInt64] = []

    var isOver: Bool { parts == 0 && effects.isEmpty }
  }

  package struct Settlement: Sendable, Hashable {
    package let action: UInt64
    package let outcome: Outcome
    /// To be resumed.
    package let waiters: [UInt64]
    /// Whether nothing is open now.
    package let isIdle: Bool
    /// The action whose outcome is forgotten for this one: the shell drops what it kept with it.
    package let forgotten: UInt64?
  }

  private var open: [UInt64: Open] = [:]
  /// Waiters for actions that have yet to be taken.
  private var early: [UInt64: [UInt64]] = [:]
  private var recent = RecentOutcomes()
  private var lastWaiter: UInt64 = 0

  package init() {}

  package var isIdle: Bool { open.isEmpty }
  package func isOpen(_ action: UInt64) -> Bool { open[action] != nil }
  package func effects(of action: UInt64) -> [UInt64] { open[action]?.effects ?? [] }
  package var effects: [UInt64] { open.keys.sorted().flatMap { open[$0]?.effects ?? [] } }
  package var openActions: [UInt64] { open.keys.sorted() }
  package func twins(of action: UInt64) -> [UInt64] { open[action]?.twins ?? [] }

  // MARK: Pieces

  /// A piece begins: an effect, where it has a number.
  package mutating func begin(_ action: UInt64, effect: UInt64? = nil) {
    var entry = open[action] ?? Open()
    if let early = early.removeValue(forKey: action) { entry.waiters += early }
    if let effect { entry.effects.append(effect) } else { entry.parts += 1 }
    open[action] = entry
  }

  /// A hook has made a further action of this one.
  package mutating func include(_ twin: UInt64, in action: UInt64) {
    begin(action)
    open[action]?.twins.append(twin)
  }

  /// A piece has ended.
  package mutating func end(_ action: UInt64, effect: UInt64? = nil) -> Settlement? {
    guard var entry = open[action] else { preconditionFailure("\(action) has no work") }
    if let effect {
      guard let index = entry.effects.firstIndex(of: effect) else {
        preconditionFailure("effect \(effect) of \(action) has ended twice")
      }
      entry.effects.remove(at: index)
    } else {
      precondition(entry.parts > 0, "\(action) has no piece but effects")
      entry.parts -= 1
    }
    open[action] = entry
    return entry.isOver ? settled(action, entry) : nil
  }

  /// An action has been taken; if it left no work behind, it settles.
  package mutating func settle(_ action: UInt64, as outcome: Outcome = .finished) -> Settlement? {
    guard open[action] == nil else { return nil }
    var entry = Open()
    entry.outcome = outcome
    entry.waiters = early.removeValue(forKey: action) ?? []
    return settled(action, entry)
  }

  private mutating func settled(_ action: UInt64, _ entry: Open) -> Settlement {
    open[action] = nil
    let forgotten = entry.outcome == .finished ? nil : recent.keep(entry.outcome, of: action)
    return Settlement(
      action: action, outcome: entry.outcome, waiters: entry.waiters, isIdle: open.isEmpty,
      forgotten: forgotten)
  }

  // MARK: Outcomes

  /// An open action has ended, or will, otherwise than by finishing.
  ///
  /// - Returns: Whether it was not known before: then the shell keeps what goes with it.
  package mutating func note(_ outcome: Outcome, of action: UInt64) -> Bool {
    guard open[action]?.outcome == .finished else { return false }
    open[action]?.outcome = outcome
    return true
  }

  /// How a settled action ended.
  package func answer(for action: UInt64) -> Answer { recent.answer(for: action) }

  // MARK: Waiting

  package enum Wait: Sendable, Hashable {
    case settled(Answer)
    /// Wait under this number.
    case wait(UInt64)
  }

  /// Waits for an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - isTaken: Whether its turn has been taken: without open work it is settled then.
  /// - Returns: The answer, or the number of the waiter.
  package mutating func wait(for action: UInt64, isTaken: Bool) -> Wait {
    if open[action] == nil, isTaken { return .settled(answer(for: action)) }
    lastWaiter += 1
    if open[action] != nil {
      open[action]?.waiters.append(lastWaiter)
    } else {
      early[action, default: []].append(lastWaiter)
    }
    return .wait(lastWaiter)
  }

  /// - Returns: Whether it still waited.
  package mutating func cancelWaiter(_ waiter: UInt64, of action: UInt64) -> Bool {
    if let index = open[action]?.waiters.firstIndex(of: waiter) {
      open[action]?.waiters.remove(at: index)
      return true
    }
    guard let index = early[action]?.firstIndex(of: waiter) else { return false }
    early[action]?.remove(at: index)
    if early[action]?.isEmpty == true { early[action] = nil }
    return true
  }

  // MARK: The end

  /// The reactor is gone, or has ended: what is no effect that runs ends now.
  ///
  /// - Parameter outcome: How actions end that have not ended otherwise.
  /// - Returns: The settlements, in the order of the actions; then those of actions never taken.
  package mutating func abandon(as outcome: Outcome) -> [Settlement] {
    var settlements: [Settlement] = []
    for action in open.keys.sorted() {
      guard var entry = open[action] else { continue }
      entry.parts = 0
      if entry.outcome == .finished { entry.outcome = outcome }
      open[action] = entry
      if entry.isOver { settlements.append(settled(action, entry)) }
    }
    for action in early.keys.sorted() {
      if let settlement = settle(action, as: .neverBegun) { settlements.append(settlement) }
    }
    return settlements
  }
}
