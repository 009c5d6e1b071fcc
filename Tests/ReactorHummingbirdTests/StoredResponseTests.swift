import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorJournal
import ReactorRuntime
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// Requests with a key, to reactors whose mutations are kept: known after a crash as well.
@Suite(.bounded) struct StoredResponseTests {
  private actor Till: JournaledReactor {
    enum Action: Sendable { case sell(Int, Reply<Ticket>) }
    typealias Mutation = Ticket
    struct Ticket: Codable, Sendable {
      let number: Int
      let seats: Int
    }
    struct Order: Codable, Sendable { let seats: Int }
    struct State: Codable, Sendable { var tickets: [Ticket] = [] }
    enum Refusal: ExpectedError { case noSeats, ended }

    static let journalName = "till"
    static let journalVersion = 1
    static let initialState = State()
    nonisolated let pipeline = Pipeline()
    let paying: Gate?
    let log: Log<String>

    /// With a gate, it sees to it that the sale is kept, and waits there before it answers.
    init(_ paying: Gate?, _ log: Log<String>) { (self.paying, self.log) = (paying, log) }

    func mutate(action: Action) -> MutationStream<Ticket> {
      guard case .sell(let seats, let reply) = action else { return .empty }
      return .run { [log, paying] emit in
        log.append("began \(seats)")
        if seats < 0 {
          await paying?.pass()
          throw ReactorHTTPError(.conflict, reason: "full", "no room", isWithoutEffect: true)
        }
        guard seats > 0 else { throw Refusal.noSeats }
        if seats == 99 { throw Refusal.ended }
        let ticket = Ticket(number: self.currentState.tickets.count + 1, seats: seats)
        await emit(ticket)
        if seats == 98 { throw RegistryError.stopped }
        if let paying {
          try await emit.durable()
          await paying.pass()
        }
        reply(ticket)
        log.append("sold \(seats)")
      }
    }

    static func reduce(state: inout State, mutation: Ticket) { state.tickets.append(mutation) }
  }

  private struct Full: Error {}

  private let log = Log<String>()

  /// Serves a till for as long as a process would.
  private func process(
    _ journal: Journal, _ paying: Gate? = nil, _ options: ActionOptions = ActionOptions(),
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let till = try await journal.open("1") { Till(paying, log) }
    let router = Router()
    router.post("tickets", asking: till, options: options) {
      (order: Till.Order, reply: Reply<Till.Ticket>) in
      .sell(order.seats, reply)
    }
    router.post("gifts", asking: till) { (order: Till.Order, reply: Reply<Till.Ticket>) in
      .sell(order.seats, reply)
    }
    router.post("shops/:name/tickets", asking: till) {
      (order: Till.Order, reply: Reply<Till.Ticket>) in
      .sell(order.seats, reply)
    }
    router.post("shops/:name/:floor/tickets", asking: till) {
      (order: Till.Order, reply: Reply<Till.Ticket>) in
      .sell(order.seats, reply)
    }
    router.post("stop") { _, _ in
      await till.stop().settled
      return HTTPResponse.Status.ok
    }
    try await Application(router: router, logger: .silent).test(.router) { try await body($0) }
    await till.stop().settled
  }

