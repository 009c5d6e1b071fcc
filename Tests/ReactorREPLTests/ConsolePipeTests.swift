import Foundation
import ReactorREPLTesting
import Testing
import TestLimits

@Suite(.bounded) struct ConsolePipeTests {
  @Test func `each line is done before the next, and results are printed`() async throws {
    let run = try await talk("put a cup\nput a plate\nshow\nempty\nshow\n")
    #expect(run.output == "Shelf\na cup\na plate\nShelf\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test(arguments: [("bare", "there are 1\n"), ("json", "{\"answer\":\"there are 1\"}\n")])
  func `an answer is printed`(mode: String, answer: String) async throws {
    let run = try await talk("put a cup\ncount\n", mode)
    #expect(run.output.hasSuffix(answer))
    #expect(run.status == .exited(0))
  }

  @Test func `a pipe prints the states of a line before its answer`() async throws {
    let lines = try await talk("fill\n", "crate").output.split(separator: "\n")
    #expect(lines.last == "there are 500")
    #expect(lines.dropLast().last?.hasPrefix("500 cups.") == true)
  }

  @Test func `a pipe prints the states of a line before those of a screen that it opens`()
    async throws
  {
    let lines = try await talk("pass\n", "crate").output.split(separator: "\n")
    #expect(lines.last?.hasPrefix("0 cups.") == true)
    #expect(lines.dropLast().last?.hasPrefix("500 cups.") == true)
  }

  @Test func `a pipe prints what the screen reports`() async throws {
    let run = try await talk("put a cup\nrefuse\nput a plate\n", "bare")
    #expect(run.output == "1 things\n2 things\n")
    #expect(run.errorOutput == "error: the shelf refuses; try 'put'\n")
    #expect(run.status == .exited(1))
  }

  @Test(arguments: [
    ("bare", "warning: the shelf is nearly full\n"),
    ("json", "{\"warning\":\"the shelf is nearly full\"}\n"),
  ])
  func `a warning is printed, and does not count as not done`(
    mode: String, warning: String
  ) async throws {
    let run = try await talk("warn\n", mode)
    #expect(run.output == "")
    #expect(run.errorOutput == warning)
    #expect(run.status == .exited(0))
  }

  @Test func `a line that is not understood is an error, and the next is read`() async throws {
    let run = try await talk("prut\nput a cup\nshow\n")
    #expect(run.output == "Shelf\na cup\n")
    #expect(
      run.errorOutput == "error: unknown command 'prut'; did you mean 'put'? ('help' lists all)\n")
    #expect(run.status == .exited(1))
  }

  @Test func `an effect that fails is printed once, and counts as not done`() async throws {
    let run = try await talk("drop\nput a cup\nshow\n")
    #expect(run.output == "Shelf\na cup\n")
    #expect(run.errorOutput == "error: the work failed: it is in pieces\n")
    #expect(run.status == .exited(1))
  }

  @Test(arguments: ["drop", "end\nput a cup", "decline", "put an anvil"])
  func `an action that fails counts as not done, also if no reports are shown`(
    lines: String
  ) async throws {
    #expect(try await talk("\(lines)\n", "unreported").status == .exited(1))
  }

  @Test func `without reports, an action that is done does not count as not done`() async throws {
    let run = try await talk("put a cup\nempty\n", "unreported")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `an action that is declined is printed once, and counts as not done`() async throws {
    let run = try await talk("decline\nput a cup\nshow\n")
    #expect(run.output == "Shelf\na cup\n")
    #expect(run.errorOutput == "error: the shelf is full; try 'empty'\n")
    #expect(run.status == .exited(1))
  }

  @Test func `an action that a stage declines is printed once, and counts as not done`()
    async throws
  {
    let run = try await talk("put an anvil\nput a cup\nshow\n")
    #expect(run.output == "Shelf\na cup\n")
    #expect(run.errorOutput == "error: the shelf carries no anvil; try 'put a cup'\n")
    #expect(run.status == .exited(1))
  }

  @Test func `an action that a stopped reactor refuses is printed`() async throws {
    let run = try await talk("end\nput a cup\n")
    #expect(
      run.errorOutput == "error: the command was refused, since what executes it has ended\n")
    #expect(run.status == .exited(1))
  }

  @Test func `a pipe prints what a restarted reactor reports`() async throws {
    // The lines between let the console subscribe to the states of the restarted reactor.
    let run = try await talk(
      "put a cup\nbegin\nshow\nshow\nput a plate\nshow\nrefuse\nshow\n", "bare")
    #expect(run.output == "1 things\n2 things\n")
    #expect(run.errorOutput == "error: the shelf refuses; try 'put'\n")
    #expect(run.status == .exited(1))
  }

