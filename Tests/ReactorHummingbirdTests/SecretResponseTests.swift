import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import Reactor
import ReactorComposition
import ReactorHummingbird
import TestLimits
import TestSupport
import Testing

/// Answers and logs show nothing of a secret, whatever carries it.
///
/// A key in a path is shown on purpose, and what a reactor answers is what its author has it say.
@Suite(.bounded) struct SecretResponseTests {
  enum Place: CaseIterable { case effect, reply, middleware, making }

  /// Fails as the test says.
  private actor Vault: Reactor {
    enum Action: Sendable, Decodable {
      case open
      case ask(Reply<Int>)

      init(from decoder: any Decoder) { self = .open }
    }

    typealias Mutation = Int
    nonisolated let initialState = 0
    nonisolated let pipeline: Pipeline
    private let error: any Error
    private let place: Place

    init(_ error: any Error, _ place: Place) {
      (self.error, self.place) = (error, place)
      pipeline = place == .middleware ? Pipeline(through: [Closed(error: error)]) : Pipeline()
    }

    func mutate(action: Action) -> MutationStream<Int> {
      if place == .reply, case .ask(let reply) = action { reply(throwing: error) }
      return .run { _ in throw self.error }
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
    nonisolated func report(_ report: ReactorReport) {}
  }

  private struct Closed: ActionMiddleware {
    let error: any Error

    mutating func handle<R: Reactor>(
      _ action: R.Action, in context: MiddlewareContext<R>
    ) -> ActionVerdict<R.Action> { .drop(error) }
  }

  private struct Unencodable: Encodable {
    let error: any Error
    func encode(to encoder: any Encoder) throws { throw error }
  }

  private let handler = InMemoryLogHandler()
  private let answers = Log<String>()

  private func test(
    _ router: Router<BasicRequestContext>,
    _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
  ) async throws {
    var logger = Logger(label: "test") { [handler] _ in handler }
    logger.logLevel = .trace
    try await Application(router: router, logger: logger).test(.router) { try await body($0) }
  }

  private func expectSilence() {
    let lines = handler.entries.map { "\($0.message) \($0.metadata)" }
    for text in lines + answers.entries { #expect(!text.contains(Secret.text), "\(text)") }
    #expect(!answers.entries.isEmpty)
  }

  // MARK: Errors

  @Test(arguments: Secret.errors, Place.allCases)
  func `no message shows what an error carries`(
    _ sample: Secret.Sample<any Error>, thrownIn place: Place
  ) async throws {
    let error = sample.value
    let vaults = ReactorRegistry<Int, Vault>(idle: nil) { _ in
      if place == .making { throw error }
      return Vault(error, place)
    }
    let router = Router()
    router.post("vaults/{id}", sending: vaults)
    router.post("vaults/{id}/codes", asking: vaults) { (_: Int, reply: Reply<Int>) in .ask(reply) }
    router.get("vaults/{id}", of: vaults) { _ in Unencodable(error: error) }
    router.get("vaults/{id}/live", streaming: vaults) { _ in Unencodable(error: error) }
    router.get(
      "live", streaming: [LiveView("vault", of: vaults) { _ in Unencodable(error: error) }])
    try await test(router) { [answers] client in
      for path in ["vaults/1", "vaults/1/codes"] {
        answers.append(try await client.json(path, "1").whole)
        answers.append(try await client.json(path, "1", [.idempotencyKey: "a"]).whole)
      }
      for path in ["vaults/1", "vaults/1/live", "live?vault=1"] {
        answers.append(try await client.execute(uri: "/\(path)", method: .get).whole)
      }
    }
    expectSilence()
  }

  @Test func `a refusal with a payload is shown by its case`() async throws {
    let vault = Vault(Secret.Refusal.because(Secret.text), .effect)
    let router = Router()
    router.post("vault", sending: vault)
    try await test(router) { client in
      let answer = try await client.json("vault", "1")
      #expect(answer.status == .conflict)
      #expect(
        String(buffer: answer.body) == #"{"error":{"message":"because","reason":"because"}}"#)
    }
  }

  // MARK: Requests

  private struct Order: Decodable, Sendable {
    enum Level: String, Decodable { case low, high }

    let level: Level
    let count: Int
    let notes: [String: Int]
  }

  /// Throws the error of the number that is in its place.
  private struct Refusing: Decodable, Sendable {
    init(from decoder: any Decoder) throws {
      throw Secret.errors[try decoder.singleValueContainer().decode(Int.self)].value
    }
  }

  private func orders() -> Router<BasicRequestContext> {
    let vault = Vault(Failure(), .effect)
    let router = Router()
    router.post("orders", asking: vault) { (_: Order, reply: Reply<Int>) in .ask(reply) }
    router.post("levels", asking: vault) { (_: Order.Level, reply: Reply<Int>) in .ask(reply) }
    router.post("refusing", asking: vault) { (_: Refusing, reply: Reply<Int>) in .ask(reply) }
    return router
  }

  @Test(arguments: [
    ("orders", #"{"level":"low","count":1,"notes":{}}"#), ("orders", #""low""#), ("orders", "low"),
    ("orders", #"{"level":"high","count":"low","notes":{}}"#),
    ("orders", #"{"level":"high","count":1,"notes":{"low":"low"}}"#),
    ("orders", #"{"level":"high","count":1,"notes":["low"]}"#), ("orders", #"{"low":1}"#),
    ("levels", #""low""#), ("levels", #"["low"]"#), ("levels", "{low}"),
  ])
  func `an answer shows nothing of a body that cannot be decoded`(
    path: String, body: String
  ) async throws {
    try await test(orders()) { [answers] client in
      let answer = try await client.json(path, body.replacing("low", with: Secret.text))
      #expect(answer.status == .badRequest)
      answers.append(answer.whole)
    }
    expectSilence()
  }

  @Test(arguments: Secret.errors.indices)
  func `an answer shows nothing of the values of an error that a body throws`(
    _ index: Int
  ) async throws {
    try await test(orders()) { [answers] client in
      let answer = try await client.json("refusing", "\(index)")
      #expect(answer.status == .badRequest || answer.status == .conflict)
      answers.append(answer.whole)
    }
    expectSilence()
  }

  @Test(
    arguments: [
      [.idempotencyKey: Secret.text],
      [.idempotencyKey: String(repeating: Secret.text, count: 99)],
      [.requestTimeout: Secret.text], [.authorization: "Bearer \(Secret.text)"],
      [.contentType: Secret.text], [.prefers: Secret.text],
    ] as [HTTPFields])
  func `no message shows the value of a header`(_ headers: HTTPFields) async throws {
    try await test(orders()) { [answers] client in
      var all = headers
      if all[.contentType] == nil { all[.contentType] = "application/json" }
      // The second one is for another body, under the same key.
      for body in [#"{"level":"low","count":1,"notes":{}}"#, "{}"] {
        let answer = try await client.execute(
          uri: "/orders", method: .post, headers: all, body: ByteBuffer(string: body))
        answers.append(answer.whole)
      }
    }
    expectSilence()
  }
}

extension TestResponse {
  /// Its status, headers and body.
  fileprivate var whole: String {
    "\(status) \(headers.map { "\($0.name): \($0.value)" }) \(String(buffer: body))"
  }
}
