import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import RepositoryCore
import Testing

@Suite(.timeLimit(.minutes(2))) struct DetailTests {
  private let swift = one("apple/swift")

  @Test func `facts, README and neighbours are shown together`() async throws {
    try await simulate { [swift] simulation in
      let github = StandIn(simulation.clock)
      let detail = DetailReactor(swift.id, github) { "<h1>\($0)</h1>" }
      let test = await ReactorTest(detail, in: simulation)
      await test.send(.appear) { $0.isLoading = true }
      await test.advance(by: .seconds(1))
      await test.receive { state in
        (state.repository, state.readme) = (swift, "<h1># swift</h1>")
        (state.neighbours, state.isLoading) = ([one("apple/other")], false)
      }
      await test.send(.appear)
      await test.finish()
    }
  }

  @Test func `a failure is shown, and can be retried`() async throws {
    try await simulate { [swift] simulation in
      let github = StandIn(simulation.clock)
      github.fails(.offline, .offline)
      let test = await ReactorTest(DetailReactor(swift.id, github) { $0 }, in: simulation)
      await test.send(.appear) { $0.isLoading = true }
      await test.advance(by: .seconds(1))
      await test.receive { ($0.isLoading, $0.failure) = (false, .offline) }
      await test.send(.refresh) { ($0.isLoading, $0.failure) = (true, nil) }
      await test.advance(by: .seconds(1))
      await test.receive { state in
        (state.repository, state.readme) = (swift, "# swift")
        (state.neighbours, state.isLoading) = ([one("apple/other")], false)
      }
      await test.finish()
    }
  }

  @Test func `a repository that does not exist is requested again only on demand`() async throws {
    try await simulate { [swift] simulation in
      let github = StandIn(simulation.clock)
      github.fails(.notFound, .notFound)
      let test = await ReactorTest(DetailReactor(swift.id, github) { $0 }, in: simulation)
      await test.send(.appear) { $0.isLoading = true }
      await test.advance(by: .seconds(1))
      await test.receive { ($0.isLoading, $0.failure) = (false, .notFound) }
      await test.send(.appear)
      await test.send(.refresh) { ($0.isLoading, $0.failure) = (true, nil) }
      await test.advance(by: .seconds(1))
      await test.receive { state in
        (state.repository, state.readme) = (swift, "# swift")
        (state.neighbours, state.isLoading) = ([one("apple/other")], false)
      }
      await test.finish()
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct SettingsTests {
  @Test func `every change is acknowledged, also one to the same value`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(SettingsReactor(), in: simulation)
      for theme in [SettingsReactor.Theme.dark, .dark] {
        await test.send(.setTheme(theme)) {
          $0.theme = theme
          $0.saved = "The colours are saved."
        }
      }
      await test.send(.setAnnouncements(false)) {
        $0.showsAnnouncements = false
        $0.saved = "Announcements are off."
      }
      await test.finish()
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct FavouritesTests {
  private let day = Date(timeIntervalSince1970: 86_400)

  @Test func `a star is stored, and can be undone after a restart`() async throws {
    let journal = try await Journal(.inMemory)
    let open = { [day] in try await journal.open("ada") { FavouritesReactor(user: "ada") { day } } }
    var favourites = try await open()
    for name in ["a/one", "a/two"] { await favourites.send(.add(one(name))).settled }
    await favourites.send(.remove(one("a/one").id)).settled
    await favourites.stop().settled

    favourites = try await open()
    #expect(await favourites.currentState.favourites.map(\.id.name) == ["two"])
    #expect(try await favourites.undo())
    #expect(await favourites.currentState.favourites.map(\.id.name) == ["one", "two"])
  }

  @Test func `a star that is given twice counts once`() async throws {
    let journal = try await Journal(.inMemory)
    let favourites = try await journal.open("ada") { FavouritesReactor(user: "ada") }
    await favourites.send(.add(one("a/one"))).settled
    await favourites.send(.add(one("a/one"))).settled
    #expect(await favourites.currentState.favourites.count == 1)
  }
}
