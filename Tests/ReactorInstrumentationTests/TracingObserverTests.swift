import InMemoryTracing
import Reactor
import ReactorInstrumentation
import TestLimits
import TestSupport
import Testing
import Tracing

/// The tree that actions, their effects and what those send draw, over several reactors.
@Suite(.bounded) struct TracingObserverTests {
  private let tracer = InMemoryTracer()
  private let observer: TracingObserver

  init() { observer = TracingObserver(tracer) }

  /// The finished spans, each below its parent, sorted: `a > b > c`.
  private var paths: [String] {
    let spans = tracer.finishedSpans
    let byID = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanContext.spanID, $0) })
    func path(_ span: FinishedInMemorySpan) -> String {
      guard let parent = span.spanContext.parentSpanID.flatMap({ byID[$0] }) else {
        return span.operationName
      }
      return path(parent) + " > " + span.operationName
    }
    return spans.map(path).sorted()
  }

  private actor Step: Reactor {
    enum Action: Sendable { case go(Int) }
    typealias Mutation = Int
    typealias Work = @Sendable (Int) async throws -> Void

    let initialState = 0
    let pipeline = Pipeline()
    let work: Work

    init(_ work: @escaping Work = { _ in }) { self.work = work }

    func mutate(action: Action) -> MutationStream<Int> {
      guard case .go(let number) = action else { return .empty }
      let work = work
      return .run { emit in
        await emit(number)
        try await work(number)
      }
    }

    func reduce(state: inout Int, mutation: Int) { state = mutation }

    nonisolated func report(_ report: ReactorReport) {}
  }

  /// The same with a lane, in which one waits for the other.
  private actor Queue: Reactor, LanedReactor {
    typealias Action = Int
    typealias Mutation = Int
    let initialState = 0
    let pipeline = Pipeline()
    let gate: Gate
    let last: Step

    init(_ gate: Gate, last: Step) {
      self.gate = gate
      self.last = last
    }

    func lane(for action: Int) -> Lane? { .sequential("queue") }

    func mutate(action: Int) -> MutationStream<Int> {
      let (gate, last) = (gate, last)
      return .run { _ in
        await gate.pass()
        await last.send(.go(action)).settled
      }
    }

    func reduce(state: inout Int, mutation: Int) {}
  }

  @Test func `request, action, effect, action: one tree over three reactors and a lane`() async {
    let last = Step()
    let gate = Gate()
    let queue = Queue(gate, last: last)
    let first = Step { number in
      // In a task of its own, as a library might do it.
      await Task { await queue.send(number).settled }.value
    }
    for reactor in [first, last] { reactor.addObserver(observer) }
    queue.addObserver(observer)
    let log = Log<Void>()
    struct Waits: ReactorObserver {
      let log: Log<Void>
      func observe(_ step: ReactorStep) { if case .waiting = step.kind { log.append(()) } }
    }
    queue.addObserver(Waits(log: log))
    await withTaskGroup { group in
      for number in 0...1 {
        group.addTask {
          await tracer.withSpan("request \(number)") { _ in
            await first.send(.go(number)).settled
          }
        }
      }
      // One of them waits in the lane for the other.
      _ = await log.entries(upTo: 1)
      gate.open()
    }
    let tree = [
      "Step.go", "Step.go effect", "Queue.Int", "Queue.Int effect", "Step.go", "Step.go effect",
    ]
    let expected = (0...1).flatMap { number in
      (0...tree.count).map { (["request \(number)"] + tree.prefix($0)).joined(separator: " > ") }
    }
    #expect(paths == expected.sorted())
    #expect(observer.openSpans == 0)
  }

  @Test func `a hook that passes on at once is part of the tree`() async {
    let (hooked, log) = (Passing(), Log<Void>())
    hooked.addObserver(observer)
    hooked.addObserver(Ends(log: log))
    await tracer.withSpan("request") { _ in await hooked.send(1).settled }
    // Behind a hook the end is reported by a job of its own.
    _ = await log.entries(upTo: 1)
    #expect(
      paths == ["request", "request > Passing.Int", "request > Passing.Int > Passing.Int effect"])
    #expect(observer.openSpans == 0)
  }

  @Test func `behind a hook that holds actions back, a new tree begins, with a link`()
    async throws
  {
    let holding = Holding()
    let log = Log<Void>()
    holding.addObserver(observer)
    holding.addObserver(Ends(log: log))
    await tracer.withSpan("request") { _ in await holding.send(1).settled }
    holding.release(1)
    // The one that was held back, and the one that the hook has made of it.
    _ = await log.entries(upTo: 2)
    let made = try #require(
      tracer.finishedSpans.first { $0.operationName == "Holding.Int" && !$0.links.isEmpty })
    let held = try #require(
      tracer.finishedSpans.first { $0.operationName == "Holding.Int" && $0.links.isEmpty })
    #expect(made.spanContext.parentSpanID == nil)
    #expect(made.links.first?.context.inMemorySpanContext?.spanID == held.spanContext.spanID)
    #expect(
      paths == [
        "Holding.Int", "Holding.Int > Holding.Int effect", "request", "request > Holding.Int",
      ])
  }

  @Test func `an effect's error is recorded without what it carries`() async throws {
    enum Secret: Error { case token(String) }
    let step = Step { _ in throw Secret.token("hunter2") }
    step.addObserver(observer)
    await step.send(.go(1)).settled
    let recorded = tracer.finishedSpans.flatMap(\.errors)
    #expect(recorded.map { "\($0.error)" } == ["Secret.token"])
    let error = try #require(recorded.first)
    #expect(error.attributes.get("exception.type") == .string("Secret.token"))
    #expect(!String(reflecting: error.error).contains("hunter2"))
  }

  @Test func `a burst of actions, each under its own request`() async {
    let step = Step()
    step.addObserver(observer)
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          await tracer.withSpan("request \(number)") { _ in
            await step.send(.go(number)).settled
          }
        }
      }
    }
    let expected = (0..<200).flatMap {
      ["request \($0)", "request \($0) > Step.go", "request \($0) > Step.go > Step.go effect"]
    }
    #expect(paths == expected.sorted())
  }

  @Test func `an effect that fails is a span with an error`() async throws {
    let step = Step { number in throw Failure(number: number) }
    step.addObserver(observer)
    await step.send(.go(3)).settled
    let effect = try #require(tracer.finishedSpans.first { $0.operationName == "Step.go effect" })
    #expect(effect.errors.count == 1)
    #expect(effect.status?.code == .error)
    let action = try #require(tracer.finishedSpans.first { $0.operationName == "Step.go" })
    #expect(action.attributes.get("reactor.outcome") == .string("failed"))
    #expect(action.events.map(\.name).contains("Int"))
  }

  @Test func `an effect that throws an expected error is a span without an error`() async throws {
    let step = Step { _ in throw Refusal.closed }
    step.addObserver(observer)
    await step.send(.go(3)).settled
    let effect = try #require(tracer.finishedSpans.first { $0.operationName == "Step.go effect" })
    #expect(effect.errors.isEmpty)
    #expect(effect.status == nil)
    #expect(effect.attributes.get("reactor.declined") == .bool(true))
    let action = try #require(tracer.finishedSpans.first { $0.operationName == "Step.go" })
    #expect(action.status == nil)
    #expect(action.attributes.get("reactor.outcome") == .string("declined"))
  }

  @Test func `an action that is cancelled before its turn has a span that ends`() async {
    let step = Step()
    step.addObserver(observer)
    let receipt = await step.turn { step in
      let receipt = step.send(.go(1))
      receipt.cancel()
      return receipt
    }
    await receipt.settled
    #expect(paths == ["Step.go"])
    #expect(observer.openSpans == 0)
  }
}

private struct Ends: ReactorObserver {
  let log: Log<Void>

  func observe(_ step: ReactorStep) { if case .ended = step.kind { log.append(()) } }
}

/// Lets every action out at once.
private actor Passing: Reactor, ActionTransforming {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }
  func mutate(action: Int) -> MutationStream<Int> { .run { emit in await emit(action) } }
  func reduce(state: inout Int, mutation: Int) {}
}

/// Takes every action, and passes one on request.
private actor Holding: Reactor, ActionTransforming {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()

  private let (out, into) = AsyncStream<Int>.makeStream()

  nonisolated func release(_ action: Int) { into.yield(action) }

  func transform(action: Actions) -> some AsyncSequence<Int, Never> {
    Task { for await _ in action {} }
    return out
  }

  func mutate(action: Int) -> MutationStream<Int> { .run { emit in await emit(action) } }
  func reduce(state: inout Int, mutation: Int) {}
}
