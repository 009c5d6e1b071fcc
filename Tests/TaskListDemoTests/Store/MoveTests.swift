import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct MoveTests {
  private let tasks: TestService
  private let home: [TaskItem.ID]
  private let work: [TaskItem.ID]

  init() async throws {
    tasks = try TestService()
    home = try await tasks.add("A", "B", "C", to: "Home")
    work = try await tasks.add("X", "Y", to: "Work")
  }

  /// Each task to the row of each other one: on the list that a person sees, that is what a move
  /// is.
  @Test(arguments: 0..<5, 0..<5)
  func `a task that is moved has the row of the other`(start: Int, end: Int) async throws {
    let ids = home + work
    var expected = ["A", "B", "C", "X", "Y"]
    expected.insert(expected.remove(at: start), at: end)
    try await tasks.perform(.move(ids[start], to: ids[end]))
    #expect(try await tasks.titles() == expected)
    try await tasks.service.expectOrder()
  }

  @Test func `a task joins the section of the other`() async throws {
    try await tasks.perform(.move(home[1], to: work[0]))
    let sections = try await tasks.service.sections()
    #expect(sections.map(\.count) == [2, 3])
    #expect(try await tasks.service.task(home[1])?.position == 1)
  }

  @Test func `a move reports on which side of the other the task is now`() async throws {
    #expect(
      try await tasks.perform(.move(home[0], to: home[2])).summary == "moved \"A\" below \"C\"")
    #expect(
      try await tasks.perform(.move(work[0], to: home[1])).summary == "moved \"X\" above \"B\"")
  }
}
