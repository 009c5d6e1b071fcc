public import Reactor
import ReactorRuntime
public import Tracing

/// Draws a span for each action of the reactors that it observes, and one for each of its effects.
///
/// ```swift
/// ReactorObservers.add(TracingObserver())
/// ```
///
/// The span of an action begins when it was sent, under the span in which it was sent, wherever
/// that was; those of its effects stand under it, and what an effect sends, to whatever reactor,
/// under the effect's. So a request, its actions, their effects and the actions of those are one
/// tree, over any number of reactors, through lanes that wait and hooks that pass on.
///
/// An action that a hook has made, or held back, draws a tree of its own, with a link to the action
/// that it was made of; where that is not known, to the last one that had gone into the hook.
///
/// A mutation is an event of its span. An effect's error is recorded, unless it is an
/// `ExpectedError`, which is a no and no error; of an action, the outcome is an attribute. What
/// values carry is not part of it: an error is recorded as `ReportText` shows it, and not as it is.
///
/// Removed while work is under way, it is not told of the end: those spans stay open.
public final class TracingObserver: ReactorObserver {
  private struct Key: Hashable {
    let reactor: UInt64
    let action: ActionNumber
    var effect: EffectNumber = 0
  }

  private struct Drawn {
    var spans: [Key: any Span] = [:]
    /// The last action that went into the hook, of each reactor that has one.
    var lastIntoHook: [UInt64: InstrumentationContext] = [:]
  }

  private let drawn = Guarded(Drawn())
  private let tracer: (any Tracer)?

  /// The sender's context comes along with each action.
  public let carried = TaskLocals(InstrumentationContext.$current)

  /// An observer that traces.
  ///
  /// - Parameter tracer: Whose spans; those of the process's tracer by default.
  public init(_ tracer: (any Tracer)? = nil) { self.tracer = tracer }

  /// How many spans have begun and not ended.
  public var openSpans: Int { drawn.withLock { $0.spans.count } }

  /// What spans begin and end with, what is noted in them, and to be bound around work.
  public var needs: ObserverNeeds {
    [.taken, .waiting, .ended, .effects, .mutations, .reports, .life, .times, .causes, .values]
  }

  /// Begins or ends a span, or notes something in one.
  ///
  /// - Parameter step: The step.
  public func observe(_ step: ReactorStep) {
    guard let action = step.action else {
      if case .released = step.kind { forget(step.reactor) }
      return
    }
    let key = Key(reactor: step.reactor.number, action: action.number)
    switch step.kind {
    case .taken(let waited, _): begin(key, action, step, waited ?? .zero)
    case .intoHook:
      drawn.withLock { $0.lastIntoHook[key.reactor] = $0.spans[key]?.context }
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

  /// The span of the work that is about to begin.
  ///
  /// - Parameter step: What is about to begin.
  /// - Returns: The span's context.
  public func values(for step: ReactorStep) -> TaskLocalValues {
    guard let action = step.action else { return .none }
    var key = Key(reactor: step.reactor.number, action: action.number)
    if case .effectBegun(let number) = step.kind { key.effect = number }
    guard let span = span(key) else { return .none }
    return TaskLocalValues(InstrumentationContext.$current, span.context)
  }

  // MARK: Spans

  private func span(_ key: Key) -> (any Span)? { drawn.withLock { $0.spans[key] } }

  private func forget(_ reactor: ReactorIdentity) {
    drawn.withLock { $0.lastIntoHook[reactor.number] = nil }
  }

  private func begun(
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
    let span = begun(
      "\(step.reactor.type).\(action.name)", at: waited,
      in: InstrumentationContext.current ?? .topLevel)
    span.attributes["reactor.type"] = "\(step.reactor.type)"
    span.attributes["reactor.id"] = step.reactor.name ?? "\(step.reactor.number)"
    span.attributes["reactor.action.number"] = "\(action.number)"
    if let cause = action.cause { span.attributes["reactor.cause"] = "\(cause)" }
    if action.number.isMadeByHook, let origin = self.origin(of: action, in: step.reactor) {
      span.addLink(SpanLink(context: origin, attributes: [:]))
    }
    drawn.withLock { $0.spans[key] = span }
  }

  /// The span of the action that a hook has made this one of, as far as that is known.
  private func origin(
    of action: ObservedAction, in reactor: ReactorIdentity
  ) -> InstrumentationContext? {
    drawn.withLock { drawn in
      guard let cause = action.cause, cause.reactor == reactor else {
        return drawn.lastIntoHook[reactor.number]
      }
      return drawn.spans[Key(reactor: reactor.number, action: cause.action)]?.context
    }
  }

  private func beginEffect(
    _ number: EffectNumber, of key: Key, _ action: ObservedAction, _ step: ReactorStep
  ) {
    var key = key
    let context = span(key)?.context ?? InstrumentationContext.current ?? .topLevel
    key.effect = number
    let span = begun("\(step.reactor.type).\(action.name) effect", at: .zero, in: context)
    drawn.withLock { $0.spans[key] = span }
  }

  private func endEffect(_ number: EffectNumber, of key: Key, _ end: EffectOutcome) {
    var key = key
    key.effect = number
    guard let span = drawn.withLock({ $0.spans.removeValue(forKey: key) }) else { return }
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
    guard let span = drawn.withLock({ $0.spans.removeValue(forKey: key) }) else { return }
    span.attributes["reactor.outcome"] = outcome.text
    if case .failed(let error) = outcome, !(error is any ExpectedError) {
      span.setStatus(SpanStatus(code: .error))
    }
    span.end()
  }
}

/// What a trace has of an error: its text, and nothing else that it carries.
private struct TracedError: Error, CustomStringConvertible {
  let description: String
}
