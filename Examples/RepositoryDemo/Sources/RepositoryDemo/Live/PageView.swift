import Foundation
import ListChanges
import RepositoryCore

/// What a page shows, in the pieces in which it changes: regions as a whole, rows one by one.
struct PageView: Sendable, Equatable {
  struct Row: Sendable, Equatable, Identifiable {
    let id: String
    let html: HTML
  }

  var title: String
  /// What the window is called.
  var windowTitle: String { title == Self.start ? title : "\(title) · \(Self.start)" }
  static let start = "Repositories"
  /// By the id of the element that they are in.
  var regions: [String: HTML] = [:]
  /// `nil` on a page without a list.
  var rows: [Row]?
  /// What fields hold, unless somebody types there.
  var values: [String: String] = [:]

  /// Of two views the same only if they show the same: what `Last-Event-ID` is.
  var digest: String {
    var bytes: [UInt8] = []
    func add(_ text: String) {
      bytes += "\(text.utf8.count):\(text)".utf8
    }
    add(title)
    for (id, html) in regions.sorted(by: { $0.key < $1.key }) {
      add(id)
      add(html.text)
    }
    for row in rows ?? [] { add(row.html.text) }
    for (id, value) in values.sorted(by: { $0.key < $1.key }) {
      add(id)
      add(value)
    }
    return Digest.sha256(bytes).prefix(9).hexadecimal
  }
}

/// What makes of one view the next: the regions that differ, and the rows that come, go and move.
struct PageChange: Encodable, Equatable {
  struct Rows: Encodable, Equatable {
    var deletes: [Int]
    /// From the old place to the new one.
    var moves: [[Int]]
    var inserts: [Placed]
    var updates: [Placed]
  }

  /// `[3, "<li>…"]`.
  struct Placed: Encodable, Equatable {
    var place: Int
    var html: String

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(place)
      try list.encode(html)
    }
  }

  var title: String?
  var regions: [String: String] = [:]
  var values: [String: String] = [:]
  var rows: Rows?
  /// All rows, where nobody knows what is there.
  var all: [String]?

  /// Everything, for a page that shows who knows what.
  init(_ view: PageView) {
    title = view.windowTitle
    regions = view.regions.mapValues(\.text)
    values = view.values
    all = view.rows?.map(\.html.text)
  }

  /// What is different; `nil` if nothing is.
  init?(from old: PageView, to new: PageView) {
    if old == new { return nil }
    title = old.title == new.title ? nil : new.windowTitle
    regions = new.regions.filter { old.regions[$0.key] != $0.value }.mapValues(\.text)
    values = new.values.filter { old.values[$0.key] != $0.value }
    guard let oldRows = old.rows, let newRows = new.rows, oldRows != newRows else { return }
    guard let changes = try? ListChanges(from: oldRows, to: newRows) else {
      all = newRows.map(\.html.text)
      return
    }
    rows = Rows(
      deletes: changes.deletes, moves: changes.moves.map { [$0.old, $0.new] },
      inserts: changes.inserts.map { Placed(place: $0, html: newRows[$0].html.text) },
      updates: changes.updates.map { Placed(place: $0.new, html: newRows[$0.new].html.text) })
  }
}
