import Reactor
import TestLimits
import TestSupport
import Testing

// The samples on asking of the page Many reactors by key, copied by hand.

/// Asks another one, which asks back.
private actor Desk: LanedReactor {
  enum Action { case pay(Reply<Int>), refund(Reply<Int>), check(Reply<Int>) }

  let initialState = 0
  let pipeline: ReactorPipeline<Desk>
  private var other: Desk?

  init(_ name: String) { pipeline = ReactorPipeline(named: name) }

  func set(_ desk: Desk?) { other = desk }

  func lane(for action: Action) -> Lane? {
    if case .check = action { nil } else { .sequential("till") }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    guard let other else { return .empty }
    switch action {
    case .pay(let reply): return .run { _ in reply(try await other.ask { .check($0) }) }
    case .check(let reply): return .run { _ in reply(try await other.ask { .refund($0) }) }
    case .refund(let reply):
      reply(1)
      return .empty
    }
  }

  func reduce(state: inout Int, mutation: Int) {}
  nonisolated func report(_ report: ReactorReport) {}
}

/// Prints tickets, or is out of paper.
private struct Printer: Sendable {
  func print(_ seats: Int) async throws -> Ticket { Ticket(room: "hall", seats: seats) }
}

private actor OfficeReactor: Reactor {
  enum Action { case reserve(Int, Reply<Ticket>) }
  enum Mutation { case sold(Int) }
  struct State { var free = 5 }

  let initialState = State()
  let pipeline = Pipeline()
  private let printer = Printer()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .reserve(let seats, let reply):
      guard currentState.free >= seats else {
        reply(throwing: Refusal.soldOut)
        return .empty
      }
      return .run { emit in
        let ticket = try await self.printer.print(seats)
        await emit(.sold(seats))
        reply(ticket)
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .sold(let seats): state.free -= seats
    }
  }
}

@Suite(.bounded) struct AskingPageTests {
  @Test func `asking`() async throws {
    let office = OfficeReactor()
    let ticket = try await office.ask { .reserve(2, $0) }
    #expect(ticket == Ticket(room: "hall", seats: 2))
    await #expect(throws: Refusal.soldOut) { try await office.ask { .reserve(4, $0) } }
  }

  @Test func `asking within a time`() async throws {
    let (office, clock) = (OfficeReactor(), ManualClock())
    let ticket = try await office.ask(within: .seconds(2), clock: clock) { .reserve(2, $0) }
    #expect(ticket.seats == 2)
  }

  @Test func `an ask in a cycle is refused with the text of the page`() async throws {
    let (a, b) = (Desk("a"), Desk("b"))
    await a.set(b)
    await b.set(a)
    let error = await #expect(throws: AskError.self) { try await a.ask { .pay($0) } }
    guard case .failed(let inner) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    // The reactor that finds the cycle comes first in it.
    let steps = [
      "action 0 'check' of \(b.identity)", "action 1 'refund' of \(a.identity)",
      "action 0 'pay' of \(a.identity)",
    ]
    let cycles = steps.indices.map { start in
      (steps[start...] + steps[...start]).joined(separator: " waits for ")
    }
    let texts = cycles.map { "not answered: asks wait for one another: \($0)" }
    #expect(texts.contains { "\(inner)".contains($0) }, "\(inner)")
    await a.set(nil)
    await b.set(nil)
  }
}
