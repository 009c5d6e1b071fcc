import Foundation

// The parts of GitHub's answers that are decoded.

struct SearchBody: Codable {
  var totalCount: Int
  var items: [RepositoryBody]
}

struct RepositoryBody: Codable {
  struct License: Codable { var spdxId: String? }

  var fullName: String
  var description: String?
  var language: String?
  var stargazersCount: Int
  var forksCount: Int?
  var openIssuesCount: Int?
  var license: License?
  var topics: [String]?
  var updatedAt: Date

  /// `nil` if the name is not valid for a repository.
  var repository: Repository? {
    RepositoryID(fullName).map {
      Repository(
        id: $0, summary: description, language: language, stars: stargazersCount,
        forks: forksCount ?? 0, openIssues: openIssuesCount ?? 0, license: license?.spdxId,
        topics: topics ?? [], updated: updatedAt)
    }
  }

  init(_ repository: Repository) {
    fullName = repository.id.description
    description = repository.summary
    language = repository.language
    stargazersCount = repository.stars
    forksCount = repository.forks
    openIssuesCount = repository.openIssues
    license = repository.license.map { License(spdxId: $0) }
    topics = repository.topics
    updatedAt = repository.updated
  }
}
