import Foundation
import ReactorREPLTesting
import Testing
import TestLimits

/// Files that are none, or too much of one.
@Suite(.bounded) struct StreamFileTests {
  private let program: TaskProgram

  init() async throws {
    program = try TaskProgram()
    try await program.add("a")
  }

  // A program with the sanitizer in it does not survive a limit on its addresses.
  @Test(.disabled(if: Machine.isSanitized))
  func `a file that is too large is refused before it is read`() async throws {
    let run = try await program.shell(
      """
      truncate -s 20G "$directory/sparse"; ulimit -v 4000000
      "$tasks" --database "$database" import "$directory/sparse"
      """)
    run.expect(
      error: "\"\(program.path("sparse"))\" is larger than 100 MB; split it, and import the parts")
  }

  @Test func `an endless file is refused when it has become too large`() async throws {
    try await program.perform("import", "/dev/zero").expect(
      error: "\"/dev/zero\" is larger than 100 MB; split it, and import the parts")
  }

  @Test(arguments: ["-", "/dev/stdin", "/dev/fd/0"])
  func `a single command reads standard input`(path: String) async throws {
    let run = try await program.shell(
      """
      cd "$directory"; "$tasks" --database "$database" export out.json
      "$tasks" --database "$database" import \(path) < out.json
      cat out.json | "$tasks" --database "$database" import \(path)
      """)
    run.expect("")
    #expect(try await program.list() == "1. [ ] a\n2. [ ] a\n3. [ ] a\n")
  }

  @Test func `process substitution is read, and written`() async throws {
    let run = try await program.shell(
      """
      cd "$directory"
      bash -c '"$tasks" --database "$database" export >(cat > out.json; echo end > done)'
      while [ ! -s done ]; do :; done
      bash -c '"$tasks" --database "$database" import <(cat out.json)'
      """)
    run.expect("")
    #expect(try await program.list() == "1. [ ] a\n2. [ ] a\n")
  }

  @Test func `a named pipe is read to its end`() async throws {
    let run = try await program.shell(
      """
      cd "$directory"; mkfifo pipe; "$tasks" --database "$database" export out.json
      cat out.json > pipe & "$tasks" --database "$database" import pipe
      """)
    run.expect("")
    #expect(try await program.list() == "1. [ ] a\n2. [ ] a\n")
  }

  @Test func `the file that the commands are read from is not imported`() async throws {
    for path in ["-", "/dev/stdin"] {
      try await program.talk("import \(path)", "list").expect(
        error: "the commands come from standard input; name a file", output: "1. [ ] a\n")
    }
  }

  @Test func `a terminal is not imported`() async throws {
    let terminal = try TerminalSession(
      "TaskListDemo", arguments: ["--database", program.database, "import", "-"],
      environment: program.environment)
    #expect(try await terminal.waitForExit() == .exited(1))
    #expect(terminal.screen.lines.first?.hasPrefix("error: standard input is a terminal") == true)
  }

  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func `standard output is written to, not replaced`(path: String) async throws {
    let run = try await program.shell(
      """
      cd "$directory"
      (echo before; "$tasks" --database "$database" export \(path); echo after) > log
      (echo before; "$tasks" --database "$database" export \(path); echo after) | cat
      """)
    let file = try await program.shell(#""$tasks" --database "$database" export -"#).output
    run.expect("before\n\(file)after\n")
    #expect(program.directory.read("log") == "before\n\(file)after\n")
    #expect(file.hasPrefix("{\"version\": 1"))
  }

  @Test func `the file that the output goes to is not replaced by its name either`() async throws {
    let run = try await program.shell(
      #"cd "$directory"; "$tasks" --database "$database" export log > log"#)
    run.expect(
      error: "\"\(program.path("log"))\" is where the output goes; write to it by the name of -")
  }

  @Test func `a file that a killed export left is removed by the next one`() async throws {
    let left = ".out.json.\(UUID().uuidString).draft"
    try program.directory.write("half", to: left)
    try program.directory.write("mine", to: ".out.json.mine.draft")
    try await program.perform("export", program.path("out.json")).expect("")
    let names = try FileManager.default.contentsOfDirectory(atPath: program.directory.path)
    #expect(!names.contains(left))
    #expect(names.contains("out.json") && names.contains(".out.json.mine.draft"))
  }

  @Test func `a file that a killed export left is removed by another one an hour later`()
    async throws
  {
    let (old, new) = (".big.json.\(UUID().uuidString).draft", ".b.json.\(UUID().uuidString).draft")
    let kept = [new, ".big.json.draft", "big.json.\(UUID().uuidString).draft", ".old"]
    for name in [old] + kept {
      try program.directory.write("half", to: name)
      guard name != new else { continue }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -4_000)],
        ofItemAtPath: program.path(name))
    }
    try await program.perform("export", program.path("out.json")).expect("")
    let names = try FileManager.default.contentsOfDirectory(atPath: program.directory.path)
    #expect(!names.contains(old))
    #expect(kept.allSatisfy(names.contains))
  }

  @Test func `a file that another program is exporting stays`() async throws {
    let other = ".out.json.\(UUID().uuidString).draft"
    try program.directory.write("half", to: other)
    let run = try await program.shell(
      """
      cd "$directory"
      flock "\(other)" "$tasks" --database "$database" export out.json
      """)
    run.expect("")
    #expect(program.directory.read(other) == "half")
  }

  @Test func `many sections are added with as many statements each`() async throws {
    // With a count of all sections for each of them it would take minutes.
    let count = TestCounts.rounds(30_000)
    let sections = (1...count).map { #"{"name": "s\#($0)", "tasks": [{"title": "t"}]}"# }
    try program.directory.write(
      #"{"version": 1, "sections": [\#(sections.joined(separator: ",\n"))]}"#, to: "many.json")
    try await program.perform("import", program.path("many.json"), options: ["--json"])
      .expectSuccess()
    try await program.perform("export", program.path("again.json")).expect("")
    let list = try await program.perform("list", options: ["--json"])
    #expect(list.output.contains(#""section":"s\#(count)""#))
  }
}

extension PipedRun {
  fileprivate func expectSuccess() {
    #expect(errorOutput == "")
    #expect(status == .exited(0))
  }
}
