public import Reactor
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
/// An action that a hook has made draws a tree of its own, with a link to the action that it was
/// made of, if that is known.
///
/// A mutation is an event of its span. An effect's error is recorded; of an action, the outcome is
/// an attribute. What values carry is not part of it; see `ReportText`.
public final class TracingObserver: ReactorObserver {
  private struct Key: Hashable {
    let reactor: UInt64
    let action: ActionNumber
    var effect: EffectNumber = 0
  }

  private let spans = Guarded<[Key: any Span]>([:])
  private let tracer: (any Tracer)?

  /// The context of whoever sends comes along with each action.
  public let carried = TaskLocals(InstrumentationContext.$current)

  /// An observer that traces.
  ///
  /// - Parameter tracer: Whose spans; those of the process's tracer by default.
  public init(_ tracer: (any Tracer)? = nil) { self.tracer = tracer }

  /// How many spans have begun and not ended.
  public var openSpans: Int { spans.withLock { $0.count } }

  /// What spans begin and end with, what is noted in them, and to be bound around work.
  public var needs: ObserverNeeds {
    [.taken, .ended, .effects, .mutations, .reports, .times, .causes, .values]
  }

  /// Begins or ends a span, or notes something in one.
  ///
  /// - Parameter step: The step.
  public func observe(_ step: ReactorStep) {
    guard let action = step.action else { return }
    let key = Key(reactor: step.reactor.number, action: action.number)
    switch step.kind {
    case .taken(let waited, _): begin(key, action, step, waited ?? .zero)
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

  private func span(_ key: Key) -> (any Span)? { spans.withLock { $0[key] } }

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
    spans.withLock { $0[key] = span }
  }

  /// The span of the action that a hook has made this one of.
  private func origin(
    of action: ObservedAction, in reactor: ReactorIdentity
  ) -> InstrumentationContext? {
    guard let cause = action.cause, cause.reactor == reactor else { return nil }
    return span(Key(reactor: reactor.number, action: cause.action))?.context
  }

  private func beginEffect(
    _ number: EffectNumber, of key: Key, _ action: ObservedAction, _ step: ReactorStep
  ) {
    var key = key
    let context = span(key)?.context ?? InstrumentationContext.current ?? .topLevel
    key.effect = number
    let span = begun("\(step.reactor.type).\(action.name) effect", at: .zero, in: context)
    spans.withLock { $0[key] = span }
  }

  private func endEffect(_ number: EffectNumber, of key: Key, _ end: ReactorStep.EffectEnd) {
    var key = key
    key.effect = number
    guard let span = spans.withLock({ $0.removeValue(forKey: key) }) else { return }
    switch end {
    case .finished: break
    case .failed(let error):
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
    case .cancelled: span.attributes["reactor.cancelled"] = true
    }
    span.end()
  }

  private func end(_ key: Key, _ outcome: ActionOutcome) {
    guard let span = spans.withLock({ $0.removeValue(forKey: key) }) else { return }
    span.attributes["reactor.outcome"] = outcome.text
    if case .failed = outcome { span.setStatus(SpanStatus(code: .error)) }
    span.end()
  }
}
