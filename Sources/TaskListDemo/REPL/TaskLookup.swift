import Foundation
import TaskStore

/// What Tab asks the service for: tasks of the list that are not on the screen.
struct TaskLookup: Sendable {
  let service: any TaskService
  let query: TaskQuery

  /// How many tasks are offered at most.
  private static let limit = 100
  /// How long a key may wait: in memory, nothing is read while something long is written.
  private static let patience = DispatchTimeInterval.milliseconds(500)

  /// The tasks of a name, or of what it begins with; on the console's own thread, which waits.
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
