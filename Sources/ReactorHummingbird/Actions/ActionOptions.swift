public import HTTPTypes
public import Hummingbird

/// What a route for actions accepts, and how long it waits.
public struct ActionOptions: Sendable {
  /// How many bytes a body has at most; a longer one is a 413.
  public var bodyLimit: Int
  /// How long an action may take; `nil` for as long as it does.
  ///
  /// When that has passed, it is cancelled: a 504.
  public var deadline: Duration?
  /// The header by which a client says how many seconds an action may take, at most the server's
  /// deadline: `Request-Timeout: 2.5`.
  ///
  /// With an `Idempotency-Key` it says how long the client waits: it gets a 504 then, the action
  /// goes on, and the same request gets its answer.
  public var deadlineHeader: HTTPField.Name
  /// How long the answers to requests with an `Idempotency-Key` are kept in memory.
  ///
  /// For how long a journaled reactor knows them is in the options of its journal.
  public var keepsAnswers: Duration
  /// How many of them; then the oldest go.
  public var answerLimit: Int
  /// Who sends a request, so that nobody is told the answer to another one's key; by default what
  /// stands in `Authorization`.
  ///
  /// Where clients are known by a cookie, that has to be it. A journal keeps a hash of it.
  public var scope: @Sendable (_ request: Request) -> String
  /// What measures both times.
  public var clock: any Clock<Duration>

  /// What is usual.
  ///
  /// - Parameters:
  ///   - bodyLimit: How many bytes a body has at most.
  ///   - deadline: How long an action may take.
  ///   - deadlineHeader: The header by which a client says that.
  ///   - keepsAnswers: How long the answers to requests with an `Idempotency-Key` are kept.
  ///   - answerLimit: How many of them.
  ///   - scope: Who sends a request.
  ///   - clock: What measures both times.
  public init(
    bodyLimit: Int = 64 * 1024, deadline: Duration? = nil,
    deadlineHeader: HTTPField.Name = .requestTimeout, keepsAnswers: Duration = .seconds(600),
    answerLimit: Int = 10_000,
    scope: @escaping @Sendable (_ request: Request) -> String = {
      $0.headers[.authorization] ?? ""
    }, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.bodyLimit = bodyLimit
    self.deadline = deadline
    self.deadlineHeader = deadlineHeader
    self.keepsAnswers = keepsAnswers
    self.answerLimit = answerLimit
    self.scope = scope
    self.clock = clock
  }
}

extension HTTPField.Name {
  /// `Request-Timeout`: how many seconds the answer may take.
  public static let requestTimeout = named("Request-Timeout")
  /// `Idempotency-Key`: by which a request that is sent again is known.
  public static let idempotencyKey = named("Idempotency-Key")
  /// `Prefer`: here for `respond-async`.
  static let prefer = named("Prefer")
  /// `Preference-Applied`: which of those it was.
  static let preferenceApplied = named("Preference-Applied")

  static func named(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("'\(name)' is no name") }
    return name
  }
}
