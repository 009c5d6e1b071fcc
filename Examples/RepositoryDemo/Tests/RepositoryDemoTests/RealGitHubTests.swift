import Hummingbird
import RepositoryCore
import Testing

@testable import RepositoryDemo

/// The pages with a GitHub over a socket, instead of the one in the program.
@Suite(.timeLimit(.minutes(2))) struct RealGitHubTests {
  private typealias Answers = DocumentedAnswers

  @Test func `a list is one of what GitHub has found`() async throws {
    try await SocketGitHub.listening { _ in
      Response(github: .ok, Answers.search(Answers.repository(), Answers.bare))
    } _: { github, address in
      try await demo({ ($0.github, $0.token) = (address, "secret") }) { client in
        let visitor = Visitor(client)
        var page = try await visitor.get("/?q=hello")
        // A page waits for its data, but not for long.
        while page.text.contains("Searching for") { page = try await visitor.get("/?q=hello") }
        for part in ["row-octocat/Hello-World", "row-octocat/bare", "2 repositories for “hello”"] {
          #expect(page.text.contains(part))
        }
        #expect(Set(github.asked.map { $0.header("Authorization") }) == ["Bearer secret"])
        // There is no switch here that makes requests fail.
        let settings = try await Visitor(client).get("/settings")
        #expect(!settings.text.contains("What goes wrong"))
      }
    }
  }

  @Test func `a renamed repository is shown and starred by its own name`() async throws {
    try await SocketGitHub.listening { question in
      // The case of the name differs, as after a redirect by GitHub.
      if question.path.hasPrefix("/search") {
        return Response(github: .ok, Answers.search(Answers.repository(), Answers.bare))
      }
      return Response(github: .ok, question.path.hasSuffix("readme") ? "" : Answers.repository())
    } _: { _, address in
      try await demo({ $0.github = address }) { client in
        let (visitor, path) = (Visitor(client), "/repositories/OctoCat/hello-world")
        try await visitor.logIn()
        try await visitor.get(path)
        try await visitor.post("/actions/reload", ["repository": "OctoCat/hello-world"])
        let id = try #require(try await visitor.get(path).value(after: "id=\"star-"))
        #expect(id == "octocat/Hello-World")

        try await visitor.post("/actions/favour", ["repository": "OctoCat/hello-world"])
        let page = try await visitor.get(path)
        #expect(page.value(after: "value=\"\(id)\" aria-pressed=\"") == "true")
        // A repository is not its own neighbour.
        #expect(!page.text.contains("href=\"/repositories/octocat/Hello-World\""))
        try await visitor.post("/actions/unfavour", ["repository": id])
        #expect(try await visitor.get("/favourites").text.contains("No favourites yet"))
      }
    }
  }
}
