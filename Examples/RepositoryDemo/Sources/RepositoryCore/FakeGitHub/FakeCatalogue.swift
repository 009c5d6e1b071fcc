import Foundation

/// Generated repositories, the most starred first.
struct FakeCatalogue: Sendable {
  let all: [Repository]
  private let byID: [RepositoryID: Repository]
  private let seed: UInt64

  init(seed: UInt64, count: Int) {
    self.seed = seed
    var dice = Dice(seed: seed)
    var byID: [RepositoryID: Repository] = [:]
    while byID.count < count {
      guard let one = dice.repository(), byID[one.id] == nil else { continue }
      byID[one.id] = one
    }
    self.byID = byID
    all = byID.values.sorted { ($1.stars, $0.id.description) < ($0.stars, $1.id.description) }
  }

  /// Returns a repository of the catalogue, or one of a user's own.
  func repository(_ id: RepositoryID) -> Repository? {
    byID[id] ?? repositories(of: id.owner).first { $0.id == id }
  }

  /// Returns a user's own repositories, the newest first: those of the catalogue, or generated ones
  /// for any other name.
  func repositories(of user: String) -> [Repository] {
    let known = all.filter { $0.id.owner == user }
    var found = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0) })
    if known.isEmpty {
      var dice = Dice(seed: user.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
      let count = 34 + Int(dice.next() % 30)
      while found.count < count {
        guard let one = dice.repository(of: user) else { return [] }
        found[one.id] = one
      }
    }
    return found.values.sorted {
      ($1.updated, $0.id.description) < ($0.updated, $1.id.description)
    }
  }

  /// Returns the repositories that contain every word of a text; `user:` and `stars:` are GitHub's
  /// qualifiers.
  func matching(_ text: String) -> [Repository] {
    let words = text.lowercased().split(separator: " ").filter { !$0.hasPrefix("stars:") }
    if words.isEmpty { return all }
    return all.filter { one in
      words.allSatisfy { word in
        if word.hasPrefix("user:") { return one.id.owner.lowercased() == word.dropFirst(5) }
        return one.id.description.lowercased().contains(word)
          || one.summary?.lowercased().contains(word) == true
          || one.language?.lowercased() == String(word) || one.topics.contains(String(word))
      }
    }
  }
}

/// Random numbers that are the same each time (SplitMix64).
package struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  package mutating func one<Value>(of values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }

  mutating func repository() -> Repository? {
    let owner = one(of: Words.owners)
    return repository(of: owner)
  }

  mutating func repository(of owner: String) -> Repository? {
    let subject = one(of: Words.subjects)
    let name = "\(one(of: Words.names))-\(subject)"
    guard let id = RepositoryID(owner: owner, name: name) else { return nil }
    // Few repositories have many stars.
    let fame = Double(next() % 10_000) / 10_000
    let most = Words.owners.contains(owner) ? 180_000.0 : 900.0
    let stars = Int(most * fame * fame * fame * fame * fame) + Int(next() % 40)
    let summary: String? =
      next() % 15 == 0
      ? nil
      : "\(one(of: Words.adjectives)) \(one(of: Words.kinds)) for \(Words.plural(subject)) "
        + one(of: Words.purposes)
    return Repository(
      id: id, summary: next() % 60 == 0 ? one(of: Words.foreign) : summary,
      language: next() % 12 == 0 ? nil : one(of: Words.languages), stars: stars,
      forks: stars / Int(4 + next() % 9), openIssues: Int(next() % 400),
      license: next() % 8 == 0 ? nil : one(of: ["MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0"]),
      topics: [subject, one(of: Words.topics)],
      updated: Date(timeIntervalSince1970: 1_735_000_000 + Double(next() % 50_000_000)))
  }
}

private enum Words {
  static let owners = [
    "alder-works", "bright-harbour", "cobalt-labs", "delta-nine", "evergreen-io", "fjord",
    "granite-tools", "hollow-oak", "ink-and-iron", "juniper", "kestrel-dev", "lantern",
    "meadowlark", "northwind", "open-orchard", "pale-blue", "quartz", "riverbend", "saltmarsh",
    "tidepool", "umbra", "violet-hour", "wren", "yarrow", "zephyr-systems",
  ]
  static let names = [
    "amber", "beacon", "cinder", "drift", "ember", "flint", "glade", "harbor", "iris", "jade",
    "kindle", "loom", "moss", "nimbus", "opal", "pebble", "quill", "ridge", "slate", "thistle",
    "umber", "velvet", "willow", "zenith",
  ]
  static let subjects = [
    "actors", "parser", "router", "cache", "queue", "charts", "editor", "crypto", "shell",
    "layout", "logger", "sync", "search", "images", "markdown", "maps", "audio", "forms",
  ]
  static func plural(_ subject: String) -> String {
    switch subject {
    case "parser", "router", "editor", "shell", "logger", "cache", "queue": "\(subject)s"
    case "layout": "layouts"
    case "crypto": "ciphers"
    case "sync": "things that must agree"
    case "search": "searching"
    case "markdown": "Markdown"
    default: subject
    }
  }
  static let kinds = ["library", "toolkit", "engine", "framework", "set of parts"]
  static let adjectives = [
    "A small", "A fast", "A friendly", "The missing", "An opinionated", "A well-tested",
    "A tiny, dependency-free", "A type-safe", "An event-driven", "A boring, reliable",
  ]
  static let purposes = [
    "in servers that never sleep", "with a calm interface", "that does one thing", "of any size",
    "built on structured concurrency", "with an eye on memory", "in live pages",
    "that you can understand in an afternoon", "in very large numbers",
  ]
  static let topics = [
    "tools", "server", "mobile", "data", "graphics", "testing", "web", "embedded",
  ]
  static let languages = [
    "Swift", "Rust", "Go", "TypeScript", "Python", "Kotlin", "C", "C++", "Ruby", "Zig", "Elixir",
  ]
  /// Text from right to left, text in wide characters, and text with HTML markup.
  static let foreign = [
    "مكتبة صغيرة وسريعة لقراءة البيانات", "並行処理のための小さなライブラリ",
    "ספרייה קטנה לבניית ממשקים",
    "Parses <b>everything</b> & \"more\" — even <script>alert(1)</script>",
  ]
}
