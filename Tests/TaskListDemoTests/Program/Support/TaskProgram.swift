import ReactorREPLTesting
import Testing

@testable import TaskListDemo
@testable import TaskStore

/// The built program, with a directory of its own and a database in it.
struct TaskProgram {
  let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  var database: String { path("tasks.sqlite") }

  /// Where a file in the directory is.
  func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  /// Nothing of the person who runs the tests.
  var environment: [String: String] {
    [
      "HOME": directory.path, "XDG_DATA_HOME": path("data"), "XDG_STATE_HOME": path("state"),
      "TERM": "xterm",
    ]
  }

  /// What it does with lines on its standard input.
  func talk(_ lines: String..., options: [String] = []) async throws -> PipedRun {
    try await talk(bytes: Array(lines.map { "\($0)\n" }.joined().utf8), options: options)
  }

  func talk(
    bytes: [UInt8], options: [String] = [], reader: PipedRun.Reader = .all
  ) async throws -> PipedRun {
    try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", database] + options, environment: environment,
      input: bytes, reader: reader)
  }

  /// What it does with one command as its arguments.
  func perform(_ command: String..., options: [String] = []) async throws -> PipedRun {
    try await PipedRun.of(
      "TaskListDemo", arguments: ["--database", database] + options + command,
      environment: environment, input: [])
  }

  /// What a shell does with a script in which `$tasks` is the program and `$database` the database.
  func shell(_ script: String) async throws -> PipedRun {
    var environment = environment
    environment["tasks"] = BuiltProduct.path("TaskListDemo")
    environment["database"] = database
    environment["directory"] = directory.path
    return try await PipedRun.of(
      "/bin/sh", arguments: ["-c", script], environment: environment, input: [])
  }

  /// It, running on pipes.
  func start(_ options: String...) throws -> PipedSession {
    try PipedSession(
      "TaskListDemo", arguments: ["--database", database] + options, environment: environment)
  }

  /// Adds tasks and expects no word about it.
  func add(_ titles: String..., location: SourceLocation = #_sourceLocation) async throws {
    let run = try await talk(bytes: Array(titles.map { "add \($0)\n" }.joined().utf8))
    run.expect("", location)
  }

  /// A file to import.
  static func manyTasks(_ count: Int, in section: String = "Tasks") -> String {
    let tasks = (1...count).map { #"{"title": "task \#($0)"}"# }.joined(separator: ",\n")
    return #"{"version": 1, "sections": [{"name": "\#(section)", "tasks": [\#(tasks)]}]}"#
  }

  /// The list, as it prints it.
  func list() async throws -> String { try await talk("list").output }

  /// What is in the database, checked to be in order.
  func contents(_ location: SourceLocation = #_sourceLocation) async throws -> ModelList {
    let service = try SQLiteTaskService(.file(database))
    defer { service.close() }
    try await service.expectOrder(location)
    return try await service.list()
  }
}

extension PipedRun {
  /// Expects that all went well, and this was printed.
  func expect(_ output: String, _ location: SourceLocation = #_sourceLocation) {
    #expect(self.output == output, sourceLocation: location)
    #expect(errorOutput == "", sourceLocation: location)
    #expect(status == .exited(0), sourceLocation: location)
  }

  /// Expects that one line says what went wrong, besides what was printed.
  func expect(
    error: String, output: String = "", _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(errorOutput == "error: \(error)\n", sourceLocation: location)
    #expect(self.output == output, sourceLocation: location)
    #expect(status == .exited(1), sourceLocation: location)
  }
}
