import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Reactor
import ReactorComposition
import ReactorHummingbird
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct ResponseCacheTests {
  let desk = Desk()
  let clock = ManualClock()

  func test(
    _ options: ActionOptions? = nil,
    _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
  ) async throws {
    let router = Router()
    router.post(
      "tickets", asking: desk, options: options ?? ActionOptions(clock: clock)
    ) { (order: Desk.Order, reply: Reply<Desk.Ticket>) in .buy(order.seats, reply) }
    try await Application(router: router, logger: .silent).test(.router) { try await body($0) }
  }

  @Test func `a request with the same key is done once, and answered the same`() async throws {
    desk.gate.open()
    try await test { client in
      let first = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      let again = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(String(buffer: first.body) == #"{"seats":2,"total":2}"#)
      #expect(again.body == first.body && again.status == .ok)
      let other = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "b"])
      #expect(String(buffer: other.body) == #"{"seats":2,"total":4}"#)
    }
  }

  @Test func `a request with the same key waits for the answer of the first`() async throws {
    try await test { [desk] client in
      async let first = client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      _ = await desk.log.entries(upTo: 1)
      async let second = client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      desk.gate.open()
      let answers = try await [first, second].map { String(buffer: $0.body) }
      #expect(Set(answers) == [#"{"seats":2,"total":2}"#])
    }
    #expect(desk.log.entries == ["began 2", "ended 2"])
  }

  @Test func `after its client's time a request goes on, and a repetition gets its answer`()
    async throws
  {
    try await test { [desk, clock] client in
      let seats = #"{"seats":2}"#
      async let late = client.json("tickets", seats, [.idempotencyKey: "a", .requestTimeout: "5"])
      _ = await desk.log.entries(upTo: 1)
      await clock.advance(past: 5)
      let lateResponse = try await late
      #expect(lateResponse.status == .gatewayTimeout)
      #expect(String(buffer: lateResponse.body).contains("it continues"))
      desk.gate.open()
      let answer = try await client.json(
        "tickets", seats, [.idempotencyKey: "a", .requestTimeout: "5"])
      #expect(String(buffer: answer.body) == #"{"seats":2,"total":2}"#)
    }
    #expect(desk.log.entries == ["began 2", "ended 2"])
  }

  @Test func `the server's deadline cancels a request, whatever its client's time is`() async throws
  {
    let options = ActionOptions(deadline: .steps(5), clock: clock)
    try await test(options) { [desk, clock] client in
      let headers: HTTPFields = [.idempotencyKey: "a", .requestTimeout: "60"]
      async let late = client.json("tickets", #"{"seats":2}"#, headers)
      _ = await desk.log.entries(upTo: 1)
      await clock.advance(past: 5)
      #expect(try await late.status == .gatewayTimeout)
      let again = try await client.json("tickets", #"{"seats":2}"#, headers)
      #expect(again.status == .gatewayTimeout)
    }
    _ = await desk.log.entries(upTo: 2)
    #expect(desk.log.entries == ["began 2", "cancelled 2"])
  }

  @Test func `a key is for one request of one client`() async throws {
    desk.gate.open()
    try await test { client in
      _ = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      let other = try await client.json("tickets", #"{"seats":3}"#, [.idempotencyKey: "a"])
      #expect(other.status == .unprocessableContent)
      let stranger = try await client.json(
        "tickets", #"{"seats":3}"#, [.idempotencyKey: "a", .authorization: "Bearer b"])
      #expect(String(buffer: stranger.body) == #"{"seats":3,"total":5}"#)
      let long = String(repeating: "a", count: 256)
      let tooLong = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: long])
      #expect(tooLong.status == .badRequest)
    }
  }

  @Test func `with cookies as the scope, a key is for one request of one cookie`() async throws {
    desk.gate.open()
    let options = ActionOptions(scope: { $0.headers[.cookie] ?? "" }, clock: clock)
    try await test(options) { client in
      var totals: [String] = []
      for cookie in ["session=1", "session=2", "session=1"] {
        let answer = try await client.json(
          "tickets", #"{"seats":2}"#, [.idempotencyKey: "a", .cookie: cookie])
        totals.append(String(buffer: answer.body))
      }
      #expect(totals == [2, 4, 2].map { #"{"seats":2,"total":\#($0)}"# })
    }
  }

  /// What is answered to one key at each path, where every name leads to one desk: how many seats
  /// it has sold.
  private func totals(at names: [String]) async throws -> [Int] {
    desk.gate.open()
    let (desk, totals) = (desk, Log<Int>())
    let desks = ReactorRegistry<String, Desk>(idle: nil) { _ in desk }
    let router = Router()
    router.post("desks/{id}/tickets", asking: desks) { (order: Desk.Order, reply) in
      .buy(order.seats, reply)
    }
    try await Application(router: router, logger: .silent).test(.router) { client in
      for name in names {
        let answer = try await client.json(
          "desks/\(name)/tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
        let body = Data(answer.body.readableBytesView)
        totals.append(try JSONDecoder().decode(Desk.Ticket.self, from: body).total)
      }
    }
    return totals.entries
  }

  @Test func `the same path in another spelling is the same request`() async throws {
    let spellings = ["caf%C3%A9", "caf%c3%a9", "cafe%CC%81", "%63af%C3%A9", "/caf%C3%A9"]
    #expect(try await totals(at: spellings) == [2, 2, 2, 2, 2])
  }

  @Test func `a percent sign in a name is not a slash`() async throws {
    #expect(try await totals(at: ["a%2Fb", "a%252Fb", "a%2fb"]) == [2, 4, 2])
  }

  @Test func `the preference to wait is part of the request`() async throws {
    desk.gate.open()
    try await test { client in
      _ = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      let other = try await client.json(
        "tickets", #"{"seats":2}"#, [.idempotencyKey: "a", .prefers: "respond-async"])
      #expect(other.status == .unprocessableContent)
    }
  }

  @Test func `an expected error is stored, a request without effect is repeated`() async throws {
    desk.gate.open()
    try await test { [desk] client in
      await desk.stop().settled
      let stopped = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(stopped.status == .serviceUnavailable)
      await desk.restart()
      let again = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(String(buffer: again.body) == #"{"seats":2,"total":2}"#)
      for _ in 1...2 {
        let no = try await client.json("tickets", #"{"seats":0}"#, [.idempotencyKey: "b"])
        #expect(no.status == .conflict)
      }
    }
  }

  @Test func `answers are stored for a time, and up to a number`() async throws {
    desk.gate.open()
    let options = ActionOptions(responseRetention: .steps(10), responseLimit: 2, clock: clock)
    try await test(options) { [clock] client in
      func total(_ key: String) async throws -> String {
        let response = try await client.json(
          "tickets", #"{"seats":1}"#, [.idempotencyKey: key])
        return String(buffer: response.body)
      }
      var totals = [try await total("a")]
      clock.advance(to: 9)
      totals.append(try await total("a"))
      clock.advance(to: 11)
      // Too old: it is done again. Then the oldest of three goes.
      for key in ["a", "b", "c", "c", "a"] { totals.append(try await total(key)) }
      #expect(totals == [1, 1, 2, 3, 4, 4, 5].map { #"{"seats":1,"total":\#($0)}"# })
    }
  }
}
