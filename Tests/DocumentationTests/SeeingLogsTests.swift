import InMemoryLogging
import InMemoryTracing
import Logging
import Reactor
import ReactorInstrumentation
import Testing
import TestLimits
import Tracing

// The sample of the page Seeing what happens that has logs, metrics and traces.

/// A type of its own: an observer of all of a type also receives the steps of other tests.
private actor Counter: Reactor {
  enum Action { case increase }
  enum Mutation { case add }

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    .run { emit in await emit(.add) }
  }

  func reduce(state: inout Int, mutation: Mutation) { state += 1 }
}

private func tree(
  of spans: [FinishedInMemorySpan], under parent: String? = nil, indent: String = ""
) -> [String] {
  spans.filter { $0.spanContext.parentSpanID == parent }.flatMap { span in
    [indent + span.operationName]
      + tree(of: spans, under: span.spanContext.spanID, indent: indent + "  ")
  }
}

@Suite(.bounded) struct SeeingLogsTests {
  @Test func `the logs, metrics and traces are those of the page`() async {
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "counter") { _ in handler }
    logger.logLevel = .trace
    let (metrics, tracer) = (TextMetrics(), InMemoryTracer())
    let counter = Counter()

    let registrations = [
      ReactorObservers.add(LoggingObserver(logger), toAll: Counter.self),
      ReactorObservers.add(MetricsObserver(metrics), toAll: Counter.self),
      ReactorObservers.add(TracingObserver(tracer), toAll: Counter.self),
    ]
    defer { for registration in registrations { registration.remove() } }

    await tracer.withSpan("key pressed") { _ in await counter.send(.increase).settled }

    let id = "\(counter.identity.number)"
    let lines = handler.entries.map { entry in
      let metadata = entry.metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
      return "\(entry.level) \(metadata.joined(separator: " ")) \(entry.message)"
        .replacing("id=\(id)", with: "id=1").replacing(/(took|waited)=[0-9.]+/) { "\($0.1)=…" }
    }
    #expect(lines.joined(separator: "\n") == Self.lines)
    let counted = metrics.text.replacing(/(seconds_(?:sum|max)[^ ]*) .+/) { "\($0.1) …" }
    #expect(counted == Self.counted)
    #expect(tree(of: tracer.finishedSpans).joined(separator: "\n") == Self.spans)
  }

  private static let lines = """
    debug id=1 reactor=Counter started
    debug action=increase#0 id=1 reactor=Counter waited=… taken
    debug action=increase#0 id=1 reactor=Counter begun
    debug action=increase#0 id=1 reactor=Counter effect 1 begun
    trace action=increase#0 effect=1 id=1 mutation=1 reactor=Counter version=1 reduced 1 'add'
    debug action=increase#0 id=1 reactor=Counter took=… effect 1 finished
    debug action=increase#0 id=1 reactor=Counter took=… finished
    """

  private static let counted = """
    # TYPE reactor_action_took_seconds summary
    reactor_action_took_seconds_count{reactor="Counter",action="increase",outcome="finished"} 1
    reactor_action_took_seconds_sum{reactor="Counter",action="increase",outcome="finished"} …
    reactor_action_took_seconds_max{reactor="Counter",action="increase",outcome="finished"} …
    # TYPE reactor_actions_total counter
    reactor_actions_total{reactor="Counter",action="increase"} 1
    # TYPE reactor_effect_took_seconds summary
    reactor_effect_took_seconds_count{reactor="Counter",action="increase"} 1
    reactor_effect_took_seconds_sum{reactor="Counter",action="increase"} …
    reactor_effect_took_seconds_max{reactor="Counter",action="increase"} …
    # TYPE reactor_effects_running gauge
    reactor_effects_running{reactor="Counter"} 0
    # TYPE reactor_inbox_depth summary
    reactor_inbox_depth_count{reactor="Counter"} 1
    reactor_inbox_depth_sum{reactor="Counter"} 0
    reactor_inbox_depth_max{reactor="Counter"} 0
    # TYPE reactor_inbox_waited_seconds summary
    reactor_inbox_waited_seconds_count{reactor="Counter"} 1
    reactor_inbox_waited_seconds_sum{reactor="Counter"} …
    reactor_inbox_waited_seconds_max{reactor="Counter"} …
    # TYPE reactor_live gauge
    reactor_live{reactor="Counter"} 1
    # TYPE reactor_mutations_total counter
    reactor_mutations_total{reactor="Counter",mutation="add"} 1

    """

  private static let spans = """
    key pressed
      Counter.increase
        Counter.increase effect
    """
}
