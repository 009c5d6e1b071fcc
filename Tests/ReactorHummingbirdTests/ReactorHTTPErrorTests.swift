import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
@testable import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// What a client is answered for each way in which a reactor does not do what was requested.
@Suite(.bounded) struct ReactorHTTPErrorTests {
  /// A row of the type's table.
  struct HTTPErrorFields: Sendable, Equatable {
    let status: Int
    let reason: String
    var retryAfter: Int?
    var isWithoutEffect = false

    init(_ status: Int, _ reason: String, retryAfter: Int? = nil, isWithoutEffect: Bool = false) {
      (self.status, self.reason) = (status, reason)
      (self.retryAfter, self.isWithoutEffect) = (retryAfter, isWithoutEffect)
    }

    init(_ error: ReactorHTTPError) {
      self.init(
        error.status.code, error.reason, retryAfter: error.retryAfter,
        isWithoutEffect: error.isWithoutEffect)
    }

    static let dropped = HTTPErrorFields(409, "dropped", retryAfter: 1, isWithoutEffect: true)
    static let superseded = HTTPErrorFields(409, "superseded")
    static let cancelled = HTTPErrorFields(409, "cancelled")
    static let soldOut = HTTPErrorFields(409, "soldOut")
    static let forbidden = HTTPErrorFields(403, "forbidden", isWithoutEffect: true)
    static let inboxFull = HTTPErrorFields(429, "inboxFull", retryAfter: 1, isWithoutEffect: true)
    static let laneFull = HTTPErrorFields(409, "laneFull", retryAfter: 1, isWithoutEffect: true)
    static let stopped = HTTPErrorFields(503, "stopped", retryAfter: 2, isWithoutEffect: true)
    static let failed = HTTPErrorFields(500, "failed")
    static let notOpened = HTTPErrorFields(500, "failed", isWithoutEffect: true)
    static let ended = HTTPErrorFields(502, "ended")
  }

  @Test(arguments: [
    RegistryError.stopped as any Error, RegistryError.refused(.inboxFull),
  ])
  func `an effect that fails as another reactor refuses has perhaps done something`(
    error: any Error
  ) throws {
    let outcome = try #require(try ReactorHTTPError(.failed(error)))
    #expect(HTTPErrorFields(outcome) == .failed)
  }

  @Test func `an effect can say itself that nothing has been done`() throws {
    let error = ReactorHTTPError(.conflict, reason: "full", "no room", isWithoutEffect: true)
    let outcome = try #require(try ReactorHTTPError(.failed(error)))
    #expect(HTTPErrorFields(outcome) == HTTPErrorFields(error))
  }

  static let lane = LaneKey("till")

  static let refusals: [(ActionRefusal, HTTPErrorFields)] = [
    (.stopped, .stopped), (.inboxFull, .inboxFull), (.senderCancelled, .cancelled),
    (.laneFull(lane), .laneFull), (.notOpened, .notOpened),
  ]

  @Test(arguments: refusals)
  func `an action that is refused has its status`(refusal: ActionRefusal, expected: HTTPErrorFields)
    throws
  {
    let outcome = try #require(try ReactorHTTPError(.refused(refusal)))
    #expect(HTTPErrorFields(outcome) == expected)
    let error = try #require(ReactorHTTPError(RegistryError.refused(refusal)))
    #expect(HTTPErrorFields(error) == expected)
    #expect(error.response.headers[.retryAfter] == expected.retryAfter.map { "\($0)" })
  }

  static let outcomes: [(ActionOutcome, HTTPErrorFields)] = [
    (.failed(Failure()), .failed), (.failed(Desk.Refusal.soldOut), .soldOut),
    (.cancelled, .cancelled), (.dropped(lane), .dropped), (.superseded(lane), .superseded),
    (.evicted(lane), .superseded), (.droppedByMiddleware(Failure()), .forbidden),
    (.droppedByMiddleware(Desk.Refusal.soldOut), .soldOut), (.neverBegun, .stopped),
    (.reactorEnded, .ended),
  ]

  @Test(arguments: outcomes)
  func `an action that does not finish has its status`(
    outcome: ActionOutcome, expected: HTTPErrorFields
  ) throws {
    let error = try #require(try ReactorHTTPError(outcome))
    #expect(HTTPErrorFields(error) == expected)
    #expect(error.response.status.code == expected.status)
    #expect(error.response.headers[.retryAfter] == expected.retryAfter.map { "\($0)" })
  }

  struct FromElsewhere: ErrorWithKind, CustomStringConvertible {
    let kindOfError: ErrorKind?
    let description = "from elsewhere"
  }

