import Foundation
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// The date, the random numbers and the identifiers of a simulation.
@Suite(.bounded) struct SimulatedValuesTests {
  @Test func `the date follows the clock`() async throws {
    try await simulate { simulation in
      #expect(simulation.date == Date(timeIntervalSinceReferenceDate: 0))
      await simulation.advance(by: .milliseconds(1500))
      #expect(simulation.date == Date(timeIntervalSinceReferenceDate: 1.5))
    }
  }

  @Test func `identifiers count`() async throws {
    try await simulate { simulation in
      #expect(simulation.identifiers.next() == 1)
      let id = simulation.identifiers.nextUUID()
      #expect("\(id)" == "00000000-0000-0000-0000-000000000002")
    }
  }

  @Test func `random numbers depend on the seed alone`() async throws {
    let numbers = Mutex<[UInt64: Set<[Int]>]>([:])
    for _ in 1...2 {
      try await simulate(seeds: 0...3) { simulation in
        var random = simulation.random
        let drawn = (1...5).map { _ in Int.random(in: 1...1_000_000, using: &random) }
        numbers.withLock { _ = $0[simulation.seed, default: []].insert(drawn) }
      }
    }
    numbers.withLock { numbers in
      #expect(numbers.values.allSatisfy { $0.count == 1 })
      #expect(Set(numbers.values.flatMap(\.self)).count == 4)
    }
  }

  @Test func `a copy continues the numbers`() {
    let random = SimulatedRandom(seed: 7)
    let copy = random
    let all = [random.next(), copy.next(), random.next()]
    let other = SimulatedRandom(seed: 7)
    #expect(all == [other.next(), other.next(), other.next()])
  }
}
