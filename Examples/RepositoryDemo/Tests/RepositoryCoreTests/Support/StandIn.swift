import Foundation
import RepositoryCore
import Synchronization

/// A GitHub for tests: every answer takes a second, and as many fail as the test has set.
///
/// A search has three pages of two. Holds: `state`, guarded by its own lock.
final class StandIn: GitHub {
  private let state = Mutex((failures: [GitHubError](), asked: [String]()))
  private let clock: any Clock<Duration>

  init(_ clock: any Clock<Duration>) { self.clock = clock }

  func fails(_ failures: GitHubError...) { state.withLock { $0.failures = failures } }

  /// The requests, in order.
  var asked: [String] { state.withLock { $0.asked } }

  func repositories(matching text: String, page: Int) async throws -> RepositoryPage {
    try await answer("\(text)/\(page)")
    return Self.page(text, page)
  }

  func repositories(of user: String, page: Int) async throws -> RepositoryPage {
    try await answer("of \(user)/\(page)")
    return Self.ownPage(user, page)
  }

  func repository(_ id: RepositoryID) async throws -> Repository {
    try await answer("\(id)")
    return Repository(id: id)
  }

  func readme(of id: RepositoryID) async throws -> String? {
    try await answer("readme")
    return "# \(id.name)"
  }

  func neighbours(of id: RepositoryID) async throws -> [Repository] {
    try await clock.sleep(for: .seconds(1))
    return [one("\(id.owner)/other")]
  }

  private func answer(_ question: String) async throws {
    state.withLock { $0.asked.append(question) }
    try await clock.sleep(for: .seconds(1))
    let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
    if let failure { throw failure }
  }

  /// Two pages of two; how many there are is known on the last one.
  static func ownPage(_ user: String, _ page: Int) -> RepositoryPage {
    RepositoryPage(
      items: (0..<2).map { one("\(user)/own-\((page - 1) * 2 + $0)") }, total: page < 2 ? nil : 4,
      next: page < 2 ? 2 : nil)
  }

  static func page(_ text: String, _ page: Int) -> RepositoryPage {
    let name = text.isEmpty ? "all" : text
    return RepositoryPage(
      items: (0..<2).map { one("a/\(name)-\((page - 1) * 2 + $0)") }, total: 6,
      next: page < 3 ? page + 1 : nil)
  }
}

func one(_ name: String) -> Repository {
  guard let id = RepositoryID(name) else { fatalError("'\(name)' is no repository's name") }
  return Repository(id: id)
}
