import Foundation
import HTTPTypes
import Hummingbird
import InMemoryLogging
import InMemoryTracing
import Logging
import Reactor
import ReactorHummingbird
import ReactorInstrumentation
import ReactorLifecycle
import TestLimits
import TestSupport
import Testing
import Tracing

/// A request's trace and its logger, from its headers through actions and their effects.
@Suite(.bounded) struct TracingTests {
  /// The process's: it can be set once.
  static let tracer: InMemoryTracer = {
    let tracer = InMemoryTracer()
    // The header of W3C counts, not what the client of these tests sends of its own.
    InstrumentationSystem.bootstrap(MultiplexInstrument([tracer, TraceParent(tracer: tracer)]))
    return tracer
  }()

  let trace = String(UInt64.random(in: .min ... .max), radix: 16)
  let parent = String(UInt32.random(in: .min ... .max), radix: 16)

  /// The spans of this test's trace, each below its parent.
  private var paths: [String] {
    let spans = Self.tracer.finishedSpans.filter { $0.traceID == trace }
    let byID = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanID, $0) })
    func path(_ span: FinishedInMemorySpan) -> String {
      guard let above = span.parentSpanID else { return span.operationName }
      guard let above = byID[above] else {
        return "\(above == parent ? "client" : "stranger") > \(span.operationName)"
      }
      return path(above) + " > " + span.operationName
    }
    return spans.map(path).sorted()
  }

  @Test func `the client's span, the action and what its effect sends are one tree`()
    async throws
  {
    _ = Self.tracer
    let till = Till()
    let shop = Shop(till)
    let observer = TracingObserver(Self.tracer)
    let observed = [shop.addObserver(observer), till.addObserver(observer)]
    let router = Router()
    router.add(middleware: TracingMiddleware())
    router.post("shop/orders", asking: shop) { (seats: Int, reply: Reply<Int>) in
      .order(seats, reply)
    }
    let headers = [("traceparent", "00-\(trace)-\(parent)-01")]
    try await ServerFixture.with(ReactorService(till, shop, logger: .silent), router) { fixture in
      let (status, body) = try await fixture.post("shop/orders", "2", headers)
      #expect(status == 200 && body == "20")
      // Its own work ends after its answer.
      await shop.stop(.drain).settled
    }
    let request = "client > /shop/orders"
    #expect(
      paths == [
        request, "\(request) > Shop.order", "\(request) > Shop.order > Shop.order effect",
        "\(request) > Shop.order > Shop.order effect > Till.pay",
        "\(request) > Shop.order > Shop.order effect > Till.pay > Till.pay effect",
      ])
    for registration in observed { registration.remove() }
  }

  @Test func `the span of an action whose outcome is the answer is a child of the request's`()
    async throws
  {
    _ = Self.tracer
    let clerk = Clerk()
    let registration = clerk.addObserver(TracingObserver(Self.tracer))
    let router = Router()
    router.add(middleware: TracingMiddleware())
    router.post("clerk", sending: clerk)
    let headers = [("traceparent", "00-\(trace)-\(parent)-01")]
    try await ServerFixture.with(ReactorService(clerk, logger: .silent), router) { fixture in
      let status = try await fixture.post("clerk", "2", headers).status
      #expect(status == 200)
    }
    #expect(
      paths == [
        "client > /clerk", "client > /clerk > Clerk.Int",
        "client > /clerk > Clerk.Int > Clerk.Int effect",
      ])
    registration.remove()
  }

  @Test func `an effect logs with the logger of its request`() async throws {
    let log = InMemoryLogHandler()
    let desk = Clerk()
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: LogTo(log: log))
    router.add(middleware: RequestLoggerMiddleware())
    router.post("clerk", sending: desk)
    try await ServerFixture.with(ReactorService(desk, logger: .silent), router) { fixture in
      for number in [1, 2] {
        _ = try await fixture.post("clerk", "\(number)", [("X-Number", "\(number)")])
      }
    }
    let lines = log.entries.map { "\($0.message) \($0.metadata["number"] ?? "")" }
    #expect(lines == ["done 1 1", "done 2 2"])
  }

  @Test func `a handler's logger is the request's, by either name`() async throws {
    let log = InMemoryLogHandler()
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: LogTo(log: log))
    router.add(middleware: RequestLoggerMiddleware())
    router.get("here") { _, _ in
      RequestLogger.current.info("ours")
      Logger.current.info("swift-log's")
      return HTTPResponse.Status.ok
    }
    try await ServerFixture.with(ReactorService(logger: .silent), router) { fixture in
      let status = try await fixture.get("here", [("X-Number", "7")]).status
      #expect(status == 200)
    }
    let lines = log.entries.map { "\($0.message) \($0.metadata["number"] ?? "")" }
    #expect(lines == ["ours 7", "swift-log's 7"])
  }
}

/// Understands the header of W3C, as a tracer for production does.
private struct TraceParent: Instrument {
  struct Words: Extractor {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
  }

  let tracer: InMemoryTracer

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-") ?? []
    guard parts.count == 4 else { return }
    let words = ["in-memory-trace-id": String(parts[1]), "in-memory-span-id": String(parts[2])]
    tracer.extract(words, into: &context, using: Words())
  }

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {}
}

/// Asks another reactor in its effect.
private actor Shop: Reactor {
  enum Action: Sendable { case order(Int, Reply<Int>) }
  typealias Mutation = Int
  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline()
  let till: Till

  init(_ till: Till) { self.till = till }

  func mutate(action: Action) -> MutationStream<Int> {
    guard case .order(let seats, let reply) = action else { return .empty }
    return .run { [till] emit in
      let price = try await till.ask { .pay(seats, $0) }
      await emit(price)
      reply(price)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

private actor Till: Reactor {
  enum Action: Sendable { case pay(Int, Reply<Int>) }
  typealias Mutation = Int
  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> {
    guard case .pay(let seats, let reply) = action else { return .empty }
    return .run { emit in
      await emit(seats)
      reply(seats * 10)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// Logs in its effect.
private actor Clerk: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline(carrying: .requestLogger)

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      await emit(action)
      RequestLogger.current.info("done \(action)")
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// Gives each request a logger that a test can read, with a header in it.
private struct LogTo<Context: RequestContext>: RouterMiddleware {
  let log: InMemoryLogHandler

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.logger = Logger(label: "request") { _ in log }
    context.logger[metadataKey: "number"] = "\(request.headers[.number] ?? "")"
    return try await next(request, context)
  }
}

extension HTTPField.Name {
  fileprivate static var number: HTTPField.Name { HTTPField.Name("X-Number") ?? .accept }
}
