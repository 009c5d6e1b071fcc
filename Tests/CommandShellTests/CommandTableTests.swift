import Testing
import TestLimits

@testable import CommandShell

@Suite(.bounded) struct CommandTableTests {
  @Test(arguments: [
    ("add 5", Light.add(5)), ("ADD -5", .add(-5)), ("add +5", .add(5)), ("dim", .dim(1)),
    ("dim 3", .dim(3)), ("call big one", .call("big one")),
  ])
  func `a line becomes a command`(line: String, command: Light) throws {
    #expect(try Light(line: line) == command)
  }

  @Test(arguments: ["", "   ", "\t"])
  func `an empty line is no command`(line: String) throws {
    #expect(try Light(line: line) == nil)
  }

  @Test(arguments: [
    ("add", "add needs a whole number; try 'add 5'"),
    ("add x", "add takes a whole number, not 'x'; try 'add 5'"),
    ("add -", "add takes a whole number, not '-'; try 'add 5'"),
    ("add 1 2", "'2' is too much for 'add N'; try 'add 5'"),
    ("add 1 # one", "'#' is too much for 'add N'; a comment needs a line of its own"),
    ("add 1 '#'", "'#' is too much for 'add N'; try 'add 5'"),
    ("dim 0", "0 is out of range; use a number from 1 to 9"),
    ("dim 99999999999999999999", "99999999999999999999 is out of range; use a number from 1 to 9"),
    ("call ''", "a name cannot be blank; try 'call hall'"),
    ("ad 5", "unknown command 'ad'; did you mean 'add'? ('help' lists all)"),
  ])
  func `an error of a line names what is wrong and what would be right`(
    line: String, complaint: String
  ) {
    #expect(throws: CommandError(complaint)) { try Light(line: line) }
  }

  @Test func `help and quit are added, and keep the names that are left`() throws {
    let table = Light.table.withHelpAndQuit
    #expect(table.infos.map(\.name) == ["add", "dim", "call", "q", "help", "quit"])
    #expect(table.info(named: "quit")?.aliases == ["exit"])
    #expect(try table.command(ShellWords.split("help dim")) == .help("dim"))
    #expect(try table.command(ShellWords.split("exit")) == .quit)
    #expect(try table.command(ShellWords.split("q")) == .own(.add(0)))
    #expect(try table.command(ShellWords.split("add 2")) == .own(.add(2)))
    #expect(try table.command([]) == nil)
  }

  @Test func `help and quit under common other names work, and are not offered`() throws {
    let table = Light.table.withHelpAndQuit
    #expect(try table.command(ShellWords.split("?")) == .help(nil))
    #expect(try table.command(ShellWords.split("? dim")) == .help("dim"))
    #expect(try table.command(ShellWords.split(":q")) == .quit)
    #expect(!table.infos.flatMap(\.names).contains { ["?", ":q"].contains($0) })
    #expect(throws: CommandError.self) { try Light(line: "?") }
  }

  @Test func `a table that has help and quit keeps its own`() throws {
    let table = CommandTable<Int>([
      CommandSpec("help", summary: "mine") { 1 }, CommandSpec("quit", summary: "mine") { 2 },
    ]).withHelpAndQuit
    #expect(try table.command(ShellWords.split("help")) == .own(1))
    #expect(try table.command(ShellWords.split("quit")) == .own(2))
    #expect(table.infos.count == 2)
  }

  @Test func `a shorthand is matched before the names`() throws {
    var table = Light.table
    table.shorthand = { words throws(CommandError) in Int(words[0].text).map { .add($0) } }
    #expect(try table.command(ShellWords.split("7")) == .add(7))
    #expect(try table.withHelpAndQuit.command(ShellWords.split("7")) == .own(.add(7)))
    #expect(try table.command(ShellWords.split("dim")) == .dim(1))
  }

  #if os(Linux) || os(macOS)
    @Test func `a text before another parameter is refused as the table is made`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        _ = CommandSpec("bid", .text("WHO"), .number(), summary: "bid") { $0 + "\($1)" }
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("'bid' takes the rest of the line for WHO"))
      #expect(said.contains(".word(\"WHO\")"))
    }
  #endif

  @Test(arguments: [("bid ann 20", "ann", 20), ("bid 'ann lee' 5", "ann lee", 5)])
  func `a word parameter may precede another parameter`(line: String, who: String, amount: Int)
    throws
  {
    let table = CommandTable<[String]>([
      CommandSpec("bid", .word("WHO", "a name"), .number(), summary: "bid", example: "bid ann 5") {
        [$0, "\($1)"]
      }
    ])
    #expect(try table.command(ShellWords.split(line)) == [who, "\(amount)"])
    #expect(throws: CommandError("a name cannot be blank; try 'bid ann 5'")) {
      try table.command(ShellWords.split("bid ' ' 5"))
    }
  }

  @Test func `all commands are listed with what they do`() throws {
    #expect(
      try Light.table.help(about: nil) == """
        add N      make it lighter
        dim [N]    make it darker
        call NAME  give it a name
        q          nothing
        """)
    #expect(
      try Light.table.help(about: "add") == "add N\n  make it lighter\n  For example: add 5")
  }
}

@Suite(.bounded) struct KnownCompletionTests {
  @Test(arguments: [
    ("c", ["call "]), ("call h", ["hall "]), ("call ", ["\"hall\" ", "\"living room\" "]),
    ("call living r", [#""living room" "#]), ("call 'l", ["'living room' "]), ("add ", []),
  ])
  func `values that the program knows are offered, quoted where necessary`(
    line: String, texts: [String]
  ) {
    let completion = CommandCompletion(
      commands: Light.table.infos,
      known: { source, typed, _ in
        source == .names
          ? CommandCompletion.words(["hall", "living room"], beginningWith: typed) : []
      })
    #expect(completion.completion(of: line).candidates.map(\.text) == texts)
  }
}

enum Light: ShellCommand {
  case add(Int)
  case dim(Int)
  case call(String)

  static let table = CommandTable<Self>([
    CommandSpec("add", .number(), summary: "make it lighter", example: "add 5") { .add($0) },
    CommandSpec("dim", .number(in: 1...9, absent: 1), summary: "make it darker", example: "dim 2") {
      .dim($0)
    },
    CommandSpec(
      "call", .text("NAME", "a name", completing: .known(.names)), summary: "give it a name",
      example: "call hall"
    ) { .call($0) },
    CommandSpec("q", summary: "nothing") { .add(0) },
  ])
}

extension CompletionSource {
  fileprivate static let names: Self = "names"
}
