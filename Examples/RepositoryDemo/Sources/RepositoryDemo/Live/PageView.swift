import Foundation
import ListChanges
import RepositoryCore

/// The content of a page, in the units in which it changes: whole regions, and single rows.
struct PageView: Sendable, Equatable {
  struct Row: Sendable, Equatable, Identifiable {
    let id: String
    let html: HTML
  }

  var title: String
  /// The title of the window.
  var windowTitle: String { title == Self.start ? title : "\(title) · \(Self.start)" }
  static let start = "Repositories"
  /// By the id of the element that contains them.
  var regions: [String: HTML] = [:]
  /// `nil` on a page without a list.
  var rows: [Row]?
  /// The values of fields, which are not updated while the visitor types there.
  var values: [String: String] = [:]

  /// A digest that is equal for two views only if they show the same; used as `Last-Event-ID`.
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

/// The difference between two views: the changed regions, and the inserts, deletes and moves of
/// rows.
struct PageChange: Encodable, Equatable {
  struct Rows: Encodable, Equatable {
    var deletes: [Int]
    /// Pairs of the old position and the new one.
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
  /// All rows, if the current ones are not known.
  var all: [String]?

  /// Everything, for a page whose content is not known.
  init(_ view: PageView) {
    title = view.windowTitle
    regions = view.regions.mapValues(\.text)
    values = view.values
    all = view.rows?.map(\.html.text)
  }

  /// The difference; `nil` if there is none.
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
