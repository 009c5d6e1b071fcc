import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Reactor
import ReactorInstrumentation
import TestLimits
import TestSupport
import Testing
import Tracing

/// Logs, reports, metrics, traces and errors show nothing of a secret, whatever carries it.
@Suite(.bounded) struct SecretSignalTests {
  private let handler = InMemoryLogHandler()
  private let metrics = TestMetrics()
  private let tracer = InMemoryTracer()
  private let log = Log<String>()

  /// Every action is its own mutation, output and lane, unless it is to fail.
  private actor Vault: Reactor {
    struct Failing: Sendable {
      let error: any Error
      var reply: Reply<Int>?
    }

    typealias Action = any Sendable
    typealias Mutation = any Sendable
    typealias Output = any Sendable

    struct State: Sendable {
      @Pulse var last: (any Sendable)?
    }

    nonisolated let initialState = State()
    nonisolated let pipeline: Pipeline
    nonisolated let log: Log<String>
    nonisolated let gate = Gate()

    init(_ log: Log<String>, dropping error: (any Error)? = nil) {
      self.log = log
      let stages = error.map { [Closed(error: $0)] } ?? []
      pipeline = Pipeline(inboxLimit: 2, through: stages)
    }

    func lane(for action: any Sendable) -> Lane? { .latest(Secret.Carrier()) }

    func mutate(action: any Sendable) -> MutationStream<any Sendable> {
      if let failing = action as? Failing { return .run { _ in throw failing.error } }
      output(action)
      return .run { emit in
        await emit(action)
        try await self.gate.wait()
      }
    }

    func reduce(state: inout State, mutation: any Sendable) { state.last = mutation }

    nonisolated func report(_ report: ReactorReport) { log.append("\(report)") }
  }

  private struct Closed: ActionMiddleware {
    let error: any Error

    mutating func handle<R: Reactor>(
      _ action: R.Action, in context: MiddlewareContext<R>
    ) -> ActionVerdict<R.Action> { .drop(error) }
  }

  private struct Steps: ReactorObserver {
    let log: Log<String>
    let reduced = Gate()

    func observe(_ step: ReactorStep) {
      for text in ["\(step)", step.kind.text] { log.append(text) }
      if case .reduced = step.kind { reduced.open() }
    }
  }

  @discardableResult
  private func observe(_ vault: Vault) -> Steps {
    var logger = Logger(label: "test") { [handler] _ in handler }
    logger.logLevel = .trace
    vault.addObserver(LoggingObserver(logger))
    vault.addObserver(MetricsObserver(metrics))
    vault.addObserver(TracingObserver(tracer))
    let steps = Steps(log: log)
    vault.addObserver(steps)
    return steps
  }

  /// All that has been written, by what has written it.
  private var written: [String: String] {
    let labels =
      metrics.counters.map { ($0.label, $0.dimensions) }
      + metrics.timers.map { ($0.label, $0.dimensions) }
      + metrics.recorders.map { ($0.label, $0.dimensions) }
      + metrics.meters.map { ($0.label, $0.dimensions) }
    let spans = tracer.finishedSpans.flatMap { span in
      [span.operationName, "\(span.attributes)", "\(String(describing: span.status))"]
        + span.events.map { "\($0.name) \($0.attributes)" }
        + span.errors.map { "\($0.error) \($0.attributes)" }
    }
    return [
      "log": handler.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n"),
      "metrics": "\(labels)", "spans": spans.joined(separator: "\n"),
      "reports and steps": log.entries.joined(separator: "\n"),
    ]
  }

  private func expectSilence() {
    #expect(!handler.entries.isEmpty)
    for (writer, text) in written {
      #expect(!text.contains(Secret.text), "\(writer): \(text)")
    }
  }

  @Test(arguments: Secret.values)
  func `no signal shows what an action, a mutation, an output, a state or a lane carries`(
    _ sample: Secret.Sample<any Sendable>
  ) async {
    let vault = Vault(log)
    let steps = observe(vault)
    // The second takes the place of the first in its lane, and the third is one too many.
    let first = vault.send(sample.value)
    await steps.reduced.pass()
    for _ in 0..<4 { log.append("\(String(describing: vault.send(sample.value).refusal))") }
    log.append("\(await first.outcome)")
    log.append("\(await vault.openActions)")
    vault.gate.open()
    await vault.stop().settled
    log.append("\(String(describing: vault.send(sample.value).refusal))")
    expectSilence()
  }

  @Test(arguments: Secret.errors)
  func `no signal shows what an error that an effect throws carries`(
    _ sample: Secret.Sample<any Error>
  ) async {
    let vault = Vault(log)
    observe(vault)
    log.append("\(await vault.outcome(of: Vault.Failing(error: sample.value)))")
    do {
      let answer: Int = try await vault.ask { Vault.Failing(error: sample.value, reply: $0) }
      Issue.record("\(answer)")
    } catch let error as AskError {
      for text in Secret.texts(of: error) { log.append(text) }
    } catch {
      #expect(error is any ExpectedError)
    }
    expectSilence()
  }

  @Test(arguments: Secret.errors)
  func `no signal shows what an error that the middleware drops an action for carries`(
    _ sample: Secret.Sample<any Error>
  ) async {
    let vault = Vault(log, dropping: sample.value)
    observe(vault)
    log.append("\(await vault.outcome(of: 1))")
    do {
      let answer: Int = try await vault.ask { Vault.Failing(error: sample.value, reply: $0) }
      Issue.record("\(answer)")
    } catch let error as AskError {
      for text in Secret.texts(of: error) { log.append(text) }
    } catch {
      #expect(error is any ExpectedError)
    }
    expectSilence()
  }
}
