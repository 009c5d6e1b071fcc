import Foundation
import GRDB
import ReactorREPLTesting
import Testing
import TestLimits

/// Files that cannot be used: a clear error, exit status 1, and the file as it was.
@Suite(.bounded) struct DatabaseFileTests {
  private let program: TaskProgram
  private var file: String { "\"\(program.database)\"" }

  init() throws { program = try TaskProgram() }

  private func write(_ data: Data) throws {
    try data.write(to: URL(filePath: program.database))
  }

  /// Has another program do something to the database.
  private func edit(_ sql: String) throws {
    let queue = try DatabaseQueue(path: program.database)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: sql)
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
    }
    try queue.close()
  }

  @Test func `text is no database`() async throws {
    try write(Data(String(repeating: "not a database\n", count: 1_000).utf8))
    try await program.expectRefusal("\(file) is not a database; name another file")
  }

  @Test func `a database that is cut off is damaged`() async throws {
    try await program.talk("demo").expect("")
    let whole = try #require(FileManager.default.contents(atPath: program.database))
    try write(whole.prefix(whole.count / 2))
    try await program.expectRefusal(
      "\(file) is damaged; restore it from a backup, or name another file")
  }

  @Test func `a database whose tables are overwritten is damaged`() async throws {
    try await program.talk("demo").expect("")
    var bytes = try #require(FileManager.default.contents(atPath: program.database))
    bytes.replaceSubrange(100..<4_096, with: repeatElement(0xAA, count: 3_996))
    try write(bytes)
    try await program.expectRefusal(
      "\(file) is damaged; restore it from a backup, or name another file")
  }

  @Test(arguments: ["list", "stats", "add b", "done 1", "undo", "edit 1"])
  func `damage that is found later is reported by every command`(command: String) async throws {
    try await program.add("a")
    let queue = try DatabaseQueue(path: program.database)
    let (page, size) = try await queue.read { db in
      let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'sections'"
      return (
        try #require(try Int.fetchOne(db, sql: sql)),
        try #require(try Int.fetchOne(db, sql: "PRAGMA page_size"))
      )
    }
    try queue.close()
    var bytes = try #require(FileManager.default.contents(atPath: program.database))
    bytes.replaceSubrange((page - 1) * size..<page * size, with: Data(repeating: 0xAA, count: size))
    try write(bytes)
    let complaint = "\(file) is damaged; restore it from a backup, or name another file"
    try await program.talk(command).expect(error: complaint)
    // By its id, the task is found where nothing is damaged.
    guard !command.hasPrefix("edit") else { return }
    let words = command.split(separator: " ").map { $0 == "1" ? "@1" : String($0) }
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", program.database] + words,
      environment: program.environment, input: [])
    run.expect(error: complaint)
    #expect(FileManager.default.contents(atPath: program.database) == bytes)
  }

  @Test func `a database of a newer version is not changed`() async throws {
    try await program.talk("demo").expect("")
    try edit("INSERT INTO grdb_migrations VALUES ('2: tasks in space')")
    try await program.expectRefusal(
      "\(file) was written by a newer version of this program; use that one")
  }

  @Test func `a database of another program is not changed`() async throws {
    try edit("CREATE TABLE tasks (name TEXT)")
    try await program.expectRefusal(
      "\(file) is a database of another program; name another file")
  }

  @Test func `the program leaves no files beside the database`() async throws {
    try await program.add("a")
    #expect(DatabaseFile(program).neighbours == ["tasks.sqlite"])
    try await program.perform("add", "b").expect("")
    #expect(DatabaseFile(program).neighbours == ["tasks.sqlite"])
  }

  @Test func `an empty file becomes a database`() async throws {
    try write(Data())
    try await program.talk("add a", "list").expect("1. [ ] a\n")
  }

  @Test func `a directory is no database`() async throws {
    try FileManager.default.createDirectory(
      atPath: program.database, withIntermediateDirectories: false)
    try await program.expectRefusal(
      "\(file) is a directory; name a file, such as \"\(program.database)/tasks.sqlite\"")
  }

  @Test func `a directory that is missing is not created`() async throws {
    let path = program.path("missing/tasks.sqlite")
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", path, "add", "a"],
      environment: program.environment, input: [])
    run.expect(
      error: "there is no directory \"\(program.path("missing"))\"; create it, or name another file"
    )
    #expect(!FileManager.default.fileExists(atPath: program.path("missing")))
  }

  @Test func `a directory that was deleted holds no database`() async throws {
    let run = try await program.shell(
      #"mkdir "$directory/gone"; cd "$directory/gone"; rmdir "$directory/gone"; "#
        + #""$tasks" --database tasks.sqlite add a"#)
    run.expect(error: "the current directory is gone; name a file with its whole path")
  }

  @Test(.enabled { await Machine.canBeNobody })
  func `a read-only file is not changed`() async throws {
    try await program.talk("demo").expect("")
    let before = DatabaseFile(program)
    let run = try await program.shell(
      """
      chmod 777 "$directory"; chmod 444 "$database"
      \(Machine.asNobody) "$tasks" --database "$database" add a
      """)
    run.expect(error: "\(file) is read-only; make it writable, or name another file")
    #expect(DatabaseFile(program) == before)
  }

  @Test(.enabled { await Machine.canBeNobody })
  func `a file in a read-only directory is not changed`() async throws {
    try await program.talk("demo").expect("")
    let before = DatabaseFile(program)
    let run = try await program.shell(
      """
      chmod 555 "$directory"; chmod 666 "$database"
      \(Machine.asNobody) "$tasks" --database "$database" add a
      status=$?; chmod 755 "$directory"; exit $status
      """)
    run.expect(
      error: "nothing can be written in the directory \"\(program.directory.path)\"; "
        + "name a file elsewhere")
    #expect(DatabaseFile(program) == before)
  }
}

/// A database that another program is writing to, for longer than any wait.
@Suite(.bounded) struct LockedDatabaseTests {
  private let program: TaskProgram
  private var complaint: String {
    "\"\(program.database)\" is locked by another program; try again when that is done"
  }

  init() throws { program = try TaskProgram() }

  /// Runs lines while another connection holds a lock.
  private func talk(_ lines: String, whileLockedBy sql: String) async throws -> PipedRun {
    let lock = try DatabaseLock(program, sql)
    var environment = program.environment
    environment["TASKS_PATIENCE"] = "50"
    let run = try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", program.database], environment: environment,
      input: Array(lines.utf8))
    try lock.release()
    return run
  }

  @Test func `a failed write is reported, and reading goes on`() async throws {
    try await program.add("a")
    let run = try await talk("add b\nlist\n", whileLockedBy: "BEGIN IMMEDIATE")
    run.expect(error: complaint, output: "1. [ ] a\n")
    #expect(try await program.contents().items.map(\.title) == ["a"])
  }

  @Test func `a file that cannot even be read is not opened`() async throws {
    try await program.add("a")
    for line in ["list\n", "add b\n"] {
      let run = try await talk(
        line, whileLockedBy: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
      run.expect(error: complaint)
    }
    #expect(try await program.contents().items.map(\.title) == ["a"])
  }
}
