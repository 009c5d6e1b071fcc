import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

@Suite(.bounded) struct CommandHelpTests {
  private static let infos =
    ListCommand.table.infos + EditorCommand.table.infos + StatisticsCommand.table.infos

  @Test func `the usage is made from the parameters`() {
    #expect(
      ListCommand.table.infos.map(\.usage) == [
        "add TITLE [--memo TEXT] [--section NAME]", "done N…", "open N…", "rename N TITLE",
        "memo N [TEXT]", "move N M", "delete, rm N…", "clear done", "undo", "redo", "list, ls [N]",
        "filter open|done|all", "search [TEXT]", "section [NAME]", "refresh", "edit N",
        "new [TITLE]", "editing", "stats", "export FILE", "import FILE", "demo", "help [COMMAND]",
        "quit, exit, q",
      ])
    #expect(EditorCommand.table.info(named: "back")?.usage == "cancel, back")
  }

  @Test func `the overview has one line for each command`() throws {
    let lines = try ListCommand.table.help(about: nil).split(separator: "\n")
    #expect(lines.count == ListCommand.table.infos.count)
    #expect(lines[1] == "done N…                                   mark tasks as done")
  }

  @Test func `the help of one command is complete`() throws {
    #expect(
      try ListCommand.table.help(about: "MOVE") == """
        move N M
          move a task to the place of another
          The other one moves down if the task comes from below, else up.
          For example: move 3 1
        """)
  }

  @Test func `a command without details has no empty line`() throws {
    let help = try ListCommand.table.help(about: "rename")
    #expect(
      help.split(separator: "\n").dropFirst(2) == [
        "  Tab after N fills in the title that it has, to be changed.",
        "  For example: rename 2 Buy oat milk",
      ])
    #expect(try ListCommand.table.help(about: "redo").split(separator: "\n").count == 2)
  }

  @Test func `no line of it is wider than a terminal`() throws {
    for name in [nil] + ListCommand.table.infos.map(\.name) {
      for line in try ListCommand.table.help(about: name).split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
    }
  }

  @Test func `help about an unknown command suggests others`() {
    #expect(throws: CommandError("unknown command 'ad'; did you mean 'add'? ('help' lists all)")) {
      try ListCommand.table.help(about: "ad")
    }
  }

  @Test func `every example is a line that does what it says`() throws {
    for info in ListCommand.table.infos { #expect(try ListCommand(line: info.example) != nil) }
    for info in EditorCommand.table.infos { #expect(try EditorCommand(line: info.example) != nil) }
    for info in StatisticsCommand.table.infos {
      #expect(try StatisticsCommand(line: info.example) != nil)
    }
    #expect(Self.infos.allSatisfy { $0.example.hasPrefix($0.name) })
  }

  @Test func `no two commands of a screen share a name, and all are lower-case`() {
    for infos in [
      ListCommand.table.infos, EditorCommand.table.infos, StatisticsCommand.table.infos,
    ] {
      let names = infos.flatMap(\.names)
      #expect(Set(names).count == names.count)
      #expect(names.allSatisfy { $0 == $0.lowercased() })
    }
  }

  @Test func `only the last parameter of a command may be several words`() {
    for info in Self.infos {
      #expect(info.places.dropLast().allSatisfy { $0.extent == .word && !$0.isOptional })
    }
  }
}
