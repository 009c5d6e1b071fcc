public import Logging
public import Reactor

/// Writes a line of a log for each step of the reactors that it observes.
///
/// ```swift
/// ReactorObservers.add(LoggingObserver(logger))
/// ```
///
/// Its metadata are `reactor`, the type; `id`, the reactor's name or number; `action`, the name and
/// number of the action; `cause`, what sent it; `took` and `waited`, in milliseconds; of a mutation
/// `mutation`, its number, `version`, that of the state it has made, and `effect`, the one that has
/// emitted it. What actions, mutations and errors carry is shown only where their authors have said
/// how; see `ReportText`.
///
/// An effect that throws an `ExpectedError` says no, which is no problem: its line is at the level
/// of those that finish, and says `declined: …`.
///
/// Reports go to `ReactorReports` as well, and from there to standard error, so that each problem
/// is written twice. Where the log is enough, one line keeps standard error free of them:
///
/// ```swift
/// ReactorReports.setHandler { _ in }
/// ```
public struct LoggingObserver: ReactorObserver {
  /// At which level which steps are logged; `nil` for not at all.
  public struct Levels: Sendable {
    /// Actions: taken, waiting, begun, ended.
    public var actions: Logger.Level? = .debug
    /// Effects: begun, ended.
    public var effects: Logger.Level? = .debug
    /// Mutations that were reduced.
    public var mutations: Logger.Level? = .trace
    /// Outputs.
    public var outputs: Logger.Level? = .debug
    /// Reactors: started, stopping, stopped, gone, kept.
    public var reactors: Logger.Level? = .debug
    /// What must not vanish quietly: failures, refusals, drops.
    public var problems: Logger.Level? = .warning
    /// A lane's rules at work: a newer action has taken an older one's place.
    public var replacements: Logger.Level? = .debug

    /// The levels that most people expect: problems are warnings, mutations traces, all else debug.
    public init() {}
  }

  private let logger: Logger
  private let levels: Levels
  private let showsDifferences: Bool

  /// An observer that logs.
  ///
  /// - Parameters:
  ///   - logger: Where to.
  ///   - levels: At which level which steps are logged.
  ///   - showsDifferences: Whether a mutation's line has what has changed in the state, as metadata
  ///     `difference`. It shows all that the states carry, secrets too, and takes its time.
  public init(_ logger: Logger, levels: Levels = Levels(), showsDifferences: Bool = false) {
    self.logger = logger
    self.levels = levels
    self.showsDifferences = showsDifferences
  }

  /// The steps that have a level, and the states before mutations if it shows differences.
  public var needs: ObserverNeeds {
    var needs: ObserverNeeds = [.reports, .times, .causes]
    if levels.actions != nil { needs.insert(.actions) }
    if levels.effects != nil { needs.insert(.effects) }
    if levels.mutations != nil { needs.insert(.mutations) }
    if levels.outputs != nil { needs.insert(.outputs) }
    if levels.reactors != nil { needs.insert(.life) }
    if showsDifferences { needs.insert(.oldStates) }
    return needs
  }

  /// Logs a step.
  ///
  /// - Parameter step: The step.
  public func observe(_ step: ReactorStep) {
    guard let level = level(of: step.kind), level >= logger.logLevel else { return }
    logger.log(level: level, "\(message(of: step.kind))", metadata: metadata(of: step))
  }

  private func level(of kind: ReactorStep.Kind) -> Logger.Level? {
    switch kind {
    case .taken, .intoHook, .waiting, .begun, .ended: levels.actions
    case .effectBegun, .effectEnded: levels.effects
    case .reduced: levels.mutations
    case .output: levels.outputs
    case .started, .stopping, .stopped, .released, .durable: levels.reactors
    case .report(let report):
      switch report.problem {
      case .supersededInLane, .evictedFromLane: levels.replacements
      // A no is an answer, as it is where an effect says it.
      case .droppedByMiddleware(is any ExpectedError): levels.actions
      default: levels.problems
      }
    }
  }

  // MARK: Words

  private func message(of kind: ReactorStep.Kind) -> String {
    if case .report(let report) = kind { "\(report)" } else { kind.text }
  }

  private func metadata(of step: ReactorStep) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "reactor": "\(step.reactor.type)", "id": "\(step.reactor.name ?? "\(step.reactor.number)")",
    ]
    if let action = step.action {
      metadata["action"] = "\(action.name)#\(action.number)"
      if let cause = action.cause { metadata["cause"] = "\(cause)" }
    }
    switch step.kind {
    case .taken(let waited?, _), .begun(let waited?): metadata["waited"] = "\(milliseconds(waited))"
    case .effectEnded(_, _, let took?), .ended(_, let took?):
      metadata["took"] = "\(milliseconds(took))"
    case .reduced(let transition):
      metadata["mutation"] = "\(transition.number)"
      metadata["version"] = "\(transition.version)"
      if let effect = transition.effect { metadata["effect"] = "\(effect)" }
      if showsDifferences { metadata["difference"] = "\(transition.difference)" }
    default: break
    }
    return metadata
  }

  private func milliseconds(_ duration: Duration) -> Double {
    let micros = duration / .microseconds(1)
    return micros.rounded() / 1000
  }
}

extension Logger.MetadataProvider {
  /// Adds `cause` to every line that an action's work writes: which reactor, and which of its
  /// actions.
  ///
  /// ```swift
  /// LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .reactorCause)
  /// ```
  public static var reactorCause: Logger.MetadataProvider {
    Logger.MetadataProvider {
      ReactorCause.current.map { ["cause": "\($0)"] } ?? [:]
    }
  }
}
