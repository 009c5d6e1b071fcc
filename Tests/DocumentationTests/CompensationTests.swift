import Reactor
import TestLimits
import TestSupport
import Testing

/// The samples of *Expected errors* and *Compensation*, on the page Effects.
@Suite(.bounded) struct CompensationTests {
  private let bank = Bank()
  private let tickets = Tickets()

  private func office() -> Office { Office(tickets, bank) }

  @Test func `sold out is an answer, and no report`() async {
    let office = office()
    #expect(await status(of: .book(2), in: office) == 201)
    #expect(await status(of: .book(9), in: office) == 409)
    #expect(office.reports.problems == [])
  }

  private func status(of action: Office.Action, in office: Office) async -> Int {
    switch await office.outcome(of: action) {
    case .finished: return 201
    case .failed(BookingRefusal.soldOut): return 409
    default: return 500
    }
  }

  @Test func `a cancelled order returns what it has reserved, and the state shows it`() async {
    let office = office()
    let receipt = office.send(.order(2))
    await bank.gate.reached()
    receipt.cancel()
    #expect(await receipt.outcome.isFinished == false)
    await office.send(.book(0)).settled
    #expect(await tickets.free == 5)
    #expect(await office.currentState == Office.State(booked: [0], released: [2]))
    #expect(office.reports.problems == [])
  }

  @Test func `after a stop it returns the seats as well, and the stop lists the order`() async {
    let office = office()
    office.send(.order(2))
    await bank.gate.reached()
    let stopped = office.stop()
    #expect(await stopped.abandoned.flatMap(\.actions).map(\.number.rawValue) == [0])
    await stopped.settled
    #expect(await tickets.free == 5)
    #expect(await office.currentState == Office.State())
    #expect(office.reports.problems == ["actionRefused"])
  }

  @Test func `cancelling a task that waits for a payment does not cancel the payment`() async {
    let office = office()
    let receipt = office.send(.order(2))
    let waiting = Task { await receipt.outcome }
    await bank.gate.reached()
    waiting.cancel()
    guard case .open = await waiting.value else {
      Issue.record("not open")
      return
    }
    bank.gate.open()
    #expect(await receipt.outcome.isFinished)
    #expect(await office.currentState.booked == [2])
  }
}

private enum BookingRefusal: ExpectedError { case soldOut }

private actor Tickets {
  private(set) var free = 5

  func reserve(_ seats: Int) throws -> Bool {
    try Task.checkCancellation()
    guard seats <= free else { return false }
    free -= seats
    return true
  }

  func release(_ seats: Int) { if !Task.isCancelled { free += seats } }
}

private final class Bank: Sendable {
  let gate = Gate()
  func charge(_ seats: Int) async throws { try await gate.wait() }
}

private actor Office: Reactor {
  enum Action { case book(Int), order(Int), released(Int) }
  enum Mutation { case booked(Int), released(Int) }
  struct State: Equatable {
    var booked: [Int] = []
    var released: [Int] = []
  }

  let initialState = State()
  let pipeline = Pipeline()
  let reports = ReportLog()
  private let tickets: Tickets
  private let bank: Bank

  init(_ tickets: Tickets, _ bank: Bank) { (self.tickets, self.bank) = (tickets, bank) }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .book(let seats):
      return .run { emit in
        guard try await self.tickets.reserve(seats) else { throw BookingRefusal.soldOut }
        await emit(.booked(seats))
      }
    case .order(let seats):
      return .run { emit in
        guard try await self.tickets.reserve(seats) else { throw BookingRefusal.soldOut }
        do {
          try await self.bank.charge(seats)
          await emit(.booked(seats))
        } catch {
          await Task { await self.tickets.release(seats) }.value  // not cancelled with this one
          self.send(.released(seats))  // emit(…) would be ignored if this was cancelled
          throw error
        }
      }
    case .released(let seats): return .just(.released(seats))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .booked(let seats): state.booked.append(seats)
    case .released(let seats): state.released.append(seats)
    }
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}
