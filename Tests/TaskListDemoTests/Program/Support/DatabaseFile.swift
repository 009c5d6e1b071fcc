import Foundation
import GRDB
import ReactorREPLTesting
import Testing

/// A file before and after.
struct DatabaseFile: Equatable {
  var bytes: Data?
  /// What is beside it: journals are, while a program works, and should not be left behind.
  var neighbours: [String]

  init(_ program: TaskProgram) {
    bytes = FileManager.default.contents(atPath: program.database)
    let names = try? FileManager.default.contentsOfDirectory(atPath: program.directory.path)
    neighbours = (names ?? []).sorted()
  }
}

extension TaskProgram {
  /// Expects that it says what is wrong with the database, once, and leaves the file alone.
  func expectRefusal(
    _ complaint: String, location: SourceLocation = #_sourceLocation
  ) async throws {
    let before = DatabaseFile(self)
    try await perform("list").expect(error: complaint, location)
    try await perform("add", "a").expect(error: complaint, location)
    try await talk("add a", "list").expect(error: complaint, location)
    #expect(DatabaseFile(self) == before, sourceLocation: location)
  }
}

/// Another program that holds a database.
struct DatabaseLock {
  private let queue: DatabaseQueue

  /// Takes a lock; the usual one leaves others free to read.
  init(_ program: TaskProgram, _ sql: String = "BEGIN IMMEDIATE") throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: program.database, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  func release() throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    try queue.close()
  }
}

/// What the machine lets a test do.
enum Machine {
  /// The prefix that starts a command as a user without permissions: root ignores them.
  static let asNobody =
    geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups --" : ""

  /// Starts a shell that may mount what no other process sees.
  static let mounting = geteuid() == 0 ? "unshare -m" : "unshare -rm"

  static var canBeNobody: Bool {
    get async { await succeeds("\(asNobody) test -x '\(BuiltProduct.path("TaskListDemo"))'") }
  }

  static var canMount: Bool {
    get async { await succeeds("\(mounting) mount -t tmpfs -o size=64k none /mnt") }
  }

  /// Whether this runs under the thread sanitizer.
  static let isSanitized = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil

  private static func succeeds(_ script: String) async -> Bool {
    let run = try? await PipedRun.of("/bin/sh", arguments: ["-c", script], input: [])
    return run?.status == .exited(0)
  }
}
