/// The work of actions: which are open, and how they ended.
///
/// An action is known only while it has work: a turn that is not over, effects, or an action that a
/// hook made of it. Each is a *piece*.
///
/// ```
///            begin            end of a piece that is not the last
///   (none) ─────────▶ open(n) ────────────────────────────────────▶ open(n-1)
///                        │ end of the last piece
///                        ▼
///                     settled, with one outcome
/// ```
///
/// | event | returns |
/// |---|---|
/// | `begin`, `beginEffect` | the number of the effect |
/// | `end`, `endEffect` | nothing, or the settlement of the action |
/// | `settleIfIdle` | whether the action has settled, because it left no work behind |
/// | `include` | – |
/// | `note` | whose outcome it is, if that is news: the first one counts |
/// | `ask`, `answer` | the outcome, or that it is forgotten |
/// | `abandon` | the settlements of all that does not run |
///
/// That an action finished is not recorded: it is what is left where no other outcome is known. Of
/// settled actions the last sixteen other outcomes are kept, and those that were asked for while
/// the action was open. What goes with an outcome, an error or a lane, the shell keeps for as
/// long as ``isKnown(_:)``.
package struct WorkMachine: Sendable, Hashable {
  package enum Outcome: UInt8, Sendable, Hashable {
    case finished, failed, cancelled, dropped, superseded, evicted, refused, notOpened
    case droppedByMiddleware, neverBegun, reactorEnded
  }

  package enum Answer: Sendable, Hashable {
    case ended(Outcome)
    /// It settled too long ago.
    case forgotten
  }

  package struct Settlement: Sendable, Hashable {
    package let action: UInt64
    package let outcome: Outcome
    /// Whether nothing is open now.
    package let isIdle: Bool
    /// The action whose outcome may be forgotten for this one.
    package let forgotten: UInt64?
  }

  /// An outcome that was not known before.
  package struct News: Sendable, Hashable {
    /// Whose it is: that of the action that a hook has made this one of.
    package let action: UInt64
    package let outcome: Outcome
    package let forgotten: UInt64?
  }

  private struct Open: Sendable, Hashable {
    /// Pieces that are not effects.
    var parts = 0
    var effects = NumberQueue()
    var outcome = Outcome.finished
    /// Actions that a hook made of this one, which does not settle before them.
    var twins: [UInt64] = []

    var pieces: Int { parts + effects.count }
  }

  private struct Question: Sendable, Hashable {
    var askers = 0
    var outcome = Outcome.finished
    var isForgotten = false
  }

  private var open: [UInt64: Open] = [:]
  /// The number of the effect that began last, since nothing was open.
  private var lastEffect: UInt64 = 0
  private var recent = RecentOutcomes()
  private var questions: [UInt64: Question] = [:]
  /// Of which action a hook has made one that has yet to settle.
  private var origins: [UInt64: UInt64] = [:]

  /// For how many actions memory is kept while nothing is open.
  package static let room = 64

  package init() {}

  package var isIdle: Bool { open.isEmpty }
  /// Whether no outcome is waited for, and no action that a hook made is under way.
  package var isQuiet: Bool { questions.isEmpty && origins.isEmpty }
  /// Whether the outcome of any action is asked for.
  package var hasQuestions: Bool { !questions.isEmpty }
  package var openActions: [UInt64] { open.keys.sorted() }
  package func isOpen(_ action: UInt64) -> Bool { open[action] != nil }
  package func effects(of action: UInt64) -> [UInt64] { open[action]?.effects.all ?? [] }
  package func twins(of action: UInt64) -> [UInt64] { open[action]?.twins ?? [] }
  package func origin(of action: UInt64) -> UInt64 {
    origins.isEmpty ? action : origins[action] ?? action
  }

  // MARK: Pieces

  package mutating func begin(_ action: UInt64) { open[action, default: Open()].parts += 1 }

  /// - Returns: The number of the effect.
  package mutating func beginEffect(_ action: UInt64) -> UInt64 {
    lastEffect += 1
    open[action, default: Open()].effects.append(lastEffect)
    return lastEffect
  }

  /// A hook has made a further action of this one, which has yet to be taken.
  package mutating func include(_ twin: UInt64, in action: UInt64) {
    origins[twin] = origin(of: action)
    open[action, default: Open()].parts += 1
    open[action]?.twins.append(twin)
  }

  /// A piece that is no effect has ended; one that was abandoned may be told of again.
  package mutating func end(_ action: UInt64) -> Settlement? {
    guard let place = open.index(forKey: action), open.values[place].parts > 0 else { return nil }
    open.values[place].parts -= 1
    return settle(place)
  }

  package mutating func endEffect(_ effect: UInt64, of action: UInt64) -> Settlement? {
    guard let place = open.index(forKey: action), open.values[place].effects.remove(effect) else {
      preconditionFailure("\(action) has no effect \(effect)")
    }
    return settle(place)
  }

  /// Settles an action that has no piece left.
  private mutating func settle(_ place: Dictionary<UInt64, Open>.Index) -> Settlement? {
    guard open.values[place].pieces == 0 else { return nil }
    let (action, entry) = open.remove(at: place)
    if open.isEmpty {
      lastEffect = 0
      // After a burst, its memory is given back.
      if open.capacity > Self.room { open = [:] }
    }
    forgetOrigin(of: action)
    let forgotten = entry.outcome == .finished ? nil : recent.keep(entry.outcome, of: action)
    return Settlement(
      action: action, outcome: entry.outcome, isIdle: open.isEmpty, forgotten: forgotten)
  }

  private mutating func forgetOrigin(of action: UInt64) {
    if !origins.isEmpty { origins[action] = nil }
  }

  /// An action has been taken.
  ///
  /// - Returns: Whether it has settled: it left no work behind.
  package mutating func settleIfIdle(_ action: UInt64) -> Bool {
    guard open.isEmpty || open[action] == nil else { return false }
    forgetOrigin(of: action)
    return true
  }

  // MARK: Outcomes

  /// An action has ended, or will, otherwise than by finishing.
  ///
  /// - Returns: `nil` where an outcome is known.
  package mutating func note(_ outcome: Outcome, of action: UInt64) -> News? {
    let origin = origin(of: action)
    var outcome = outcome
    // Of several that a hook has made of one, another may have begun.
    if outcome == .neverBegun, origin != action || open[action]?.twins.isEmpty == false {
      outcome = .reactorEnded
    }
    guard open[origin]?.outcome ?? .finished == .finished, recent.outcome(of: origin) == nil
    else { return nil }
    questions[origin]?.outcome = outcome
    guard open[origin] == nil else {
      open[origin]?.outcome = outcome
      return News(action: origin, outcome: outcome, forgotten: nil)
    }
    return News(action: origin, outcome: outcome, forgotten: recent.keep(outcome, of: origin))
  }

  /// How an action ended, or will, if otherwise than by finishing, and as far as is known.
  package func outcome(of action: UInt64) -> Outcome? {
    if let outcome = open[action]?.outcome, outcome != .finished { return outcome }
    return recent.outcome(of: action)
  }

  /// Whether the shell has to keep what goes with an action's outcome.
  package func isKnown(_ action: UInt64) -> Bool {
    outcome(of: action) != nil || questions[action].map { $0.outcome != .finished } ?? false
  }

  /// The outcome of an action is asked for, and answered once it has settled.
  package mutating func ask(_ action: UInt64) {
    var question = questions[action] ?? Question()
    if question.askers == 0 {
      question.outcome = outcome(of: action) ?? .finished
      question.isForgotten = open[action] == nil && recent.hasForgotten(action)
    }
    question.askers += 1
    questions[action] = question
  }

  package mutating func answer(_ action: UInt64) -> Answer {
    guard var question = questions[action] else { return .forgotten }
    question.askers -= 1
    questions[action] = question.askers == 0 ? nil : question
    return question.isForgotten ? .forgotten : .ended(question.outcome)
  }

  // MARK: The end

  /// The reactor is gone: only effects that run go on, and actions of which a hook has made others
  /// that do.
  ///
  /// - Parameters:
  ///   - kept: An action all of whose pieces go on.
  ///   - bound: The outcome of an action with this number, or a higher one, is not kept.
  /// - Returns: The settlements, in the order of the actions.
  package mutating func abandon(
    sparing kept: UInt64, keepingBelow bound: UInt64 = .max
  ) -> [Settlement] {
    for action in openActions where origin(of: action) < bound {
      _ = note(.reactorEnded, of: action)
    }
    var settlements: [Settlement] = []
    // The highest first: a hook's actions come after that of which they were made.
    for action in openActions.reversed() {
      guard let place = open.index(forKey: action) else { continue }
      let twins = open.values[place].twins.count { open[$0] != nil }
      if action != kept { open.values[place].parts = twins }
      if let settlement = settle(place) { settlements.append(settlement) }
    }
    if open.isEmpty { origins = [:] }
    return settlements.reversed()
  }
}
