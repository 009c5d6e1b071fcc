import TestLimits
import ReactorREPLTesting
import Testing

/// A disk that gets full, on a file system of a test's own.
@Suite(.enabled { await Machine.canMount }, .bounded)
struct FullDiskTerminalTests {
  private let program: TaskProgram

  init() throws {
    program = try TaskProgram()
    try program.directory.write("", to: "small/mount-here")
  }

  /// What a shell does where the disk is small; `$small` is a database on it.
  private func script(_ script: String) -> [String] {
    let small = program.path("small")
    return [
      "-c",
      """
      exec \(Machine.mounting) /bin/sh -c '
      mount -t tmpfs -o size=400k none "\(small)"
      small="\(small)/tasks.sqlite"
      tasks="\(BuiltProduct.path("TaskListDemo"))"
      \(script)'
      """,
    ]
  }

  @Test func `on a full disk a change is refused, and the list is that of the disk`()
    async throws
  {
    let terminal = try TerminalSession(
      "/bin/sh",
      arguments: script(
        #""$tasks" --database "$small" add a; "$tasks" --database "$small"; "#
          + #""$tasks" --database "$small" list > "\#(program.path("list"))""#),
      environment: program.environment)
    try await terminal.expect("the list") { $0.pane.contains { $0.hasPrefix("1. [ ] a") } }
    let memo = String(repeating: "memo ", count: 3_000)
    var number = 1
    while !terminal.screen.history.contains(where: { $0.hasPrefix("error: ") }), number < 100 {
      number += 1
      let title = "task \(number)"
      try program.directory.write(
        """
        {"version": 1, "sections": [{"name": "Tasks", "tasks": [
          {"title": "\(title)", "memo": "\(memo)"}]}]}
        """, to: "one.json")
      await terminal.send("import \(program.path("one.json"))\r")
      try await terminal.expect("an answer") { screen in
        screen.pane.contains { $0.contains(title) }
          || screen.history.contains { $0.hasPrefix("error: ") }
      }
    }
    try await terminal.expect("error: the disk is full, nothing was changed in")
    // As many as there were before the last one.
    try await terminal.expect("the list as it was") { [number] screen in
      screen.pane[0].hasSuffix("\(number - 1) open · 0 done")
        && !screen.pane.contains { $0.contains("task \(number)") }
    }
    await terminal.send("quit\r")
    #expect(try await terminal.waitForExit() == .exited(0))
    let list = try #require(program.directory.read("list"))
    #expect(
      list == "@1 [ ] a\n" + (2..<number).map { "@\($0) [ ] task \($0)\n" }.joined())
  }

  @Test func `a full disk is one error, and with space the same change is possible`() async throws {
    let file = program.path("many.json")
    try program.directory.write(TaskProgram.manyTasks(2_000), to: "many.json")
    let run = try await PipedRun.of(
      "/bin/sh",
      arguments: script(
        """
        "$tasks" --database "$small" add a
        "$tasks" --database "$small" import "\(file)"; echo $?
        "$tasks" --database "$small" list
        mount -o remount,size=4m "\(program.path("small"))"
        "$tasks" --database "$small" import "\(file)"; echo $?
        "$tasks" --database "$small" undo
        "$tasks" --database "$small" list
        """), environment: program.environment, input: [])
    #expect(run.output == "1\n@1 [ ] a\n0\n@1 [ ] a\n")
    #expect(run.errorOutput.hasPrefix("error: the disk is full, nothing was changed in"))
    #expect(run.errorOutput.split(separator: "\n").count == 1)
  }

  @Test func `a disk without space for a database is reported`() async throws {
    let run = try await PipedRun.of(
      "/bin/sh",
      arguments: script(
        """
        head -c 390000 /dev/zero > "\(program.path("small"))/filler"
        "$tasks" --database "$small" add a
        """), environment: program.environment, input: [])
    #expect(run.errorOutput.hasPrefix("error: "))
    #expect(run.errorOutput.contains("disk"))
    #expect(run.errorOutput.split(separator: "\n").count == 1)
    #expect(run.status == .exited(1))
  }
}
