import Reactor
import ReactorComposition
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// Asking, and a registry, in orders that a seed decides.
@Suite(.bounded) struct SimulatedAskTests {
  @Test func `asks are answered in any order, or fail with the reason`() async throws {
    try await simulate(seeds: TestCounts.seeds()) { simulation in
      let (shop, bank) = (Shop(), Shop())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for seats in 0..<6 {
          group.addTask {
            let price = try await shop.ask { .price(seats, of: bank, simulation.clock, $0) }
            #expect(price == seats * 2)
          }
        }
        group.addTask {
          let late = await #expect(throws: AskError.self) {
            try await shop.ask(within: .seconds(1), clock: simulation.clock) { .keep($0) }
          }
          guard case .timedOut = late?.reason else { return #expect(Bool(false), "\(late as Any)") }
        }
        group.addTask {
          let refused = await #expect(throws: AskError.self) {
            try await shop.ask { .cycle(shop, $0) }
          }
          guard case .cycle = refused?.reason else {
            return #expect(Bool(false), "\(refused as Any)")
          }
        }
        await simulation.advance(by: .seconds(10))
        try await group.waitForAll()
      }
    }
  }

  @Test func `a registry has one reactor for each key, in any order`() async throws {
    try await simulate(seeds: TestCounts.seeds()) { simulation in
      let made = Log<Int>()
      let rooms = ReactorRegistry<Int, Shop>(idle: .seconds(1), clock: simulation.clock) { id in
        made.append(id)
        try await simulation.clock.sleep(for: .milliseconds(10))
        return Shop()
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            try await simulation.clock.sleep(for: .milliseconds(300 * number))
            let bank = Shop()
            let price = try await rooms[number % 2].ask {
              .price(number, of: bank, simulation.clock, $0)
            }
            #expect(price == number * 2)
          }
        }
        await simulation.advance(by: .seconds(20))
        try await group.waitForAll()
      }
      // Each is wanted again before it has been idle for long enough.
      #expect(made.entries.sorted() == [0, 1])
      await simulation.advance(by: .seconds(5))
      #expect(rooms.count == 0)
    }
  }

  @Test func `a making that ends as its asker is cancelled leaves nothing in use`() async throws {
    try await simulate(seeds: TestCounts.seeds()) { simulation in
      let rooms = ReactorRegistry<Int, Shop>(idle: .seconds(1), clock: simulation.clock) { _ in
        try await simulation.clock.sleep(for: .seconds(1))
        return Shop()
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          _ = try? await rooms[1].ask(within: .seconds(1), clock: simulation.clock) {
            .half(2, $0)
          }
        }
        group.addTask {
          await withTaskGroup(of: Void.self) { askers in
            askers.addTask { _ = try? await rooms[2].ask { .half(2, $0) } }
            askers.addTask {
              _ = try? await rooms[3].ask(within: .seconds(9), clock: simulation.clock) {
                .half(2, $0)
              }
            }
            try? await simulation.clock.sleep(for: .seconds(1))
            askers.cancelAll()
          }
        }
        await simulation.advance(by: .seconds(1))
        await group.waitForAll()
      }
      await simulation.advance(by: .seconds(5))
      #expect(rooms.count == 0)
    }
  }
}

private actor Shop: Reactor {
  enum Action: Sendable {
    case price(Int, of: Shop, SimulatedClock, Reply<Int>)
    case half(Int, Reply<Int>)
    case keep(Reply<Int>)
    case cycle(Shop, Reply<Int>)
  }

  enum Mutation: Sendable { case kept(Reply<Int>) }

  let initialState: [Reply<Int>] = []
  let pipeline = Pipeline()

  nonisolated func report(_ report: ReactorReport) {}

  func lane(for action: Action) -> Lane? {
    switch action {
    case .price, .cycle: .sequential("desk")
    case .half, .keep: nil
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .price(let seats, let bank, let clock, let reply):
      .run { _ in
        let half = try await bank.ask { .half(seats, $0) }
        try await clock.sleep(for: .milliseconds(5))
        reply(half * 2)
      }
    case .half(let seats, let reply):
      .run { _ in
        await Task.yield()
        reply(seats)
      }
    case .keep(let reply): .just(.kept(reply))
    case .cycle(let shop, let reply):
      .run { _ in
        do {
          reply(try await shop.ask { .cycle(shop, $0) })
        } catch {
          reply(throwing: error)
        }
      }
    }
  }

  func reduce(state: inout [Reply<Int>], mutation: Mutation) {
    switch mutation {
    case .kept(let reply): state.append(reply)
    }
  }
}
