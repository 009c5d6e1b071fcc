public import Reactor
import ReactorRuntime
public import Tracing

/// Makes a span for each action of the observed reactors, and one for each effect.
///
/// ```swift
/// ReactorObservers.add(TracingObserver())
/// ```
///
/// The span of an action begins when the action was sent, and its parent is the span in which it
/// was sent. The spans of its effects are its children. The span of an action that an effect sends,
/// to any reactor, is a child of the effect's span. So a request, its actions, their effects and
/// the actions of those form one tree, over any number of reactors, and also through lanes and
/// hooks.
///
/// An action that a hook has made or delayed begins a tree of its own, with a link to the original
/// action. If that is unknown, the link is to the last action that entered the hook.
///
/// A mutation is an event of its span. An effect's error is recorded, unless it is an
/// `ExpectedError`, which means that the effect declined. The outcome of an action is an attribute.
/// Values are not recorded: an error is recorded as `ReportText` shows it.
///
/// If the observer is removed while work is running, it does not receive the end of that work, and
/// those spans remain open.
public final class TracingObserver: ReactorObserver {
  private struct Key: Hashable {
    let reactor: UInt64
    let action: ActionNumber
    var effect: EffectNumber = 0
  }

  private struct State {
    var spans: [Key: any Span] = [:]
    /// The last action that entered the hook, of each reactor that has one.
    var lastIntoHook: [UInt64: InstrumentationContext] = [:]
  }

  private let state = Guarded(State())
  private let tracer: (any Tracer)?

  /// The instrumentation context of the sender, which each action carries.
  public let carried = TaskLocals(InstrumentationContext.$current)

  /// Creates an observer that traces.
  ///
  /// - Parameter tracer: The tracer; by default that of the process.
  public init(_ tracer: (any Tracer)? = nil) { self.tracer = tracer }

  /// The number of spans that have begun and not ended.
  public var openSpans: Int { state.withLock { $0.spans.count } }

  /// The steps that begin and end spans or add events to them, and binding values around work.
  public var needs: ObserverNeeds {
    [
      .taken, .waiting, .ended, .effects, .mutations, .reports, .lifecycle, .times, .causes,
      .values,
    ]
  }

  /// Begins or ends a span, or adds an event to one.
  ///
  /// - Parameter step: The step.
  public func observe(_ step: ReactorStep) {
    guard let action = step.action else {
      if case .released = step.kind { removeContext(step.reactor) }
      return
    }
    let key = Key(reactor: step.reactor.number, action: action.number)
    switch step.kind {
    case .taken(let waited, _): begin(key, action, step, waited ?? .zero)
    case .intoHook:
      state.withLock { $0.lastIntoHook[key.reactor] = $0.spans[key]?.context }
    case .effectBegun(let number): beginEffect(number, of: key, action, step)
    case .effectEnded(let number, let end, _): endEffect(number, of: key, end)
    case .reduced(let transition):
      span(key)?.addEvent(
        SpanEvent(
          name: ReportText.name(of: transition.mutation),
          attributes: ["reactor.mutation.number": .int64(Int64(clamping: transition.number))]))
    case .report(let report):
      span(key)?.addEvent(SpanEvent(name: ReportText.name(of: report.problem)))
    case .ended(let outcome, _): end(key, outcome)
    default: break
    }
  }

  /// Returns the context of the span of the work that is about to begin.
  ///
  /// - Parameter step: The step that is about to begin.
  /// - Returns: The context of its span.
  public func values(for step: ReactorStep) -> TaskLocalValues {
    guard let action = step.action else { return .none }
    var key = Key(reactor: step.reactor.number, action: action.number)
    if case .effectBegun(let number) = step.kind { key.effect = number }
    guard let span = span(key) else { return .none }
    return TaskLocalValues(InstrumentationContext.$current, span.context)
  }

  // MARK: Spans

  private func span(_ key: Key) -> (any Span)? { state.withLock { $0.spans[key] } }

  private func removeContext(_ reactor: ReactorIdentity) {
    state.withLock { $0.lastIntoHook[reactor.number] = nil }
  }

  private func startSpan(
    _ name: String, at ago: Duration, in context: InstrumentationContext
  ) -> any Span {
    let now = DefaultTracerClock.now.nanosecondsSinceEpoch
    let instant = DefaultTracerClock.Timestamp(
      nanosecondsSinceEpoch: now - UInt64(max(0, ago / .nanoseconds(1))))
    let tracer = tracer ?? InstrumentationSystem.tracer
    return tracer.startSpan(name, context: context, ofKind: .internal, at: instant)
  }

  private func begin(
    _ key: Key, _ action: ObservedAction, _ step: ReactorStep, _ waited: Duration
  ) {
    let span = startSpan(
      "\(step.reactor.type).\(action.name)", at: waited,
      in: InstrumentationContext.current ?? .topLevel)
    span.attributes["reactor.type"] = "\(step.reactor.type)"
    span.attributes["reactor.id"] = step.reactor.name ?? "\(step.reactor.number)"
    span.attributes["reactor.action.number"] = "\(action.number)"
    if let cause = action.cause { span.attributes["reactor.cause"] = "\(cause)" }
    if action.number.isMadeByHook, let origin = self.origin(of: action, in: step.reactor) {
      span.addLink(SpanLink(context: origin, attributes: [:]))
    }
    state.withLock { $0.spans[key] = span }
  }

  /// Returns the span of the action that a hook has made this one from, as far as it is known.
  private func origin(
    of action: ObservedAction, in reactor: ReactorIdentity
  ) -> InstrumentationContext? {
    state.withLock { state in
      guard let cause = action.cause, cause.reactor == reactor else {
        return state.lastIntoHook[reactor.number]
      }
      return state.spans[Key(reactor: reactor.number, action: cause.action)]?.context
    }
  }

  private func beginEffect(
    _ number: EffectNumber, of key: Key, _ action: ObservedAction, _ step: ReactorStep
  ) {
    var key = key
    let context = span(key)?.context ?? InstrumentationContext.current ?? .topLevel
    key.effect = number
    let span = startSpan("\(step.reactor.type).\(action.name) effect", at: .zero, in: context)
    state.withLock { $0.spans[key] = span }
  }

  private func endEffect(_ number: EffectNumber, of key: Key, _ end: EffectOutcome) {
    var key = key
    key.effect = number
    guard let span = state.withLock({ $0.spans.removeValue(forKey: key) }) else { return }
    switch end {
    case .finished: break
    case .failed(is any ExpectedError): span.attributes["reactor.declined"] = true
    case .failed(let error):
      let recorded = TracedError(description: ReportText.text(ofError: error))
      span.recordError(
        recorded, attributes: ["exception.type": .string(ReportText.name(ofError: error))])
      span.setStatus(SpanStatus(code: .error))
    case .cancelled: span.attributes["reactor.cancelled"] = true
    }
    span.end()
  }

  private func end(_ key: Key, _ outcome: ActionOutcome) {
    guard let span = state.withLock({ $0.spans.removeValue(forKey: key) }) else { return }
    span.attributes["reactor.outcome"] = outcome.text
    if case .failed(let error) = outcome, !(error is any ExpectedError) {
      span.setStatus(SpanStatus(code: .error))
    }
    span.end()
  }
}

/// The text of an error, without the values that the error carries.
private struct TracedError: Error, CustomStringConvertible {
  let description: String
}
