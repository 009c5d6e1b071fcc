@testable import TaskListDemo
@testable import TaskStore

/// The tasks as plain arrays: what the database must be equal to.
///
/// It keeps every state it was in, which is all it needs to take a step back.
struct ModelList: Equatable {
  struct Section: Equatable {
    var name: String
    var tasks: [Item]
  }

  struct Item: Equatable {
    let id: Int64
    var title: String
    var memo: String?
    var isDone: Bool
  }

  var sections: [Section] = []

  var items: [Item] { sections.flatMap(\.tasks) }
  var ids: [Int64] { items.map(\.id) }

  mutating func add(_ item: Item, to name: String) {
    if let index = sections.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
      sections[index].tasks.append(item)
    } else {
      sections.append(Section(name: name, tasks: [item]))
    }
  }

  mutating func change(_ id: Int64, _ body: (inout Item) -> Void) {
    for section in sections.indices {
      for row in sections[section].tasks.indices where sections[section].tasks[row].id == id {
        body(&sections[section].tasks[row])
      }
    }
  }

  mutating func remove(where isRemoved: (Item) -> Bool) {
    for section in sections.indices { sections[section].tasks.removeAll(where: isRemoved) }
  }

  /// To the row of another: that is what it means on the list that a person sees.
  mutating func move(_ id: Int64, to other: Int64) {
    guard id != other, let start = ids.firstIndex(of: id), let end = ids.firstIndex(of: other),
      let joined = sections.firstIndex(where: { $0.tasks.contains { $0.id == other } })
    else { return }
    let item = items[start]
    remove { $0.id == id }
    let place = sections[joined].tasks.firstIndex { $0.id == other } ?? 0
    sections[joined].tasks.insert(item, at: start < end ? place + 1 : place)
  }
}
