import Foundation
import Reactor
import ReactorTesting
import RepositoryCore
import Testing

/// The client with the fake: the same code as over the network.
@Suite(.timeLimit(.minutes(2))) struct GitHubTests {
  private let start = Date(timeIntervalSince1970: 1_000_000)

  private func github(
    _ weather: Weather = .fine, perMinute: Int = 1000,
    _ body: @escaping @Sendable (any GitHub, Simulation) async throws -> Void
  ) async throws {
    try await simulate { [start] simulation in
      let fake = FakeGitHub(
        seed: 1, count: 2000, station: WeatherStation(weather), perMinute: perMinute,
        clock: simulation.clock, now: { start })
      try await body(GitHubClient(fake, clock: simulation.clock, now: { start }), simulation)
    }
  }

  @Test func `the same seed makes the same repositories, another one others`() async throws {
    try await simulate { simulation in
      var pages: [RepositoryPage] = []
      for seed in [1, 1, 2] as [UInt64] {
        let fake = FakeGitHub(seed: seed, count: 500, clock: simulation.clock)
        pages.append(
          try await GitHubClient(fake, clock: simulation.clock).repositories(matching: "", page: 1))
      }
      #expect(pages[0] == pages[1])
      #expect(pages[0].items != pages[2].items)
      #expect(pages[0].items.count == 30)
    }
  }

  @Test func `pages follow one another, and end where GitHub's do`() async throws {
    try await github { github, _ in
      var page: Int? = 1
      var all: Set<RepositoryID> = []
      while let number = page {
        let found = try await github.repositories(matching: "", page: number)
        all.formUnion(found.items.map(\.id))
        page = found.next
      }
      #expect(all.count == 1020)
    }
  }

  @Test func `a search finds repositories that contain all of its words`() async throws {
    try await github { github, _ in
      let found = try await github.repositories(matching: "swift parser", page: 1)
      #expect(!found.items.isEmpty)
      for one in found.items {
        #expect(
          "\(one.id) \(one.language ?? "") \(one.summary ?? "")".lowercased().contains("swift"))
      }
      #expect(try await github.repositories(matching: "nothing-has-this", page: 1).total == 0)
    }
  }

  @Test func `a repository has facts, a README and neighbours`() async throws {
    try await github { github, _ in
      let first = try #require(try await github.repositories(matching: "", page: 1).items.first)
      #expect(try await github.repository(first.id) == first)
      #expect(try await github.readme(of: first.id)?.contains(first.id.name) == true)
      let neighbours = try await github.neighbours(of: first.id)
      #expect(neighbours.allSatisfy { $0.id.owner == first.id.owner && $0.id != first.id })
      await #expect(throws: GitHubError.notFound) {
        try await github.repository(one("nobody/nothing").id)
      }
    }
  }

  @Test func `a user's own repositories are theirs, and how many is known at the end`() async throws
  {
    try await github { github, _ in
      let first = try await github.repositories(of: "ada", page: 1)
      #expect(first.items.count == 30)
      #expect((first.total, first.next) == (nil, 2))
      let second = try await github.repositories(of: "ada", page: 2)
      #expect((second.total, second.next) == (30 + second.items.count, nil))
      let all = first.items + second.items
      #expect(Set(all.map(\.id)).count == second.total)
      #expect(all.allSatisfy { $0.id.owner == "ada" })
      #expect(all.map(\.updated) == all.map(\.updated).sorted(by: >))
      // Each of them is a repository like any other.
      let last = try #require(all.last)
      #expect(try await github.repository(last.id) == last)
      #expect(try await github.repositories(of: "bob", page: 1).items != first.items)
    }
  }

  @Test func `the own repositories of an owner in the catalogue are those of the catalogue`()
    async throws
  {
    try await github { github, _ in
      let own = try await github.repositories(of: "fjord", page: 1).items
      let found = try await github.repositories(matching: "user:fjord", page: 1)
      #expect(found.total.map { $0 > own.count } == true)
      for one in own { #expect(try await github.repository(one.id) == one) }
    }
  }

  @Test func `a name that cannot be part of a path is no user`() async throws {
    try await github { github, _ in
      await #expect(throws: GitHubError.notFound) {
        try await github.repositories(of: "a/../b", page: 1)
      }
    }
  }

  @Test(arguments: [
    (Weather.offline, GitHubError.offline), (.failing, .response(status: 502)),
    (.garbled, .unreadable),
    (.limited, .rateLimited(until: Date(timeIntervalSince1970: 1_000_020))),
  ])
  func `each failure has an error of its own`(weather: Weather, error: GitHubError) async throws {
    try await github(weather) { github, _ in
      await #expect(throws: error) { try await github.repositories(matching: "", page: 1) }
    }
  }

  @Test func `a caller that exceeds the rate limit gets the time when it ends`() async throws {
    try await github(perMinute: 2) { [start] github, _ in
      for _ in 1...2 { _ = try await github.repositories(matching: "", page: 1) }
      await #expect(throws: GitHubError.rateLimited(until: start.addingTimeInterval(60))) {
        try await github.repositories(matching: "", page: 1)
      }
    }
  }

  @Test func `an answer that takes too long is an error`() async throws {
    try await simulate { simulation in
      let fake = FakeGitHub(latency: .seconds(11), clock: simulation.clock)
      let client = GitHubClient(fake, clock: simulation.clock)
      // A child task, since an unstructured task would not be part of the simulation.
      async let answer = client.repositories(matching: "", page: 1)
      await simulation.advance(by: .seconds(10))
      do {
        let page = try await answer
        Issue.record("it was answered with \(page.items.count)")
      } catch {
        #expect(error as? GitHubError == .slow)
      }
      await simulation.advanceToEnd()
    }
  }

  @Test(arguments: ["a", "a/b/c", "/b", "a/", "a/..", "a b/c", "a/b?x", "ä/b", "-a_/b", "a/b%2f"])
  func `a text that is no repository name is refused`(text: String) {
    #expect(RepositoryID(text) == nil)
  }
}
