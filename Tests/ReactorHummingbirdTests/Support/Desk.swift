import Reactor
import TestSupport

/// A ticket desk: what a service's reactor is like, with a gate where its effects wait.
actor Desk: Reactor {
  enum Action: Decodable, Sendable {
    case add(Int)
    case work(Int)
    case refuse
    case fail
    case buy(Int, Reply<Ticket>)
  }

  struct State: Sendable, Encodable, Equatable { var sold = 0 }

  struct Ticket: Codable, Sendable, Equatable {
    var seats: Int
    var total: Int
  }

  struct Order: Codable, Sendable { var seats: Int }

  enum Refusal: ExpectedError { case soldOut }

  typealias Mutation = Int

  nonisolated let initialState = State()
  nonisolated let pipeline: Pipeline
  nonisolated let gate = Gate()
  /// What its effects have come to: `began 3`, `ended 3`, `cancelled 3`.
  nonisolated let log = Log<String>()
  nonisolated let released: Gate

  init(inboxLimit: Int = .max, released: Gate = Gate()) {
    pipeline = Pipeline(inboxLimit: inboxLimit)
    self.released = released
  }

  deinit { released.open() }

  func lane(for action: Action) -> Lane? {
    if case .refuse = action {
      .sequential("refusing", waitingLimit: 1)
    } else {
      nil
    }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add(let seats): return .just(seats)
    case .work(let seats):
      return .run { emit in
        try await self.work(seats)
        await emit(seats)
      }
    case .refuse: return .run { _ in throw Refusal.soldOut }
    case .fail: return .run { _ in throw Failure(number: 42) }
    case .buy(let seats, let reply):
      return .run { emit in
        guard seats > 0 else { throw Refusal.soldOut }
        try await self.work(seats)
        await emit(seats)
        reply(Ticket(seats: seats, total: self.currentState.sold))
      }
    }
  }

  private func work(_ seats: Int) async throws {
    log.append("began \(seats)")
    do {
      try await gate.wait()
      log.append("ended \(seats)")
    } catch {
      log.append("cancelled \(seats)")
      throw error
    }
  }

  func reduce(state: inout State, mutation: Int) { state.sold += mutation }

  nonisolated func report(_ report: ReactorReport) {}
}
