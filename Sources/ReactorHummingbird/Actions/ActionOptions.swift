public import HTTPTypes
public import Hummingbird

/// Limits and deadlines of a route for actions.
public struct ActionOptions: Sendable {
  /// The maximum size of a body in bytes; a longer one gets a 413.
  public var bodyLimit: Int
  /// How long an action may take; `nil` for no limit.
  ///
  /// When the time is over, the action is cancelled, and the response is a 504.
  public var deadline: Duration?
  /// The header with the number of seconds that an action may take, at most the server's deadline:
  /// `Request-Timeout: 2.5`.
  ///
  /// With an `Idempotency-Key`, it limits only how long the client waits. The response is then a
  /// 504, and the action continues. If the client repeats the request, it gets the response.
  public var deadlineHeader: HTTPField.Name
  /// How long the responses to requests with an `Idempotency-Key` are stored in memory.
  ///
  /// The options of a journal define how long a journaled reactor stores them.
  public var responseRetention: Duration
  /// The maximum number of stored responses; when it is reached, the oldest are removed.
  public var responseLimit: Int
  /// Returns a text that identifies the sender of a request; by default the value of
  /// `Authorization`.
  ///
  /// A client cannot get the response to the key of another sender. If clients are identified by a
  /// cookie, return that cookie. A journal stores only a hash of the text.
  public var scope: @Sendable (_ request: Request) -> String
  /// The clock that measures both times.
  public var clock: any Clock<Duration>

  /// Creates options.
  ///
  /// - Parameters:
  ///   - bodyLimit: The maximum size of a body in bytes.
  ///   - deadline: How long an action may take.
  ///   - deadlineHeader: The header with which a client limits that time.
  ///   - responseRetention: How long responses to requests with an `Idempotency-Key` are stored.
  ///   - responseLimit: The maximum number of stored responses.
  ///   - scope: Returns a text that identifies the sender of a request.
  ///   - clock: The clock that measures both times.
  public init(
    bodyLimit: Int = 64 * 1024, deadline: Duration? = nil,
    deadlineHeader: HTTPField.Name = .requestTimeout, responseRetention: Duration = .seconds(600),
    responseLimit: Int = 10_000,
    scope: @escaping @Sendable (_ request: Request) -> String = {
      $0.headers[.authorization] ?? ""
    }, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.bodyLimit = bodyLimit
    self.deadline = deadline
    self.deadlineHeader = deadlineHeader
    self.responseRetention = responseRetention
    self.responseLimit = responseLimit
    self.scope = scope
    self.clock = clock
  }
}

extension HTTPField.Name {
  /// `Request-Timeout`: how many seconds the response may take.
  public static let requestTimeout = named("Request-Timeout")
  /// `Idempotency-Key`: identifies a request that is sent again.
  public static let idempotencyKey = named("Idempotency-Key")
  /// `Prefer`: used with `respond-async`.
  static let prefer = named("Prefer")
  /// `Preference-Applied`: the preference that was applied.
  static let preferenceApplied = named("Preference-Applied")

  static func named(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("'\(name)' is no name") }
    return name
  }
}
