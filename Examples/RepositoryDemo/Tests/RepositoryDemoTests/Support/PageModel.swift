import Foundation

/// A page as its script stores it: what is shown after each change.
struct PageModel {
  private(set) var regions: [String: String] = [:]
  private(set) var values: [String: String] = [:]
  private(set) var rows: [String] = []
  /// The digest of what it shows.
  private(set) var seen: String?
  /// How many of the changes that it has received were the whole page.
  private(set) var wholes = 0
  private(set) var changes = 0
  /// Where it is, and the body of the screen that it has moved to.
  private(set) var place: Place?
  private(set) var body: String?

  /// The number of rows with repositories.
  var repositories: Int { rows.count { $0.contains("id=\"row-") } }

  struct Place: Decodable, Equatable {
    var address: String
    var index: Int
  }

  struct Double: Error { let id: String }

  /// Applies an event as the script does.
  ///
  /// - Throws: `Double` if it receives what it shows already.
  mutating func apply(_ event: [String: String]) throws {
    guard let id = event["id"], let data = event["data"] else { return }
    if id == seen { throw Double(id: id) }
    seen = id
    changes += 1
    let change = try JSONDecoder().decode(Change.self, from: Data(data.utf8))
    regions.merge(change.regions) { $1 }
    values.merge(change.values) { $1 }
    place = change.place ?? place
    body = change.body ?? body
    if let all = change.all { (rows, wholes) = (all, wholes + 1) }
    guard let list = change.rows else { return }
    let moved = list.moves.map { ($0[1], rows[$0[0]]) }
    let gone = Set(list.deletes + list.moves.map { $0[0] })
    rows = rows.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
    let come = list.inserts.map { ($0.place, $0.html) } + moved
    for (place, html) in come.sorted(by: { $0.0 < $1.0 }) { rows.insert(html, at: place) }
    for update in list.updates { rows[update.place] = update.html }
  }

  private struct Change: Decodable {
    var regions: [String: String]
    var values: [String: String]
    var place: Place?
    var body: String?
    var rows: Rows?
    var all: [String]?
  }

  private struct Rows: Decodable {
    var deletes: [Int]
    var moves: [[Int]]
    var inserts: [Placed]
    var updates: [Placed]
  }

  private struct Placed: Decodable {
    let place: Int
    let html: String

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      (place, html) = (try list.decode(Int.self), try list.decode(String.self))
    }
  }
}
