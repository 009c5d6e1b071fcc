package import Foundation

/// GitHub's name of a repository: `apple/swift`.
///
/// It is validated when it is created from text, so that it can be part of a path safely.
package struct RepositoryID: Hashable, Codable, LosslessStringConvertible {
  package let owner: String
  package let name: String

  package init?(owner: String, name: String) {
    let letters = { (text: String, more: String) in
      text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: more.utf8.contains(byte)
        }
      }
    }
    guard (1...39).contains(owner.utf8.count), (1...100).contains(name.utf8.count),
      letters(owner, "-"), letters(name, "-._"), name != ".", name != ".."
    else { return nil }
    self.owner = owner
    self.name = name
  }

  package init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(owner: String(parts[0]), name: String(parts[1]))
  }

  package var description: String { "\(owner)/\(name)" }
}

/// The fields of a repository that the screens show.
package struct Repository: Identifiable, Hashable, Codable {
  package let id: RepositoryID
  package var summary: String?
  package var language: String?
  package var stars: Int
  package var forks: Int
  package var openIssues: Int
  package var license: String?
  package var topics: [String]
  package var updated: Date

  package init(
    id: RepositoryID, summary: String? = nil, language: String? = nil, stars: Int = 0,
    forks: Int = 0, openIssues: Int = 0, license: String? = nil, topics: [String] = [],
    updated: Date = Date(timeIntervalSince1970: 0)
  ) {
    (self.id, self.summary, self.language, self.stars) = (id, summary, language, stars)
    (self.forks, self.openIssues, self.license) = (forks, openIssues, license)
    (self.topics, self.updated) = (topics, updated)
  }
}

/// One page of a list.
package struct RepositoryPage: Equatable {
  package var items: [Repository]
  /// The number of repositories on all pages; `nil` if GitHub has not sent it.
  package var total: Int?
  /// The number of the next page; `nil` if this is the last.
  package var next: Int?

  package init(items: [Repository], total: Int?, next: Int?) {
    (self.items, self.total, self.next) = (items, total, next)
  }
}
