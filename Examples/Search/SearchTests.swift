import Reactor
import ReactorTesting
import Testing

@testable import Search

struct SearchTests {
  @Test func `only what is typed last is searched for, once the keys rest`() async throws {
    try await simulate { simulation in
      let test = await search(in: simulation)

      await test.send(.type("s")) { ($0.text, $0.isSearching) = ("s", true) }
      await test.advance(by: .milliseconds(299))
      await test.send(.type("sw")) { $0.text = "sw" }
      await test.receiveReport { $0.isRoutine }  // the search for "s" never started
      await test.advance(by: .milliseconds(300))
      await test.receive(.search)
      await test.advance(by: .seconds(1))
      await test.receive(.find(["Swift", "Sword"], of: "sw")) {
        ($0.results, $0.isSearching) = (["Swift", "Sword"], false)
      }
      await test.finish()
    }
  }

  @Test func `what is found too late is not shown under another text`() async throws {
    try await simulate { simulation in
      let test = await search(in: simulation)

      await test.send(.type("sw")) { ($0.text, $0.isSearching) = ("sw", true) }
      await test.advance(by: .milliseconds(300))
      await test.receive(.search)
      await test.advance(by: .milliseconds(900))
      await test.send(.type("swi")) { $0.text = "swi" }
      await test.advance(by: .milliseconds(100))
      await test.receive(.find(["Swift", "Sword"], of: "sw"))
      #expect(test.state.line == "[swi] searching …")
      await test.advance(by: .milliseconds(200))
      await test.receive(.search)
      await test.advance(by: .seconds(1))
      await test.receive(.find(["Swift"], of: "swi")) {
        ($0.results, $0.isSearching) = (["Swift"], false)
      }
      await test.send(.type("s")) { ($0.text, $0.isSearching) = ("s", true) }
      #expect(test.state.line == "[s] searching …")
      await test.advance(by: .milliseconds(300))
      await test.receive(.search)
      await test.advance(by: .seconds(1))
      await test.receive(.find(["Swift", "Sword"], of: "s")) {
        ($0.results, $0.isSearching) = (["Swift", "Sword"], false)
      }
      await test.finish()
    }
  }

  @Test func `it is tried three times before somebody has to try again`() async throws {
    try await simulate { simulation in
      let test = await search(failures: 3, in: simulation)

      await test.send(.type("sw")) { ($0.text, $0.isSearching) = ("sw", true) }
      await test.advance(by: .milliseconds(300))
      await test.receive(.search)
      // three attempts of one second, with pauses of one and two
      await test.advance(by: .seconds(6))
      await test.receive(.fail("the shelf is locked", of: "sw")) {
        ($0.isSearching, $0.failure) = (false, "the shelf is locked")
      }

      await test.send(.type("swo")) { ($0.text, $0.isSearching, $0.failure) = ("swo", true, nil) }
      await test.send(.search)
      await test.receiveReport { $0.isRoutine }  // one search is enough
      await test.advance(by: .milliseconds(300))
      await test.receive(.search)
      await test.advance(by: .seconds(1))
      await test.receive(.find(["Sword"], of: "swo")) {
        ($0.results, $0.isSearching) = (["Sword"], false)
      }
      await test.finish()
    }
  }

  @Test func `what is chosen goes out, and changes nothing`() async throws {
    try await simulate { simulation in
      let test = await search(in: simulation)

      await test.send(.type("sw")) { ($0.text, $0.isSearching) = ("sw", true) }
      await test.advance(by: .milliseconds(300))
      await test.receive(.search)
      await test.advance(by: .seconds(1))
      await test.receive(.find(["Swift", "Sword"], of: "sw")) {
        ($0.results, $0.isSearching) = (["Swift", "Sword"], false)
      }
      await test.send(.choose(1))
      await test.receiveOutput(.chosen("Sword"))
      await test.send(.choose(2))  // there is no third
      await test.finish()
    }
  }

  private func search(
    failures: Int = 0, in simulation: Simulation
  ) async -> ReactorTest<SearchReactor> {
    let shelf = Shelf(failures: failures, clock: simulation.clock)
    return await ReactorTest(SearchReactor(shelf, clock: simulation.clock), in: simulation)
  }
}

/// Takes a second for each answer, fails a number of times, and then has two books.
private actor Shelf: Catalogue {
  private var failures: Int
  private let clock: any Clock<Duration>

  init(failures: Int, clock: any Clock<Duration>) {
    self.failures = failures
    self.clock = clock
  }

  func titles(with text: String) async throws -> [String] {
    try await clock.sleep(for: .seconds(1))
    guard failures == 0 else {
      failures -= 1
      throw Locked()
    }
    return ["Swift", "Sword"].filter { $0.lowercased().contains(text) }
  }
}

private struct Locked: Error, CustomStringConvertible {
  var description: String { "the shelf is locked" }
}
