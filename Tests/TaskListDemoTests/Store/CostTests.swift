import GRDB
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

/// What a change costs, counted and not timed: the statements it runs, how SQLite finds the rows
/// for them, and how many rows it writes.
@Suite(.bounded) struct CostTests {
  private static let changes: [@Sendable ([TaskItem]) -> TaskChange] = [
    { .setDone([$0[1].id], true) },
    { .setDone([$0[1].id], false) },
    { .move($0[1].id, to: $0[2].id) },
    { .move($0[2].id, to: $0[1].id) },
    { .edit($0[1].id, [.title("New")]) },
    { _ in .add(TaskDraft(title: "New")) },
  ]

  @Test func `a step writes as many rows in a long list as in a short one`() async throws {
    let (few, many) = (try await rowsWritten(in: 30), try await rowsWritten(in: 3_000))
    #expect(few.places == many.places)
    // Now and then the index of words merges the last few additions.
    #expect(few.words == many.words)
  }

  private func rowsWritten(in count: Int) async throws -> (places: [Int], words: Int) {
    let tasks = try TestService()
    try await tasks.fill(count)
    let near = try await tasks.service.page(TaskQuery(), from: 7, limit: 3).tasks
    var written: [[Int]] = []
    for change in Self.changes {
      written.append([
        try await tasks.rowsWritten { _ = try await tasks.perform(change(near)) },
        try await tasks.rowsWritten { _ = try await tasks.service.undo() },
        try await tasks.rowsWritten { _ = try await tasks.service.redo() },
      ])
    }
    return (written.dropLast(2).flatMap(\.self), written.suffix(2).joined().reduce(0, +))
  }

  @Test func `no statement of a step reads all tasks`() async throws {
    let tasks = try TestService()
    try await tasks.fill(30)
    let near = try await tasks.tasks()
    let statements = try await tasks.statements {
      for change in Self.changes {
        try await tasks.perform(change(near))
        _ = try await tasks.service.undo()
        _ = try await tasks.service.redo()
      }
    }
    #expect(statements.count > 20)
    #expect(try await tasks.scans(in: statements) == [])
  }

  @Test func `no statement of a page, a search or a completion reads all tasks`()
    async throws
  {
    let tasks = try TestService()
    try await tasks.fill(30)
    let statements = try await tasks.statements {
      for filter in TaskQuery.Filter.allCases {
        _ = try await tasks.service.page(TaskQuery(filter: filter), from: 20, limit: 5)
        let found = TaskQuery(filter: filter, search: "task")
        _ = try await tasks.service.page(found, from: 0, limit: 5)
        _ = try await tasks.service.tasks(titled: "task", in: found, limit: 5)
      }
    }
    #expect(try await tasks.scans(in: statements) == [])
  }

  @Test func `a whole list is not sorted: it is read in its order`() async throws {
    let tasks = try TestService()
    for filter in TaskQuery.Filter.allCases {
      let list = TaskList(TaskQuery(filter: filter), by: .list, search: nil)
      let plan = try await tasks.plan(of: list.sql)
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }

  @Test func `deleting the first of many stores one task`() async throws {
    let tasks = try TestService()
    try await tasks.fill(3_000)
    _ = try await tasks.perform(.delete([try await tasks.tasks()[0].id]))
    let kept = try await tasks.service.database.read { store in
      try store.number("SELECT count(*) FROM stepTasks WHERE stepID = 2")
    }
    #expect(kept == 1)
  }

  @Test func `the number of prepared statements does not grow with the queries`() async throws {
    let tasks = try TestService()
    let ids = try await tasks.add("A", "B")
    var distinct: Set<String> = []
    for round in 0..<5 {
      let statements = try await tasks.statements {
        try await tasks.add("Task \(round)", to: "Section \(round)")
        try await tasks.perform(.setDone([ids[0]], round.isMultiple(of: 2)))
        try await tasks.perform(.edit(ids[1], [.title("B \(round)"), .memo("\(round)")]))
        _ = try await tasks.titles(TaskQuery(search: "word\(round)"))
        _ = try await tasks.service.tasks(titled: "\(round)", in: TaskQuery(), limit: round)
      }
      if round > 1 { #expect(distinct.isSuperset(of: statements)) }
      distinct.formUnion(statements)
    }
  }
}

extension TestService {
  fileprivate func rowsWritten(_ body: () async throws -> Void) async throws -> Int {
    let before = try await service.database.read { $0.db.totalChangesCount }
    try await body()
    return try await service.database.read { $0.db.totalChangesCount } - before
  }

  /// The statements that run meanwhile, as they are written.
  fileprivate func statements(_ body: () async throws -> Void) async throws -> [String] {
    let traced = TracedStatements()
    try await service.database.readSerially { store in
      store.db.trace { if case .statement(let statement) = $0 { traced.add(statement.sql) } }
    }
    try await body()
    try await service.database.readSerially { $0.db.trace(options: []) }
    return traced.all.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("UP") || $0.hasPrefix("DEL") }
  }

  /// Where SQLite would go through all tasks, or all that are kept beside steps.
  fileprivate func scans(in statements: [String]) async throws -> [String] {
    var scans: [String] = []
    for statement in Set(statements) {
      scans += try await plan(of: statement)
        .filter { $0.hasPrefix("SCAN tasks") || $0.hasPrefix("SCAN stepTasks") }
        .map { "\($0): \(statement)" }
    }
    return scans
  }

  fileprivate func plan(of statement: String) async throws -> [String] {
    let nothing = statement.filter { $0 == "?" }.map { _ in Int?.none }
    return try await service.database.read { store in
      try Row.fetchAll(
        store.db, sql: "EXPLAIN QUERY PLAN \(statement)", arguments: StatementArguments(nothing)
      ).map { $0["detail"] }
    }
  }
}

/// Filled on the database's queue, read when that is done.
private final class TracedStatements: @unchecked Sendable {
  private(set) var all: [String] = []

  /// Guarded by the queue of the one connection in memory.
  func add(_ statement: String) { all.append(statement) }
}
