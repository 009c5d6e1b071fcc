public import Logging
public import Reactor

/// Logs one line for each step of the observed reactors.
///
/// ```swift
/// ReactorObservers.add(LoggingObserver(logger))
/// ```
///
/// A line has these metadata:
///
/// - `reactor`: the type of the reactor; `id`: its name or number.
/// - `action`: the name and number of the action; `cause`: what sent it.
/// - `took` and `waited`: times in milliseconds.
/// - For a mutation, `mutation`: its number; `version`: that of the new state; `effect`: the effect
///   that emitted it.
///
/// The values that actions, mutations and errors carry are only shown if their authors have defined
/// how; see `ReportText`.
///
/// An effect that throws an `ExpectedError` has declined, which is not a problem. Its line has the
/// level of effects that finish, and the text `declined: …`.
///
/// Reports are also passed to `ReactorReports`, which writes them to standard error, so each
/// problem appears twice. If the log is sufficient, one line disables standard error:
///
/// ```swift
/// ReactorReports.setHandler { _ in }
/// ```
public struct LoggingObserver: ReactorObserver {
  /// The log levels of the kinds of steps; `nil` disables a kind.
  public struct Levels: Sendable {
    /// Actions: taken, waiting, begun, ended.
    public var actions: Logger.Level? = .debug
    /// Effects: begun, ended.
    public var effects: Logger.Level? = .debug
    /// Mutations that were reduced.
    public var mutations: Logger.Level? = .trace
    /// Outputs.
    public var outputs: Logger.Level? = .debug
    /// Reactors: started, stopping, stopped, released, durable.
    public var reactors: Logger.Level? = .debug
    /// Problems: failures, refusals, drops.
    public var problems: Logger.Level? = .warning
    /// Replacements by the rules of a lane: a newer action has taken the place of an older one.
    public var replacements: Logger.Level? = .debug

    /// Creates the default levels: warning for problems, trace for mutations, debug for everything
    /// else.
    public init() {}
  }

  private let logger: Logger
  private let levels: Levels
  private let showsDifferences: Bool

  /// Creates an observer that logs.
  ///
  /// - Parameters:
  ///   - logger: The logger.
  ///   - levels: The levels of the kinds of steps.
  ///   - showsDifferences: Whether a line about a mutation has the changes of the state as metadata
  ///     `difference`. They show all values of the states, including secrets, and take time to
  ///     compute.
  public init(_ logger: Logger, levels: Levels = Levels(), showsDifferences: Bool = false) {
    self.logger = logger
    self.levels = levels
    self.showsDifferences = showsDifferences
  }

  /// The steps that have a level, and the states before mutations if differences are shown.
  public var needs: ObserverNeeds {
    var needs: ObserverNeeds = [.reports, .times, .causes]
    if levels.actions != nil { needs.insert(.actions) }
    if levels.effects != nil { needs.insert(.effects) }
    if levels.mutations != nil { needs.insert(.mutations) }
    if levels.outputs != nil { needs.insert(.outputs) }
    if levels.reactors != nil { needs.insert(.lifecycle) }
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
      // A declined action is an answer, as it is if an effect declines.
      case .droppedByMiddleware(is any ExpectedError): levels.actions
      default: levels.problems
      }
    }
  }

  // MARK: Texts

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
  /// A metadata provider that adds `cause` to every line of an action's work: the reactor and the
  /// action.
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
