import Foundation
import ReactorREPLTesting
import Testing

@testable import TaskListDemo
@testable import TaskStore

/// A service in memory, and the few words that tests need to make it do things.
struct TestService {
  let service: SQLiteTaskService

  /// At a fixed time.
  static let now = Date(timeIntervalSince1970: 1_769_850_000.25)

  init(_ location: DatabaseLocation = .inMemory, _ options: DatabaseOptions = .init()) throws {
    service = try SQLiteTaskService(location, options: options, now: { Self.now })
  }

  /// Adds tasks, and gives what they are called by.
  @discardableResult
  func add(_ titles: String..., to section: String = "Tasks") async throws -> [TaskItem.ID] {
    var ids: [TaskItem.ID] = []
    for title in titles {
      let draft = TaskDraft(title: title, section: section)
      ids += try await service.perform(.add(draft)).tasks.map(\.id)
    }
    return ids
  }

  /// Adds many at once.
  func fill(_ count: Int, section: String = "Tasks") async throws {
    let drafts = (0..<count).map {
      TaskDraft(title: "Task \($0)", section: section, isDone: $0.isMultiple(of: 3))
    }
    _ = try await service.perform(.addAll(drafts))
  }

  @discardableResult
  func perform(_ change: TaskChange) async throws -> TaskOutcome {
    try await service.perform(change)
  }

  /// Why a change is refused.
  func refusal(
    of change: TaskChange, _ location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let error = await #expect(throws: TaskError.self, sourceLocation: location) {
      try await service.perform(change)
    }
    #expect(error?.kind == .refused, sourceLocation: location)
    return error?.description ?? ""
  }

  /// The titles of a list, all of them.
  func titles(_ query: TaskQuery = TaskQuery()) async throws -> [String] {
    try await service.page(query, from: 0, limit: 1_000).tasks.map(\.title)
  }

  func tasks(_ query: TaskQuery = TaskQuery()) async throws -> [TaskItem] {
    try await service.page(query, from: 0, limit: 1_000).tasks
  }

  func sectionID(_ name: String) async throws -> TaskSection.ID {
    try #require(try await service.sections().first { $0.name == name }).id
  }
}

extension ScratchDirectory {
  /// A database in here.
  var database: String { "\(path)/tasks.sqlite" }
}
