import Foundation
import TaskStore

/// Finds tasks for completion that are in the list but not on the screen.
struct TaskLookup: Sendable {
  let service: any TaskService
  let query: TaskQuery

  /// How many tasks are offered at most.
  private static let limit = 100
  /// How long a key may wait: a database in memory cannot be read during a long write.
  private static let patience = DispatchTimeInterval.milliseconds(500)

  /// Returns tasks by name, or by the beginning of their titles.
  ///
  /// It blocks the console's own thread.
  func others(_ name: TaskReference, done: Bool?) -> TaskCompletion.Others {
    let found = Self.wait { try await find(name, done: done) } ?? []
    return TaskCompletion.Others(
      rows: found.prefix(Self.limit).map { task in
        TaskCompletion.Row(title: task.title, isDone: task.isDone, id: task.id)
      }, areAll: found.count <= Self.limit)
  }

  private func find(_ name: TaskReference, done: Bool?) async throws(TaskError) -> [TaskItem] {
    switch name {
    case .row(let row): return try await service.task(at: row - 1, in: query).map { [$0] } ?? []
    case .id(let id): return try await service.task(id).map { [$0] } ?? []
    case .title(let start):
      var query = query
      if query.filter == .all, let done { query.filter = done ? .done : .open }
      return try await service.tasks(titled: start, in: query, limit: Self.limit + 1)
    }
  }

  private static func wait<Value: Sendable>(
    for body: @escaping @Sendable () async throws -> Value
  ) -> Value? {
    let (answer, isThere) = (Locked<Value?>(nil), DispatchSemaphore(value: 0))
    let task = Task {
      let value = try? await body()
      answer.withLock { $0 = value }
      isThere.signal()
    }
    guard isThere.wait(timeout: .now() + patience) == .success else {
      task.cancel()
      return nil
    }
    return answer.withLock { $0 }
  }
}
