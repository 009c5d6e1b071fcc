import Foundation
import GRDB
import ReactorREPLTesting
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct OpeningTests {
  private let scratch: ScratchDirectory
  private var path: String { scratch.database }
  private let quick = DatabaseOptions(busyTimeout: .milliseconds(20))

  init() throws { scratch = try ScratchDirectory() }

  /// Why the database cannot be opened; its file stays what it is.
  private func problem(_ location: SourceLocation = #_sourceLocation) -> String {
    let before = FileManager.default.contents(atPath: path)
    let error = #expect(throws: TaskError.self, sourceLocation: location) {
      try SQLiteTaskService(.file(path), options: quick)
    }
    #expect(FileManager.default.contents(atPath: path) == before, sourceLocation: location)
    #expect(error?.kind == .storage, sourceLocation: location)
    #expect(error?.description.contains("\n") == false, sourceLocation: location)
    return error?.description ?? ""
  }

  private func makeDatabase() async throws {
    let tasks = try TestService(.file(path))
    try await tasks.fill(300)
    tasks.service.close()
  }

  @Test func `a new database is empty, and stays when it is closed`() async throws {
    let tasks = try TestService(.file(path))
    #expect(try await tasks.titles() == [])
    try await tasks.add("Milk")
    tasks.service.close()
    let again = try TestService(.file(path))
    #expect(try await again.titles() == ["Milk"])
    again.service.close()
    #expect(!FileManager.default.fileExists(atPath: "\(path)-wal"))
  }

  @Test func `a read while the database is being closed opens no connection that stays`()
    async throws
  {
    let database = try TaskDatabase(.file(path))
    let (events, told) = AsyncStream.makeStream(of: String.self)
    var event = events.makeAsyncIterator()
    let mayEnd = DispatchSemaphore(value: 0)
    async let writing: Void = database.work { _ in
      told.yield("writing")
      mayEnd.wait()
    }
    #expect(await event.next() == "writing")
    Thread.detachNewThread {
      database.close()
      told.yield("closed")
    }
    while (try? await database.read { _ in }) != nil {}
    for _ in 0..<100 { try? await database.read { _ in } }
    mayEnd.signal()
    try await writing
    #expect(await event.next() == "closed")
    #expect(!FileManager.default.fileExists(atPath: "\(path)-wal"))
    withExtendedLifetime(database) {}
  }

  @Test func `an empty file becomes a database`() async throws {
    try scratch.write("", to: "tasks.sqlite")
    let tasks = try TestService(.file(path))
    try await tasks.add("Milk")
    #expect(try await tasks.titles() == ["Milk"])
  }

  @Test(arguments: [true, false])
  func `a database that is deleted or replaced while it is open takes no change`(
    isReplaced: Bool
  ) async throws {
    let tasks = try TestService(.file(path))
    let id = try await tasks.add("Milk")[0]
    try FileManager.default.removeItem(atPath: path)
    if isReplaced { try scratch.write("another", to: "tasks.sqlite") }
    for change in [TaskChange.add(TaskDraft(title: "Bread")), .delete([id])] {
      let error = await #expect(throws: TaskError.self) { try await tasks.perform(change) }
      #expect(
        error?.description == "\"\(path)\" has been deleted or replaced, and nothing can be kept; "
          + "'export' saves the tasks")
    }
    #expect(try await tasks.titles() == ["Milk"])
    #expect(try await tasks.service.exportFile("\(scratch.path)/out.json") == 1)
    tasks.service.close()
  }

  @Test func `a database of an earlier version keeps what can be undone`() async throws {
    let earlier = try DatabaseQueue(path: path)
    try TaskSchema.migrator.migrate(earlier, upTo: TaskSchema.migrator.migrations[0])
    try await earlier.write { db in
      try db.execute(
        sql: """
          INSERT INTO sections (name, nameKey, position) VALUES ('Tasks', 'tasks', 0);
          INSERT INTO tasks (sectionID, position, title, titleKey, createdAt)
            VALUES (1, 0, 'Milk', 'milk', 0);
          INSERT INTO steps (id, kind, summary) VALUES (1, 'add', 'added "Milk"');
          INSERT INTO stepTasks (stepID, isAfter, id, sectionID, position, title, titleKey, createdAt)
            SELECT 1, 1, id, sectionID, position, title, titleKey, createdAt FROM tasks;
          UPDATE state SET revision = 1, doneSteps = 1;
          """)
    }
    try earlier.close()
    let tasks = try TestService(.file(path))
    #expect(try await tasks.titles() == ["Milk"])
    #expect(try await tasks.service.undo()?.summary == "undone: added \"Milk\"")
    tasks.service.close()
  }

  @Test func `a relative path is one from the current directory`() {
    let here = FileManager.default.currentDirectoryPath
    #expect(DatabaseLocation.file(":memory:").path == "\(here)/:memory:")
  }

  @Test func `changes are in the write-ahead log, and on disk`() async throws {
    let tasks = try TestService(.file(path))
    let modes = try await tasks.service.database.read { store in
      [
        try String.fetchOne(store.db, sql: "PRAGMA journal_mode"),
        try String.fetchOne(store.db, sql: "PRAGMA synchronous"),
      ]
    }
    #expect(modes == ["wal", "2"])
  }

  @Test func `opening an up-to-date database writes nothing`() async throws {
    try await makeDatabase()
    let before = FileManager.default.contents(atPath: path)
    let tasks = try TestService(.file(path))
    _ = try await tasks.titles()
    tasks.service.close()
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test func `many programs may create one database at once`() async throws {
    for round in 1...20 {
      let path = "\(path)-\(round)"
      try await withThrowingTaskGroup { group in
        for number in 1...4 {
          group.addTask { try await TestService(.file(path)).add("Task \(number)") }
        }
        try await group.waitForAll()
      }
      #expect(try await TestService(.file(path)).titles().count == 4)
    }
  }

  @Test func `the default place is the XDG data directory`() {
    let path = DatabaseLocation.standard.path
    #expect(path == "\(DatabaseLocation.standardDirectory)/tasks.sqlite")
    #expect(path?.hasSuffix("/reactor-tasks/tasks.sqlite") == true)
    #expect(path?.hasPrefix("/") == true)
  }

  // MARK: What is refused

  @Test func `a directory is no database`() {
    let error = #expect(throws: TaskError.self) { try SQLiteTaskService(.file(scratch.path)) }
    let path = scratch.path
    #expect(
      error?.description
        == "\"\(path)\" is a directory; name a file, such as \"\(path)/tasks.sqlite\"")
  }

  @Test func `a directory that is missing is not created`() {
    let error = #expect(throws: TaskError.self) {
      try SQLiteTaskService(.file("\(scratch.path)/no/tasks.sqlite"))
    }
    #expect(
      error?.description
        == "there is no directory \"\(scratch.path)/no\"; create it, or name another file")
    #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/no"))
  }

  @Test func `a text is no database`() throws {
    try scratch.write(String(repeating: "This is a letter. ", count: 99), to: "tasks.sqlite")
    #expect(problem() == "\"\(path)\" is not a database; name another file")
  }

  @Test func `a database of another program is not changed`() throws {
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "CREATE TABLE photos (id INTEGER PRIMARY KEY)") }
    try other.close()
    #expect(problem() == "\"\(path)\" is a database of another program; name another file")
  }

  @Test func `a database of a later version is not changed`() async throws {
    try await makeDatabase()
    let later = try DatabaseQueue(path: path)
    try await later.write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('2: something new')")
    }
    try later.close()
    #expect(
      problem() == "\"\(path)\" was written by a newer version of this program; use that one")
  }

  @Test func `a database that another program has locked is reported as locked`() async throws {
    try await makeDatabase()
    let other = try DatabaseQueue(path: path)
    try await other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    }
    #expect(problem() == "\"\(path)\" is locked by another program; try again when that is done")
  }

  @Test func `a database that is cut off is damaged`() async throws {
    try await makeDatabase()
    let whole = try #require(FileManager.default.contents(atPath: path))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
    #expect(problem() == "\"\(path)\" is damaged; restore it from a backup, or name another file")
  }

  @Test func `damage deep in the file is reported when it is found, and left as it is`()
    async throws
  {
    try await makeDatabase()
    var bytes = try #require(FileManager.default.contents(atPath: path))
    // All but the first page, which has the names of the tables.
    for index in 4_096..<bytes.count { bytes[index] = 0xAA }
    try bytes.write(to: URL(filePath: path))
    let damaged = "\"\(path)\" is damaged; restore it from a backup, or name another file"
    do {
      let tasks = try TestService(.file(path))
      let reading = await #expect(throws: TaskError.self) { try await tasks.titles() }
      #expect(reading?.description == damaged)
      let writing = await #expect(throws: TaskError.self) { try await tasks.add("Milk") }
      #expect(writing?.description == damaged)
      tasks.service.close()
    } catch {
      #expect("\(error)" == damaged)
    }
    #expect(FileManager.default.contents(atPath: path) == bytes)
  }

  @Test func `a file that is marked as read-only is not written, not even by root`() async throws {
    try await makeDatabase()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let before = FileManager.default.contents(atPath: path)
    let tasks = try TestService(.file(path))
    let error = await #expect(throws: TaskError.self) { try await tasks.add("Milk") }
    #expect(
      error?.description == "\"\(path)\" is read-only; make it writable, or name another file")
    #expect(try await tasks.titles().count == 300)
    tasks.service.close()
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test func `a device is no database`() {
    let error = #expect(throws: TaskError.self) { try SQLiteTaskService(.file("/dev/null")) }
    #expect(error?.description == "\"/dev/null\" is no file that can hold tasks; name another")
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a directory that cannot be written can hold no new database`() async throws {
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scratch.path)
    defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path) }
    #expect(problem().hasPrefix("nothing can be written in the directory"))
  }
}
