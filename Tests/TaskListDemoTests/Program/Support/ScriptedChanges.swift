import TestLimits
import TestSupport

@testable import TaskListDemo
@testable import TaskStore

/// Random lines, each of which changes something, and what the list is after each.
struct ScriptedChanges {
  /// What the program should have, and what it could go back to.
  struct Moment: Equatable {
    var list = ModelList()
    var past: [ModelList] = []
    var future: [ModelList] = []
  }

  private var random: SplitMix64
  private var added: Int64 = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Lines, and the moments before the first, between them, and after the last.
  mutating func script(
    of count: Int, from start: Moment
  ) -> (lines: [String], moments: [Moment]) {
    var (lines, moments): ([String], [Moment]) = ([], [start])
    for _ in 0..<count {
      var moment = moments[moments.count - 1]
      lines.append(step(&moment))
      moments.append(moment)
    }
    return (lines, moments)
  }

  private mutating func step(_ moment: inout Moment) -> String {
    switch random.below(10) {
    case 0, 1:
      if let previous = moment.past.popLast() {
        moment.future.append(moment.list)
        moment.list = previous
        return "undo"
      }
    case 2:
      if let next = moment.future.popLast() {
        moment.past.append(moment.list)
        moment.list = next
        return "redo"
      }
    default: break
    }
    moment.past = (moment.past + [moment.list]).suffix(100)
    moment.future = []
    return change(&moment.list)
  }

  private mutating func change(_ list: inout ModelList) -> String {
    let ids = list.ids
    guard ids.count > 2 else { return add(&list) }
    // Rows are counted from 1.
    let row = random.below(ids.count)
    switch random.below(ids.count > 30 ? 10 : 7) {
    case 0, 1, 2: return add(&list)
    case 3, 4, 5:
      let other = (row + 1 + random.below(ids.count - 1)) % ids.count
      list.move(ids[row], to: ids[other])
      return "move \(row + 1) \(other + 1)"
    case 6:
      list.change(ids[row]) { $0.isDone.toggle() }
      return "\(row + 1)"
    default:
      list.remove { $0.id == ids[row] }
      return "delete \(row + 1)"
    }
  }

  private mutating func add(_ list: inout ModelList) -> String {
    added += 1
    let section = ["Tasks", "Home", "Some day"][random.below(3)]
    list.add(
      ModelList.Item(id: added, title: "task \(added)", memo: nil, isDone: false), to: section)
    return "add task \(added) --section \"\(section)\""
  }

  mutating func below(_ bound: Int) -> Int { random.below(bound) }
}

extension ModelList {
  /// What can be seen of it: sections without tasks, and numbers that others give, cannot.
  var visible: [String] {
    sections.flatMap { section in
      section.tasks.map { "\(section.name): [\($0.isDone ? "x" : " ")] \($0.title)" }
    }
  }
}
