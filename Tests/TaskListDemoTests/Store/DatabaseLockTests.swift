#if os(Linux)
  import Foundation
  import Glibc
  import ReactorREPLTesting
  import Testing
  import TestLimits

  @testable import TaskListDemo
  @testable import TaskStore

  /// SQLite's locks, which the system releases when the process closes any descriptor of a file.
  @Suite(.bounded) struct DatabaseLockTests {
    private let scratch: ScratchDirectory
    private let tasks: TestService

    init() async throws {
      scratch = try ScratchDirectory()
      tasks = try TestService(.file(scratch.database))
      try await tasks.add("Milk")
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `an export to the open database is refused, and keeps its locks`(
      suffix: String
    ) async throws {
      let before = try locks
      #expect(before.count >= 2)
      await #expect(throws: TaskError.self) {
        try await tasks.service.exportFile(scratch.database + suffix)
      }
      #expect(try locks == before)
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `an import of the open database is refused, and keeps its locks`(
      suffix: String
    ) async throws {
      let before = try locks
      #expect(before.count >= 2)
      let path = scratch.database + suffix
      let error = await #expect(throws: TaskError.self) {
        try await tasks.service.importFile(path)
      }
      #expect(
        error?.description
          == "\"\(path)\" is a database; name a file that 'export' has written")
      #expect(try locks == before)
    }

    @Test func `a second name of the open database is recognized`() async throws {
      let before = try locks
      let other = "\(scratch.path)/other"
      #expect(link(scratch.database, other) == 0)
      await #expect(throws: TaskError.self) { try await tasks.service.exportFile(other) }
      await #expect(throws: TaskError.self) { try await tasks.service.importFile(other) }
      #expect(try locks == before)
    }

    /// The locks of this process on the main file and on the index of the log, as the system lists
    /// them: opening and closing a file here would release them.
    private var locks: Set<String> {
      get throws {
        let files = try ["", "-shm"].map { suffix -> String in
          var status = stat()
          try #require(stat(scratch.database + suffix, &status) == 0)
          return ":\(status.st_ino)"
        }
        let lines = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
          .split(separator: "\n")
        // `1: POSIX  ADVISORY  READ 1234 08:01:5678 128 128`
        return Set(
          lines.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 8, words[1] == "POSIX", words[4] == "\(getpid())",
              files.contains(where: { words[5].hasSuffix($0) })
            else { return nil }
            return "\(words[5]) \(words[6])"
          })
      }
    }
  }
#endif
