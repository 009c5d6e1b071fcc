import ReactorREPL
import TestLimits
import Testing

@Suite(.bounded) struct ParameterLabelTests {
  private enum Command: Equatable { case word(String), text(String), number(Int) }

  private let table = CommandTable<Command>([
    CommandSpec("add", .word(), summary: "", example: "add milk") { .word($0) },
    CommandSpec("section", .word("SECTION"), summary: "", example: "section Home") { .word($0) },
    CommandSpec("note", .text("NOTE"), summary: "", example: "note two litres") { .text($0) },
    CommandSpec("title", .text("TITLE", "a title"), summary: "", example: "title Buy milk") {
      .text($0)
    },
    CommandSpec("set", .number(), summary: "", example: "set 5") { .number($0) },
    CommandSpec("start", .number("SECONDS"), summary: "", example: "start 270") { .number($0) },
  ])

  @Test(arguments: [
    ("add", "add needs a word; try 'add milk'"),
    ("section", "section needs SECTION, a word; try 'section Home'"),
    ("note", "note needs NOTE, a text; try 'note two litres'"),
    ("title", "title needs a title; try 'title Buy milk'"),
    ("set", "set needs a whole number; try 'set 5'"),
    ("start", "start needs SECONDS, a whole number; try 'start 270'"),
    ("section ' '", "SECTION cannot be blank; try 'section Home'"),
    ("title ' '", "a title cannot be blank; try 'title Buy milk'"),
  ])
  func `an error names a parameter by its label, unless its meaning says more`(
    line: String, error: String
  ) {
    #expect(throws: CommandError(error)) { try table.command(ShellWords.split(line)) }
  }
}