  static let kinds: [(ErrorKind?, HTTPErrorFields)] = [
    (.declined("soldOut"), .soldOut),
    (.invalid, HTTPErrorFields(400, "invalid", isWithoutEffect: true)),
    (.cancelled, .cancelled),
    (.refused, HTTPErrorFields(429, "refused", retryAfter: 1, isWithoutEffect: true)),
    (.dropped, .dropped), (.late, HTTPErrorFields(504, "late")), (.neverBegun, .stopped),
    (.unreachable, HTTPErrorFields(503, "unreachable", retryAfter: 2, isWithoutEffect: true)),
    (.ended, .ended), (nil, .failed),
  ]

  @Test(arguments: kinds)
  func `an error of another module has the status of its kind`(
    kind: ErrorKind?, expected: HTTPErrorFields
  )
    throws
  {
    let error = try #require(ReactorHTTPError(FromElsewhere(kindOfError: kind)))
    #expect(HTTPErrorFields(error) == expected)
  }

  @Test func `an identifier that no journal can have is a client error`() throws {
    let error = JournalError.invalid(JournalKey(name: "till", id: "a\0b"))
    #expect(ReactorHTTPError(error)?.status == .badRequest)
    #expect(
      ReactorHTTPError(JournalError.alreadyOpen(JournalKey(name: "a", id: "b")))?.status
        == .internalServerError)
  }

  @Test(arguments: [ActionOutcome.finished, .open, .forgotten])
  func `an action that has finished, or goes on, is no error`(outcome: ActionOutcome) throws {
    #expect(try ReactorHTTPError(outcome) == nil)
  }

  static let reasons: [(ActionOutcome, HTTPErrorFields)] =
    refusals.map { (.refused($0), $1) } + [
      (.dropped(lane), .dropped), (.superseded(lane), .superseded), (.evicted(lane), .superseded),
      (.droppedByMiddleware(Failure()), .forbidden), (.failed(Failure()), .failed),
      (.cancelled, .cancelled), (.neverBegun, .stopped), (.reactorEnded, .ended),
      (.released, .failed), (.timedOut(.seconds(1)), HTTPErrorFields(504, "late")),
      (.cycle([]), HTTPErrorFields(508, "circle")),
    ]

  @Test(arguments: reasons)
  func `an ask without an answer has its status`(reason: ActionOutcome, expected: HTTPErrorFields)
    throws
  {
    let error = try #require(ReactorHTTPError(AskError(nil, nil, reason)))
    #expect(HTTPErrorFields(error) == expected)
    #expect(error.response.headers[.retryAfter] == expected.retryAfter.map { "\($0)" })
  }

  static let others: [(any Error, HTTPErrorFields)] = [
    (RegistryError.stopped, .stopped),
    (RegistryError.cycle(["a", "a"]), HTTPErrorFields(508, "circle")),
    (Desk.Refusal.soldOut, .soldOut), (CancellationError(), .cancelled), (Failure(), .failed),
  ]

  @Test(arguments: others)
  func `any other thrown error has its status`(error: any Error, expected: HTTPErrorFields) throws {
    #expect(HTTPErrorFields(try #require(ReactorHTTPError(error))) == expected)
  }

  // MARK: A response of Hummingbird's own

  /// Throws what the test says, in an effect, or from a stage of the middleware.
  private actor Door: Reactor {
    enum Action: Sendable, Decodable {
      case enter
      case ask(Reply<Int>)

      init(from decoder: any Decoder) throws { self = .enter }
    }
    typealias Mutation = Int
    nonisolated let initialState = 0
    nonisolated let pipeline: Pipeline
    private let error: any Error

    init(_ error: any Error, inMiddleware: Bool) {
      self.error = error
      pipeline = inMiddleware ? Pipeline(through: [Closed(error: error)]) : Pipeline()
    }

    func mutate(action: Action) -> MutationStream<Int> { .run { _ in throw self.error } }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
    nonisolated func report(_ report: ReactorReport) {}
  }

  private struct Closed: ActionMiddleware {
    let error: any Error

    mutating func handle<R: Reactor>(
      _ action: R.Action, in context: MiddlewareContext<R>
    ) -> ActionVerdict<R.Action> { .drop(error) }
  }

  @Test(arguments: ["sent", "asked"], [false, true])
  func `a response of the server's own is sent as it is`(path: String, inMiddleware: Bool)
    async throws
  {
    let error = HTTPError(
      .gone, headers: [.retryAfter: "7"], message: "no money, no seat")
    let door = Door(error, inMiddleware: inMiddleware)
    let router = Router()
    router.post("sent", sending: door)
    router.post("asked", asking: door) { (_: Int, reply: Reply<Int>) in .ask(reply) }
    try await Application(router: router, logger: .silent).test(.router) { client in
      let response = try await client.json(path, "1")
      #expect(response.status == .gone)
      #expect(response.headers[.retryAfter] == "7")
      #expect(String(buffer: response.body).contains("no money, no seat"))
    }
  }
}
