import Foundation
import ListChanges
import RepositoryCore

/// The content of a page, in the units in which it changes: whole regions, and single rows.
struct PageView: Sendable, Equatable {
  struct Row: Sendable, Equatable, Identifiable {
    let id: ListRow.ID
    let html: HTML
  }

  /// The screen; another one has another body.
  var route = Route.everything
  /// The address of the page.
  var address = "/"
  /// The position in the browser's history.
  var index = 0
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

  /// The regions around the body, which every page has.
  static let frame: Set = ["tabs", "toast", "banner"]

  /// A digest that is equal for two views only if they show the same; used as `Last-Event-ID`.
  var digest: String {
    var bytes: [UInt8] = []
    func add(_ text: String) {
      bytes += "\(text.utf8.count):\(text)".utf8
    }
    add(address)
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

  /// Where the window is; the script moves the browser's history there.
  struct Place: Encodable, Equatable {
    var address: String
    var index: Int
  }

  var title: String?
  var place: Place?
  /// The whole body, if the window shows another screen.
  var body: String?
  var regions: [String: String] = [:]
  var values: [String: String] = [:]
  var rows: Rows?
  /// All rows, if the current ones are not known.
  var all: [String]?

  /// Everything, for a page whose content is not known.
  ///
  /// - Parameters:
  ///   - view: What the page is to show.
  ///   - body: The body, if the page shows another screen.
  init(_ view: PageView, body: HTML? = nil) {
    title = view.windowTitle
    place = Place(address: view.address, index: view.index)
    values = view.values
    if let body {
      self.body = body.text
      regions = view.regions.filter { PageView.frame.contains($0.key) }.mapValues(\.text)
    } else {
      regions = view.regions.mapValues(\.text)
      all = view.rows?.map(\.html.text)
    }
  }

  /// The difference; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - old: What the page shows.
  ///   - new: What it is to show.
  ///   - body: Renders the body, for another screen.
  init?(from old: PageView, to new: PageView, body: () -> HTML) {
    if old == new { return nil }
    let isMoved = old.route != new.route
    title = old.title == new.title ? nil : new.windowTitle
    if isMoved || (old.address, old.index) != (new.address, new.index) {
      place = Place(address: new.address, index: new.index)
    }
    values = isMoved ? new.values : new.values.filter { old.values[$0.key] != $0.value }
    regions = new.regions.filter { id, html in
      old.regions[id] != html && (!isMoved || PageView.frame.contains(id))
    }.mapValues(\.text)
    if isMoved {
      self.body = body().text
      return
    }
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
