import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct RandomHistoryTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `after any changes, undos and redos, the database equals plain arrays`(
    seed: UInt64
  ) async throws {
    let service = try SQLiteTaskService(.inMemory)
    var history = RandomHistory(seed: seed)
    for step in 1...TestCounts.rounds(1_000) {
      #expect(try await history.step(service))
      try #require(try await service.list() == history.list, "step \(step)")
      if step.isMultiple(of: 50) { try await service.expectOrder() }
    }
  }

  @Test func `a program that is started again continues where the last one ended`() async throws {
    let scratch = try ScratchDirectory()
    var history = RandomHistory(seed: 4)
    for run in 1...20 {
      let service = try SQLiteTaskService(.file("\(scratch.path)/tasks.sqlite"))
      for _ in 1...20 { #expect(try await history.step(service)) }
      try #require(try await service.list() == history.list, "run \(run)")
      try await service.expectOrder()
      service.close()
    }
  }
}
