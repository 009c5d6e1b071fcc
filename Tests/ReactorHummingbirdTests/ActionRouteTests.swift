import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Reactor
import ReactorComposition
import ReactorHummingbird
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct ActionRouteTests {
  let desk = Desk()

  func router(_ options: ActionOptions = ActionOptions()) -> Router<BasicRequestContext> {
    let router = Router()
    router.post("desk/actions", sending: desk, options: options)
    router.post("desk/tickets", asking: desk, options: options) {
      (order: Desk.Order, reply: Reply<Desk.Ticket>) in .buy(order.seats, reply)
    }
    router.get("desk", of: desk) { $0 }
    return router
  }

  func test(
    _ router: Router<BasicRequestContext>,
    _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
  ) async throws {
    try await Application(router: router, logger: .silent).test(.router) { try await body($0) }
  }

  @Test func `an action is posted, and its outcome is the response`() async throws {
    try await test(router()) { client in
      let response = try await client.json("desk/actions", #"{"add":{"_0":3}}"#)
      #expect(response.status == .ok)
      #expect(String(buffer: response.body) == #"{"outcome":"finished"}"#)
      let state = try await client.execute(uri: "/desk", method: .get)
      #expect(String(buffer: state.body) == #"{"sold":3}"#)
    }
  }

  @Test func `the answer of a reactor is the body of the response`() async throws {
    desk.gate.open()
    try await test(router()) { client in
      let response = try await client.json("desk/tickets", #"{"seats":2}"#)
      #expect(response.status == .ok)
      #expect(response.headers[.contentType] == "application/json")
      #expect(String(buffer: response.body) == #"{"seats":2,"total":2}"#)
    }
  }

  @Test(arguments: [
    (#"{"seats":"two"}"#, "at 'seats': "), ("{}", "at 'seats': is missing"),
    (#"{"seats":null}"#, "at 'seats': "), ("seats", "not valid JSON"),
    (#"{"seats":1.5}"#, "a number in it does not fit"),
  ])
  func `a body that does not fit the action is refused with the place of the error`(
    body: String, message: String
  ) async throws {
    try await test(router()) { client in
      let response = try await client.json("desk/tickets", body)
      #expect(response.status == .badRequest)
      #expect(String(buffer: response.body).contains(message), "\(String(buffer: response.body))")
      #expect(String(buffer: response.body).hasPrefix(#"{"error":{"message":"#))
    }
  }

  @Test func `a body that throws while it is decoded is refused, without its values`()
    async throws
  {
    struct Even: Decodable, Sendable {
      enum Odd: Error { case number(Int) }

      init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Int.self)
        guard number.isMultiple(of: 2) else { throw Odd.number(number) }
      }
    }
    let router = router()
    router.post("even", asking: desk) { (_: Even, reply: Reply<Desk.Ticket>) in .buy(2, reply) }
    try await test(router) { client in
      let response = try await client.json("even", "4711")
      #expect(response.status == .badRequest)
      let body = String(buffer: response.body)
      #expect(body.contains(#""reason":"body""#) && body.contains("Odd.number"), "\(body)")
      #expect(!body.contains("4711"), "\(body)")
    }
  }

  @Test func `a body is accepted only if declared as JSON, and up to a limit`() async throws {
    try await test(router(ActionOptions(bodyLimit: 20))) { client in
      let form = try await client.execute(
        uri: "/desk/tickets", method: .post,
        headers: [.contentType: "application/x-www-form-urlencoded"],
        body: ByteBuffer(string: "seats=2"))
      #expect(form.status == .unsupportedMediaType)
      let none = try await client.execute(
        uri: "/desk/tickets", method: .post, body: ByteBuffer(string: #"{"seats":2}"#))
      #expect(none.status == .unsupportedMediaType)
      let long = try await client.json("desk/tickets", #"{"seats":2,"note":"so long"}"#)
      #expect(long.status == .contentTooLarge)
    }
    #expect(await desk.currentState.sold == 0)
  }

  @Test func `an expected error is a conflict; another error is not shown`()
    async throws
  {
    try await test(router()) { client in
      let no = try await client.json("desk/actions", #"{"refuse":{}}"#)
      #expect(no.status == .conflict)
      #expect(String(buffer: no.body).contains(#""reason":"soldOut""#))
      let asked = try await client.json("desk/tickets", #"{"seats":0}"#)
      #expect(asked.status == .conflict)
      let failed = try await client.json("desk/actions", #"{"fail":{}}"#)
      #expect(failed.status == .internalServerError)
      #expect(!String(buffer: failed.body).contains("42"))
    }
  }

  @Test func `a refusal has its status, and the time to retry after`() async throws {
    let full = FullDesk()
    full.send(1)
    let router = router()
    router.post("full", sending: full)
    try await test(router) { client in
      let response = try await client.json("full", "3")
      #expect(response.status == .tooManyRequests)
      #expect(response.headers[.retryAfter] == "1")
      full.stop()
      let stopped = try await client.json("full", "3")
      #expect(stopped.status == .serviceUnavailable)
      #expect(stopped.headers[.retryAfter] == "2")
    }
  }

  @Test func `a full lane is a conflict, with the time to retry after`() async throws {
    let desk = LaneDesk()
    let (first, second) = (desk.send(1), desk.send(2))
    let router = router()
    router.post("lane", sending: desk)
    try await test(router) { client in
      let response = try await client.json("lane", "3")
      #expect(response.status == .conflict)
      #expect(response.headers[.retryAfter] == "1")
      #expect(String(buffer: response.body).contains(#""reason":"laneFull""#))
    }
    desk.gate.open()
    #expect(await first.outcome.isFinished)
    #expect(await second.outcome.isFinished)
  }

  @Test func `a client that prefers not to wait gets the answer that the action is taken`()
    async throws
  {
    try await test(router()) { client in
      let response = try await client.json(
        "desk/actions", #"{"work":{"_0":3}}"#, [.prefers: "wait=5, respond-async"])
      #expect(response.status == .accepted)
      #expect(String(buffer: response.body) == #"{"action":0,"outcome":"taken"}"#)
      let asked = try await client.json(
        "desk/tickets", #"{"seats":1}"#, [.prefers: "respond-async"])
      #expect(asked.status == .accepted)
    }
    _ = await desk.log.entries(upTo: 2)
    desk.gate.open()
    await desk.stop(.drain).settled
    #expect(await desk.currentState.sold == 4)
  }

  @Test(arguments: [("actions", #"{"work":{"_0":3}}"#), ("tickets", #"{"seats":3}"#)])
  func `when the client's time is up the action is cancelled`(path: String, body: String)
    async throws
  {
    let clock = ManualClock()
    try await test(router(ActionOptions(deadline: .steps(60), clock: clock))) { [desk] client in
      async let response = client.json("desk/\(path)", body, [.requestTimeout: "5"])
      _ = await desk.log.entries(upTo: 1)
      await clock.advance(past: 5)
      let status = try await response.status
      #expect(status == .gatewayTimeout)
      let log = await desk.log.entries(upTo: 2)
      #expect(log == ["began 3", "cancelled 3"])
      for wrong in ["soon", "0", "-1", "nan", "1e99"] {
        let response = try await client.json("desk/\(path)", body, [.requestTimeout: wrong])
        #expect(response.status == .badRequest)
      }
    }
  }

  @Test func `the key in the path finds the reactor, and an error of its making is the answer`()
    async throws
  {
    let desks = ReactorRegistry<Int, Desk>(idle: nil) { number in
      guard number < 10 else { throw HTTPError(.notFound, message: "no such desk") }
      return Desk()
    }
    let router = Router()
    router.post("desks/{id}/actions", sending: desks)
    router.get("desks/{id}", of: desks) { $0 }
    try await test(router) { client in
      for number in [1, 2] {
        let response = try await client.json(
          "desks/\(number)/actions", #"{"add":{"_0":\#(number)}}"#)
        #expect(response.status == .ok)
      }
      let second = try await client.execute(uri: "/desks/2", method: .get)
      #expect(String(buffer: second.body) == #"{"sold":2}"#)
      let missing = try await client.json("desks/11/actions", #"{"add":{"_0":1}}"#)
      #expect(missing.status == .notFound)
      let wrong = try await client.execute(uri: "/desks/first", method: .get)
      #expect(wrong.status == .badRequest)
    }
    #expect(desks.count == 2)
  }

  @Test func `a path that is not percent-encoded UTF-8 is no key`() async throws {
    let desks = ReactorRegistry<String, Desk>(idle: nil) { _ in Desk() }
    let router = Router()
    router.post("desks/{id}/actions", sending: desks)
    router.get("desks/{id}", of: desks) { $0 }
    try await test(router) { client in
      for name in ["%FF", "100%", "a%2", "%C3"] {
        let sent = try await client.json("desks/\(name)/actions", #"{"add":{"_0":1}}"#)
        #expect(sent.status == .badRequest, "\(name)")
        let seen = try await client.execute(uri: "/desks/\(name)", method: .get)
        #expect(seen.status == .badRequest, "\(name)")
      }
    }
    #expect(desks.count == 0)
  }
}

/// A reactor that takes nothing: its executor runs no job.
actor FullDesk: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline(inboxLimit: 1)
  nonisolated let executor = ManualExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  nonisolated func report(_ report: ReactorReport) {}
}

/// One runs, one waits, and further ones are refused.
private actor LaneDesk: LanedReactor {
  typealias Action = Int
  typealias Mutation = Int

  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline()
  nonisolated let gate = Gate()

  func lane(for action: Int) -> Lane? {
    .sequential("disk", waitingLimit: 1)
  }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { [gate] emit in
      await gate.pass()
      await emit(action)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
  nonisolated func report(_ report: ReactorReport) {}
}

extension TestClientProtocol {
  func json(
    _ path: String, _ body: String, _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    var headers = headers
    headers[.contentType] = "application/json"
    return try await execute(
      uri: "/\(path)", method: .post, headers: headers, body: ByteBuffer(string: body))
  }
}

extension HTTPField.Name {
  static var prefers: HTTPField.Name { HTTPField.Name("Prefer") ?? .accept }
}