  @Test func `the next process gives the same answer`() async throws {
    let journal = try await Journal(.inMemory)
    for _ in 1...3 {
      try await process(journal) { client in
        let answer = try await client.json(
          "tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
        #expect(String(buffer: answer.body) == #"{"number":1,"seats":2}"#)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/json")
      }
    }
    #expect(log.entries == ["began 2", "sold 2"])
  }

  @Test func `another request with the same key is refused by the next process`() async throws {
    let journal = try await Journal(.inMemory)
    for (seats, status) in [(2, HTTPResponse.Status.ok), (3, .unprocessableContent)] {
      try await process(journal) { client in
        let answer = try await client.json(
          "tickets", #"{"seats":\#(seats)}"#, [.idempotencyKey: "a"])
        #expect(answer.status == status)
      }
    }
    #expect(log.entries == ["began 2", "sold 2"])
  }

  @Test func `the same key at another path is another request, in the next process as well`()
    async throws
  {
    let journal = try await Journal(.inMemory)
    for _ in 1...2 {
      try await process(journal) { client in
        for (path, number) in [("tickets", 1), ("gifts", 2)] {
          let answer = try await client.json(path, #"{"seats":2}"#, [.idempotencyKey: "a"])
          #expect(String(buffer: answer.body) == #"{"number":\#(number),"seats":2}"#)
        }
      }
    }
    #expect(log.entries == ["began 2", "sold 2", "began 2", "sold 2"])
  }

  @Test func `the same path in another spelling is the same request`() async throws {
    try await process(try await Journal(.inMemory)) { client in
      for shop in ["caf%C3%A9", "caf%c3%a9", "cafe%CC%81", "%63af%C3%A9"] {
        let answer = try await client.json(
          "shops/\(shop)/tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
        #expect(String(buffer: answer.body) == #"{"number":1,"seats":2}"#, "\(shop)")
      }
    }
    #expect(log.entries == ["began 2", "sold 2"])
  }

  @Test func `a slash that is part of a name is not a separator`() async throws {
    try await process(try await Journal(.inMemory)) { client in
      for (path, number) in [("shops/a%2Fb/tickets", 1), ("shops/a/b/tickets", 2)] {
        let answer = try await client.json(path, #"{"seats":2}"#, [.idempotencyKey: "a"])
        #expect(String(buffer: answer.body) == #"{"number":\#(number),"seats":2}"#)
      }
    }
  }

  @Test func `a key that version 0.2.0 stored, without its path, is known`() async throws {
    let (store, key) = (MemoryStore(), JournalKey(name: "till", id: "1"))
    let kept = StoredCommand(
      id: "33niihzj4ux45 a", request: 2_305_651_497_064_442_575,
      standing: .ended(answer: #"{"status":200,"body":"{\"number\":7,\"seats\":2}"}"#))
    let claim = try await store.take(key)
    let entry = JournalEntry(
      sequence: 1, version: 1, kind: .command, payload: try JSONJournalCodec().encode(kept),
      time: Date())
    try await store.append([entry], to: key, epoch: claim.epoch)
    await store.release(key, epoch: claim.epoch)
    try await process(try await Journal(.store(store))) { client in
      let answer = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(String(buffer: answer.body) == #"{"number":7,"seats":2}"#)
    }
    #expect(log.entries == [])
  }

  @Test func `an effect that fails as another reactor refuses is not run again`() async throws {
    let journal = try await Journal(.inMemory)
    for _ in 1...2 {
      try await process(journal) { client in
        let answer = try await client.json("tickets", #"{"seats":98}"#, [.idempotencyKey: "a"])
        #expect(answer.status == .internalServerError)
      }
    }
    #expect(log.entries == ["began 98"])
  }

  @Test func `an expected error is the same error in the next process`() async throws {
    let journal = try await Journal(.inMemory)
    for _ in 1...2 {
      try await process(journal) { client in
        let answer = try await client.json("tickets", #"{"seats":0}"#, [.idempotencyKey: "a"])
        #expect(answer.status == .conflict)
        #expect(String(buffer: answer.body).contains("noSeats"))
      }
    }
    #expect(log.entries == ["began 0"])
  }

  @Test func `an expected error named like an outcome is the same in the next process`()
    async throws
  {
    let journal = try await Journal(.inMemory)
    for _ in 1...2 {
      try await process(journal) { client in
        let answer = try await client.json("tickets", #"{"seats":99}"#, [.idempotencyKey: "a"])
        #expect(answer.status == .conflict)
      }
    }
    #expect(log.entries == ["began 99"])
  }

  @Test func `a request that a crash cut short is reported, and not done again`() async throws {
    let directory = try ScratchDirectory()
    let (path, copy) = ("\(directory.path)/till.sqlite", "\(directory.path)/crashed.sqlite")
    let (journal, paying) = (try await Journal(.sqlite(at: path)), Gate())
    try await process(journal, paying) { client in
      async let answer = client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      await paying.reached()
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
      }
      paying.open()
      #expect(try await answer.status == .ok)
    }
    try await process(try await Journal(.sqlite(at: copy))) { client in
      let answer = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(answer.status == .conflict)
      #expect(String(buffer: answer.body).contains("unfinished"))
    }
    #expect(log.entries == ["began 2", "sold 2"])
  }

  @Test func `a refused request is repeated, also if its beginning was stored`()
    async throws
  {
    let (store, paying) = (StalledStore(), Gate())
    store.writing.open()
    try await process(try await Journal(.store(store)), paying) { client in
      async let refused = client.json("tickets", #"{"seats":-1}"#, [.idempotencyKey: "a"])
      await paying.reached()
      async let sold = client.json("tickets", #"{"seats":2}"#)
      // The beginning of this one was kept together with another action's mutation.
      await paying.reached(by: 2)
      #expect(store.batches.entries == [[.command, .change]])
      paying.open()
      #expect(try await sold.status == .ok)
      #expect(String(buffer: try await refused.body).contains("full"))
      let again = try await client.json("tickets", #"{"seats":-1}"#, [.idempotencyKey: "a"])
      #expect(String(buffer: again.body).contains("full"))
    }
    #expect(log.entries == ["began -1", "began 2", "sold 2", "began -1"])
  }

  @Test func `a request that ended as its store failed is looked up in the journal`()
    async throws
  {
    let (store, log) = (StalledStore(), log)
    store.writing.open()
    store.fault.withLock { $0 = Full() }
    let journal = try await Journal(.store(store))
    let tills = ReactorRegistry<String, Till>(idle: nil) { id in
      try await journal.open(id) { Till(nil, log) }
    }
    let router = Router()
    router.post("tills/:id/tickets", asking: tills) {
      (order: Till.Order, reply: Reply<Till.Ticket>) in
      .sell(order.seats, reply)
    }
    try await Application(router: router, logger: .silent).test(.router) { client in
      let path = "tills/1/tickets"
      let failed = try await client.json(path, #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(failed.status == .badGateway)
      store.fault.withLock { $0 = nil }
      let answer = try await client.json(path, #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(String(buffer: answer.body) == #"{"number":1,"seats":2}"#)
    }
    await tills.stop()
  }

  @Test func `an answer that was not stored in time is sent when the request is repeated`()
    async throws
  {
    let (store, clock, log) = (StalledStore(), ManualClock(), log)
    let options = ActionOptions(deadline: .steps(5), clock: clock)
    try await process(try await Journal(.store(store)), nil, options) { client in
      async let late = client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      // It has replied by then.
      _ = await log.entries(upTo: 2)
      await store.writing.reached()
      await clock.advance(past: 5)
      #expect(try await late.status == .gatewayTimeout)
      store.writing.open()
      let answer = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(String(buffer: answer.body) == #"{"number":1,"seats":2}"#)
    }
    #expect(log.entries == ["began 2", "sold 2"])
  }

  @Test func `an answer is stored in one batch with its last mutation`() async throws {
    let (store, log) = (StalledStore(), log)
    try await process(try await Journal(.store(store))) { client in
      async let first = client.json("tickets", #"{"seats":1}"#)
      await store.writing.reached()
      async let second = client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      _ = await log.entries(upTo: 4)
      store.writing.open()
      let statuses = try await [first.status, second.status]
      #expect(statuses == [.ok, .ok])
    }
    #expect(store.batches.entries == [[.change], [.command, .change, .command]])
  }

  @Test func `deleting entries before a snapshot deletes no key`() async throws {
    let store = StalledStore()
    store.writing.open()
    let options = JournalOptions(snapshotAfter: .zero, deletesBeforeSnapshot: true)
    let journal = try await Journal(.store(store), options: options)
    for _ in 1...2 {
      try await process(journal) { client in
        let answer = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
        #expect(String(buffer: answer.body) == #"{"number":1,"seats":2}"#)
        _ = await store.deletions.entries(upTo: 1)
      }
    }
    #expect(log.entries == ["began 2", "sold 2"])
  }

  @Test func `a request without effect is done again by the next process`() async throws {
    let journal = try await Journal(.inMemory)
    try await process(journal) { client in
      _ = try await client.json("stop", "null")
      let stopped = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(stopped.status == .serviceUnavailable)
    }
    try await process(journal) { client in
      let answer = try await client.json("tickets", #"{"seats":2}"#, [.idempotencyKey: "a"])
      #expect(answer.status == .ok)
    }
  }
}
