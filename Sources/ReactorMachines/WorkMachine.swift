/// The work of actions: which actions are open, and how actions ended.
///
/// An action is known only while it has work: a turn that is not over, effects, or a further action
/// that a hook made of it. Each of these is a *piece*.
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
/// | `addFurtherAction` | – |
/// | `note` | the action that the outcome belongs to, if the outcome is new: the first one counts |
/// | `requestOutcome`, `takeOutcome` | the outcome, or that it is forgotten |
/// | `abandon` | the settlements of all actions without running work |
///
/// That an action finished is not recorded: it follows from the absence of another outcome. Of the
/// other outcomes of settled actions, the last sixteen are kept, and those that were requested
/// while the action was open. The shell keeps what belongs to an outcome, such as an error or a
/// lane, for as long as ``isKnown(_:)`` is true.
package struct WorkMachine: Sendable, Hashable {
  package enum Outcome: UInt8, Sendable, Hashable {
    case finished, failed, cancelled, dropped, superseded, evicted, refused, notOpened
    case droppedByMiddleware, neverBegun, reactorEnded
  }

  package enum RequestedOutcome: Sendable, Hashable {
    case ended(Outcome)
    /// It settled too long ago.
    case forgotten
  }

  package struct Settlement: Sendable, Hashable {
    package let action: UInt64
    package let outcome: Outcome
    /// Whether no action is open now.
    package let isIdle: Bool
    /// The action whose outcome may be forgotten because of this one.
    package let forgotten: UInt64?
  }

  /// An outcome that was not known before.
  package struct NewOutcome: Sendable, Hashable {
    /// The action that the outcome belongs to: if a hook made the noted action of another, that
    /// other action.
    package let action: UInt64
    package let outcome: Outcome
    package let forgotten: UInt64?
  }

  private struct OpenAction: Sendable, Hashable {
    /// Pieces that are not effects.
    var otherPieces = 0
    var effects = NumberQueue()
    var outcome = Outcome.finished
    /// Further actions that a hook made of this one, which settles only after them.
    var furtherActions: [UInt64] = []

    var pieces: Int { otherPieces + effects.count }
  }

  private struct OutcomeRequest: Sendable, Hashable {
    var requesters = 0
    var outcome = Outcome.finished
    var isForgotten = false
  }

  private var open: [UInt64: OpenAction] = [:]
  /// The number of the effect that began last since nothing was open.
  private var lastEffect: UInt64 = 0
  private var recent = RecentOutcomes()
  private var requests: [UInt64: OutcomeRequest] = [:]
  /// For each action that a hook made and that has not settled: the action of which it was made.
  private var origins: [UInt64: UInt64] = [:]

  /// For how many actions memory is kept while none is open.
  package static let retainedCapacity = 64

  package init() {}

  package var isIdle: Bool { open.isEmpty }
  /// Whether no outcome is waited for, and no action that a hook made is open.
  package var hasNoOutcomeState: Bool { requests.isEmpty && origins.isEmpty }
  /// Whether the outcome of any action is requested.
  package var hasOutcomeRequests: Bool { !requests.isEmpty }
  package var openActions: [UInt64] { open.keys.sorted() }
  package func isOpen(_ action: UInt64) -> Bool { open[action] != nil }
  package func effects(of action: UInt64) -> [UInt64] { open[action]?.effects.all ?? [] }
  package func furtherActions(of action: UInt64) -> [UInt64] { open[action]?.furtherActions ?? [] }
  package func origin(of action: UInt64) -> UInt64 {
    origins.isEmpty ? action : origins[action] ?? action
  }

  // MARK: Pieces

  package mutating func begin(_ action: UInt64) {
    open[action, default: OpenAction()].otherPieces += 1
  }

  /// - Returns: The number of the effect.
  package mutating func beginEffect(_ action: UInt64) -> UInt64 {
    lastEffect += 1
    open[action, default: OpenAction()].effects.append(lastEffect)
    return lastEffect
  }

  /// A hook has made a further action of this one; the further action has not been taken yet.
  package mutating func addFurtherAction(_ further: UInt64, of action: UInt64) {
    origins[further] = origin(of: action)
    open[action, default: OpenAction()].otherPieces += 1
    open[action]?.furtherActions.append(further)
  }

  /// A piece that is not an effect has ended.
  ///
  /// The end of an abandoned piece may be reported again.
  package mutating func end(_ action: UInt64) -> Settlement? {
    guard let place = open.index(forKey: action), open.values[place].otherPieces > 0 else {
      return nil
    }
    open.values[place].otherPieces -= 1
    return settle(place)
  }

  package mutating func endEffect(_ effect: UInt64, of action: UInt64) -> Settlement? {
    guard let place = open.index(forKey: action), open.values[place].effects.remove(effect) else {
      preconditionFailure("\(action) has no effect \(effect)")
    }
    return settle(place)
  }

  /// Settles an action that has no piece left.
  private mutating func settle(_ place: Dictionary<UInt64, OpenAction>.Index) -> Settlement? {
    guard open.values[place].pieces == 0 else { return nil }
    let (action, entry) = open.remove(at: place)
    if open.isEmpty {
      lastEffect = 0
      // Memory that a burst needed is freed.
      if open.capacity > Self.retainedCapacity { open = [:] }
    }
    forgetOrigin(of: action)
    let forgotten = entry.outcome == .finished ? nil : recent.append(entry.outcome, of: action)
    return Settlement(
      action: action, outcome: entry.outcome, isIdle: open.isEmpty, forgotten: forgotten)
  }

  private mutating func forgetOrigin(of action: UInt64) {
    if !origins.isEmpty { origins[action] = nil }
  }

  /// An action has been taken.
  ///
  /// - Returns: Whether it has settled, because it left no work behind.
  package mutating func settleIfIdle(_ action: UInt64) -> Bool {
    guard open.isEmpty || open[action] == nil else { return false }
    forgetOrigin(of: action)
    return true
  }

  // MARK: Outcomes

  /// Records that an action has ended, or will end, in another way than by finishing.
  ///
  /// - Returns: `nil` if an outcome is known already.
  package mutating func note(_ outcome: Outcome, of action: UInt64) -> NewOutcome? {
    let origin = origin(of: action)
    var outcome = outcome
    // Of several actions that a hook made of one, another may have begun.
    if outcome == .neverBegun, origin != action || open[action]?.furtherActions.isEmpty == false {
      outcome = .reactorEnded
    }
    guard open[origin]?.outcome ?? .finished == .finished, recent.outcome(of: origin) == nil
    else { return nil }
    requests[origin]?.outcome = outcome
    guard open[origin] == nil else {
      open[origin]?.outcome = outcome
      return NewOutcome(action: origin, outcome: outcome, forgotten: nil)
    }
    return NewOutcome(
      action: origin, outcome: outcome, forgotten: recent.append(outcome, of: origin))
  }

  /// The known outcome of an action that has ended, or will end, in another way than by finishing.
  package func outcome(of action: UInt64) -> Outcome? {
    if let outcome = open[action]?.outcome, outcome != .finished { return outcome }
    return recent.outcome(of: action)
  }

  /// Whether the shell has to keep what belongs to an action's outcome.
  package func isKnown(_ action: UInt64) -> Bool {
    outcome(of: action) != nil || requests[action].map { $0.outcome != .finished } ?? false
  }

  /// Requests the outcome of an action, which is answered once the action has settled.
  package mutating func requestOutcome(of action: UInt64) {
    var request = requests[action] ?? OutcomeRequest()
    if request.requesters == 0 {
      request.outcome = outcome(of: action) ?? .finished
      request.isForgotten = open[action] == nil && recent.hasForgotten(action)
    }
    request.requesters += 1
    requests[action] = request
  }

  package mutating func takeOutcome(of action: UInt64) -> RequestedOutcome {
    guard var request = requests[action] else { return .forgotten }
    request.requesters -= 1
    requests[action] = request.requesters == 0 ? nil : request
    return request.isForgotten ? .forgotten : .ended(request.outcome)
  }

  // MARK: The end

  /// The reactor has been released.
  ///
  /// Only effects that run continue, and actions of which a hook made others with such effects stay
  /// open.
  ///
  /// - Parameters:
  ///   - excluded: An action all of whose pieces continue.
  ///   - bound: The outcomes of actions with this number or a higher one are not kept.
  /// - Returns: The settlements, in the order of the actions.
  package mutating func abandon(
    except excluded: UInt64, keepingBelow bound: UInt64 = .max
  ) -> [Settlement] {
    for action in openActions where origin(of: action) < bound {
      _ = note(.reactorEnded, of: action)
    }
    var settlements: [Settlement] = []
    // The highest number first: the actions that a hook made have higher numbers than the original.
    for action in openActions.reversed() {
      guard let place = open.index(forKey: action) else { continue }
      let furtherActions = open.values[place].furtherActions.count { open[$0] != nil }
      if action != excluded { open.values[place].otherPieces = furtherActions }
      if let settlement = settle(place) { settlements.append(settlement) }
    }
    if open.isEmpty { origins = [:] }
    return settlements.reversed()
  }
}