  @Test func `a user reads a plain sentence, and the log receives the report`() async throws {
    let run = try await talk("drop\nask\n", "log")
    #expect(
      run.errorOutput == """
        error: the work failed: it is in pieces
        error: the work failed: it is in pieces

        """)
    #expect(run.output.contains("log: Shelf"))
    #expect(run.output.contains("'drop' failed: it is in pieces\n"))
    #expect(run.output.contains("'ask' failed: it is in pieces\n"))
  }

  @Test func `a handler of reports that was set before receives reports afterwards`() async throws {
    let run = try await talk("quit\n", "log")
    #expect(run.output.hasPrefix("log: Shelf"))
    #expect(run.output.hasSuffix("was refused: the reactor has been stopped\n"))
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `identical reports are one line, and a line with their count`() async throws {
    let run = try await talk("flood\n", "log")
    let text = "the command was refused, since too many are waiting; try again later"
    #expect(run.errorOutput == "error: \(text)\nerror: 2 more like this: \(text)\n")
    #expect(run.output.split(separator: "\n").count { $0.contains("the inbox is full") } == 3)
    #expect(run.status == .exited(1))
  }

  @Test func `what follows quit is not read`() async throws {
    let run = try await talk("quit\nprut\n")
    #expect(run.output == "")
    #expect(run.status == .exited(0))
  }

  @Test func `a line that is no text is one error`() async throws {
    let run = try await PipedRun.of(
      "ConsoleFixture", input: [0xFF, 0x0A] + Array("show\n".utf8))
    #expect(run.errorOutput == "error: the line is not UTF-8 text; type a command, or 'help'\n")
    #expect(run.output == "Shelf\n")
  }

  @Test func `answers are JSON where that is requested`() async throws {
    let run = try await talk("put a \"cup\"\nrefuse\ndrop\nhelp put\n", "json")
    #expect(
      run.output == """
        {"outcome":"put a cup"}
        {"help":"put THING\\n  put a thing\\n  For example: put a cup"}

        """)
    let errors = run.errorOutput.split(separator: "\n")
    #expect(errors.count == 2)
    #expect(errors.first == "{\"error\":\"the shelf refuses; try 'put'\"}")
    #expect(errors.last == "{\"error\":\"the work failed: it is in pieces\"}")
  }

  @Test(arguments: [["json"], ["json", "bare"]])
  func `each line is a JSON object where that is requested`(arguments: [String]) async throws {
    let lines = [
      "put a \"cup\"", "show", "count", "begin", "put a plate", "warn", "refuse", "prut", "help",
      "drop", "decline", "end", "put a cup",
    ]
    let run = try await PipedRun.of(
      "ConsoleFixture", arguments: arguments, input: Array((lines.joined(separator: "\n")).utf8))
    for line in (run.output + run.errorOutput).split(separator: "\n") {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(value is [String: Any], "\(line)")
    }
    #expect(run.errorOutput.split(separator: "\n").count == 6)
  }

  @Test func `JSON that a screen prints remains JSON, without characters for the terminal`()
    async throws
  {
    let run = try await talk("", "json", "objects")
    // Split at line feeds alone: other line separators must have been escaped.
    let lines = run.output.utf8.split(separator: UInt8(ascii: "\n")).map { Data($0) }
    #expect(lines.count == 2)
    let object = try JSONSerialization.jsonObject(with: try #require(lines.first))
    #expect((object as? [String: Any])?["mark"] as? String == "\u{2028}\u{202E}\u{7F}\u{85}")
    #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || (32..<127).contains($0.value) })
    #expect(run.status == .exited(0))
  }

  @Test func `rows and reports are JSON where that is requested`() async throws {
    let rows = try await talk("put a \"cup\"\nshow\n", "json")
    #expect(
      rows.output == "{\"outcome\":\"put a cup\"}\n{\"rows\":[\"Shelf\",\"a cup\"]}\n")
    let report = try await talk("put a cup\n", "json", "bare")
    #expect(report.output == "{\"outcome\":\"put a cup\"}\n{\"line\":\"1 things\"}\n")
  }

  @Test func `output that cannot be written is a JSON object where that is requested`()
    async throws
  {
    let run = try await PipedRun.of(
      "/bin/sh",
      arguments: ["-c", "echo count | '\(BuiltProduct.path("ConsoleFixture"))' json > /dev/full"],
      input: [])
    #expect(
      run.errorOutput == "{\"error\":\"cannot write the output; see whether the disk is full\"}\n")
    #expect(run.status == .exited(1))
  }

  @Test func `a line that begins with a number sign is a comment`() async throws {
    let run = try await talk("# put a cup\nput a plate\n  # put #2\nput #3\nshow\n")
    #expect(run.output == "Shelf\na plate\n#3\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `an error of a script has its file and line`() async throws {
    let run = try await script("put a cup\n# a comment\n\nprut\nrefuse\nwarn\ndrop")
    #expect(
      run.errorOutput == """
        script.txt:4: error: unknown command 'prut'; did you mean 'put'? ('help' lists all)
        script.txt:5: error: the shelf refuses; try 'put'
        script.txt:6: warning: the shelf is nearly full
        script.txt:7: error: the work failed: it is in pieces

        """)
    #expect(run.status == .exited(1))
    let json = try await script("put a cup\nrefuse\n", "json")
    #expect(
      json.errorOutput
        == #"{"error":"the shelf refuses; try 'put'","file":"script.txt","line":2}"# + "\n")
  }

  private func script(_ text: String, _ mode: String = "") async throws -> PipedRun {
    let directory = try ScratchDirectory()
    try directory.write(text, to: "script.txt")
    let fixture = BuiltProduct.path("ConsoleFixture")
    return try await PipedRun.of(
      "/bin/sh", arguments: ["-c", "cd '\(directory.path)'; '\(fixture)' \(mode) < script.txt"],
      input: [])
  }

  @Test(arguments: [
    ("< /", "Is a directory"),
    ("<&-", "it is closed; open it, or redirect it from a file or /dev/null"),
  ])
  func `standard input that cannot be read is an error`(
    redirection: String, reason: String
  ) async throws {
    let run = try await PipedRun.of(
      "/bin/sh", arguments: ["-c", "'\(BuiltProduct.path("ConsoleFixture"))' \(redirection)"],
      input: [])
    #expect(run.output == "")
    #expect(run.errorOutput == "error: cannot read the commands from standard input: \(reason)\n")
    #expect(run.status == .exited(1))
  }

  @Test func `an error of the sample names the remedy`() async throws {
    let run = try await PipedRun.of("EggTimer", input: "start soon\nstart 0\nstop\n")
    #expect(
      run.errorOutput == """
        error: start takes a whole number, not 'soon'; try 'start 270'
        error: 0 is out of range; use a number from 1 to 3600

        """)
    #expect(run.status == .exited(1))
  }

  @Test func `the sample prints in a pipe when the eggs are done`() async throws {
    let run = try await PipedRun.of("EggTimer", input: "start 1\n")
    #expect(run.output == "the eggs are done\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `the sample's next line is read while it counts`() async throws {
    let run = try await PipedRun.of("EggTimer", input: "start 3600\nstart 3000\nstop\n")
    #expect(run.output == "")
    #expect(run.status == .exited(0))
  }

  @Test(arguments: ["--halp", "270"])
  func `the sample takes no arguments, and reports any`(argument: String) async throws {
    let run = try await PipedRun.of(
      "EggTimer", arguments: [argument], input: Array("start soon\n".utf8))
    #expect(
      run.errorOutput == "error: EggTimer takes no arguments; type 'help' when it runs\n")
    #expect(run.status == .exited(64))
  }

  @Test(arguments: ["--help", "-h"])
  func `the sample prints its commands as help`(argument: String) async throws {
    let run = try await PipedRun.of(
      "EggTimer", arguments: [argument], input: Array("start soon\n".utf8))
    #expect(
      run.output == """
        EggTimer counts down. Its commands, one a line:

        start SECONDS   count down
        stop            stop counting
        help [COMMAND]  list the commands, or explain one
        quit, exit, q   leave (so does Ctrl-D)

        """)
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `the sample reports that standard input is closed`() async throws {
    let run = try await PipedRun.of(
      "/bin/sh", arguments: ["-c", "'\(BuiltProduct.path("EggTimer"))' <&-"], input: [])
    #expect(
      run.errorOutput == """
        error: cannot read the commands from standard input: \
        it is closed; open it, or redirect it from a file or /dev/null

        """)
    #expect(run.status == .exited(1))
  }

  @Test(arguments: [
    (">&-", "standard output is closed; open it, or redirect it to /dev/null"),
    ("> /dev/full", nil),
  ])
  func `output that cannot be written is an error with its cause`(
    redirection: String, cause: String?
  ) async throws {
    let fixture = BuiltProduct.path("ConsoleFixture")
    let run = try await PipedRun.of(
      "/bin/sh", arguments: ["-c", "echo count | '\(fixture)' \(redirection)"], input: [])
    let text = cause.map { ": \($0)" } ?? "; see whether the disk is full"
    #expect(run.errorOutput == "error: cannot write the output\(text)\n")
    #expect(run.status == .exited(1))
  }

  private func talk(_ lines: String, _ arguments: String...) async throws -> PipedRun {
    try await PipedRun.of("ConsoleFixture", arguments: arguments, input: Array(lines.utf8))
  }
}
