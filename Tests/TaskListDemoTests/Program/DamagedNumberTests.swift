import GRDB
import ReactorREPLTesting
import Testing
import TestLimits

/// Numbers in the database that no program of ours writes.
@Suite(.bounded) struct DamagedNumberTests {
  private let program: TaskProgram
  private var complaint: String {
    "\"\(program.database)\" is damaged; restore it from a backup, or name another file"
  }

  init() async throws {
    program = try TaskProgram()
    try await program.add("a", "b")
  }

  private func damage(_ sql: String) throws {
    let queue = try DatabaseQueue(path: program.database)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test(arguments: [1, 3])
  func `a count that differs from the rows is reported after all rows`(count: Int)
    async throws
  {
    try damage("UPDATE sections SET openCount = \(count)")
    try await program.perform("list").expect(error: complaint, output: "@1 [ ] a\n@2 [ ] b\n")
    try await program.perform("export", program.path("tasks.json")).expect(error: complaint)
    #expect(program.directory.read("tasks.json") == nil)
  }

  @Test(arguments: [
    "UPDATE sections SET openCount = \(Int.max), doneCount = 1",
    "UPDATE sections SET position = \(Int.min)", "UPDATE tasks SET createdAt = \(Int.max)",
    "UPDATE tasks SET completedAt = \(Int.min)", "UPDATE tasks SET position = \(Int.max)",
    "UPDATE state SET doneSteps = \(Int.max)", "UPDATE state SET doneSteps = \(Int.min)",
    "UPDATE state SET revision = \(Int.max)", "UPDATE stepTasks SET position = \(Int.max)",
    "UPDATE sqlite_sequence SET seq = \(Int.max - 1)",
  ])
  func `a number out of any range does not end the program`(sql: String) async throws {
    try damage(sql)
    let commands = [
      ["list"], ["export", program.path("tasks.json")], ["stats"], ["add", "c"],
      ["move", "@1", "@2"],
      ["done", "@1"], ["delete", "@2"], ["undo"], ["undo"], ["redo"],
    ]
    for command in commands {
      let run = try await PipedRun.of(
        "TaskListDemo", arguments: ["--database", program.database] + command,
        environment: program.environment, input: [])
      #expect([.exited(0), .exited(1)].contains(run.status), "\(command): \(run)")
      guard run.status == .exited(1) else { continue }
      // Some of them have not met it.
      #expect(
        ["error: \(complaint)\n", "error: there is nothing to redo; 'undo' makes something\n"]
          .contains(run.errorOutput), "\(command): \(run)")
    }
  }
}
