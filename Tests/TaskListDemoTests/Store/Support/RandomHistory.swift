import TestLimits
import TestSupport

@testable import TaskListDemo
@testable import TaskStore

/// Random changes, made to a service and to plain arrays alike.
struct RandomHistory {
  private(set) var list = ModelList()
  private var past: [ModelList] = []
  private var future: [ModelList] = []
  private var random: SplitMix64
  private var added = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// One change, or one step back or forward.
  ///
  /// - Returns: Whether the service said of itself what the arrays say.
  mutating func step(_ service: SQLiteTaskService) async throws -> Bool {
    switch random.below(10) {
    case 0, 1: try await undo(service)
    case 2: try await redo(service)
    default: try await change(service)
    }
  }

  private mutating func undo(_ service: SQLiteTaskService) async throws -> Bool {
    let outcome = try await service.undo()
    guard let previous = past.popLast() else { return outcome == nil }
    future.append(list)
    list = previous
    return outcome != nil
  }

  private mutating func redo(_ service: SQLiteTaskService) async throws -> Bool {
    let outcome = try await service.redo()
    guard let next = future.popLast() else { return outcome == nil }
    past.append(list)
    list = next
    return outcome != nil
  }

  private mutating func change(_ service: SQLiteTaskService) async throws -> Bool {
    let change = randomChange()
    let outcome = try await service.perform(change)
    let before = list
    apply(change, outcome)
    let isChange = list != before
    if isChange {
      past = (past + [before]).suffix(100)
      future = []
    }
    return outcome.isChange == isChange
  }

  private mutating func apply(_ change: TaskChange, _ outcome: TaskOutcome) {
    switch change {
    case .add(let draft): add([draft], outcome)
    case .addAll(let drafts): add(drafts, outcome)
    case .edit(let id, let edits):
      for edit in edits {
        switch edit {
        case .title(let title): list.change(id) { $0.title = title }
        case .memo(let memo): list.change(id) { $0.memo = memo }
        }
      }
    case .setDone(let ids, let isDone):
      for id in ids { list.change(id) { $0.isDone = isDone } }
    case .delete(let ids): list.remove { ids.contains($0.id) }
    case .move(let id, let other): list.move(id, to: other)
    case .clearDone: list.remove(where: \.isDone)
    }
  }

  private mutating func add(_ drafts: [TaskDraft], _ outcome: TaskOutcome) {
    for (draft, task) in zip(drafts, outcome.tasks) {
      list.add(
        ModelList.Item(id: task.id, title: draft.title, memo: draft.memo, isDone: draft.isDone),
        to: draft.section)
    }
  }

  // MARK: What to do

  private mutating func randomChange() -> TaskChange {
    let ids = list.ids
    // Neither nothing nor ever more.
    guard ids.count > 3 else { return .addAll((0..<6).map { _ in draft() }) }
    switch random.below(ids.count > 60 ? 12 : 11) {
    case 0, 1: return .add(draft())
    case 2: return .addAll((0..<random.below(8)).map { _ in draft() })
    case 3: return .edit(one(of: ids), [.title(title())])
    case 4: return .edit(one(of: ids), [.memo(random.oneIn(2) ? nil : "memo \(title())")])
    case 5, 6: return .setDone(some(of: ids), random.oneIn(2))
    case 7, 8, 9: return .move(one(of: ids), to: one(of: ids))
    case 10: return .delete(some(of: ids))
    default: return random.oneIn(2) ? .clearDone(nil) : .delete(ids.filter { _ in random.oneIn(2) })
    }
  }

  private mutating func draft() -> TaskDraft {
    TaskDraft(
      title: title(), memo: random.oneIn(3) ? "about \(title())" : nil,
      section: ["Home", "Work", "home", "Garden"][random.below(4)], isDone: random.oneIn(3))
  }

  private mutating func title() -> String {
    added += 1
    return ["Buy milk", "Grüße", "Call Bob", "🎉 party"][random.below(4)] + " \(added)"
  }

  private mutating func one(of ids: [Int64]) -> Int64 { ids[random.below(ids.count)] }

  private mutating func some(of ids: [Int64]) -> [Int64] {
    (0...random.below(5)).map { _ in one(of: ids) }
  }
}
