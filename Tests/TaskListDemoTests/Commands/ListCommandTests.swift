import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

@Suite(.bounded) struct ListCommandTests {
  @Test(arguments: ["", " ", "\t", " \u{A0}\u{2003} "])
  func `a blank line is nothing`(line: String) throws {
    #expect(try ListCommand(line: line) == nil)
  }

  @Test(arguments: [
    ("list", ListCommand.list(from: 1)), ("list 20", .list(from: 20)),
    ("done 2", .setDone(TaskSelection(rows: 2), true)),
    ("done 2 3 'Buy m' buy", .setDone(TaskSelection(rows: 2, 3, titles: "Buy m", "buy"), true)),
    ("open 1-3", .setDone(TaskSelection(rows: 1, 2, 3), false)),
    ("delete 3 1", .delete(TaskSelection(rows: 1, 3))),
    ("3", .row(3)), ("editing", .toggleEditing),
    ("edit 2", .edit(.row(2))), ("edit buy milk", .edit(.title("buy milk"))),
    ("new", .new(title: nil)), ("new Buy milk", .new(title: "Buy milk")),
    ("rename 2 Buy milk", .rename(.row(2), title: "Buy milk")),
    ("rename 'Buy m' 7", .rename(.title("Buy m"), title: "7")),
    ("memo 2 two litres", .memo(.row(2), text: "two litres")),
    ("memo 2", .memo(.row(2), text: nil)), ("memo 2 ''", .memo(.row(2), text: nil)),
    ("move 3 1", .move(.row(3), to: .row(1))), ("move tea 1", .move(.title("tea"), to: .row(1))),
    ("filter open", .filter(.open)), ("filter DONE", .filter(.done)), ("filter all", .filter(.all)),
    ("search buy milk", .search("buy milk")), ("search", .search("")),
    ("section Home stuff", .section("Home stuff")), ("section", .section(nil)),
    ("clear done", .clearDone), ("undo", .undo), ("redo", .redo), ("refresh", .refresh),
    ("stats", .statistics), ("export a.json", .exportFile("a.json")),
    ("import 'my file'", .importFile("my file")), ("help", .help(nil)), ("help add", .help("add")),
    ("quit", .quit),
  ])
  func `a line is a command`(line: String, command: ListCommand) throws {
    #expect(try ListCommand(line: line) == command)
  }

  @Test(arguments: ["Quit", "QUIT", " quit\r", "'quit'"])
  func `commands are not case-sensitive`(line: String) throws {
    #expect(try ListCommand(line: line) == .quit)
  }

  @Test(arguments: [
    ("add Buy milk", "Buy milk", nil, nil), ("add  Buy   milk ", "Buy milk", nil, nil),
    ("add 'Buy   milk'", "Buy   milk", nil, nil), ("add 5", "5", nil, nil),
    ("add Buy milk --memo '2 l' --section Home", "Buy milk", "2 l", "Home"),
    ("add --section Home Buy milk", "Buy milk", nil, "Home"),
    ("add Buy --section=Home milk", "Buy milk", nil, "Home"),
    ("add Buy --memo 'two litres' milk", "Buy milk", "two litres", nil),
    (#"add Buy --section="At home" milk"#, "Buy milk", nil, "At home"),
    ("add Buy milk --memo=", "Buy milk", nil, nil), ("add a --memo -1", "a", "-1", nil),
    ("add --memo=a=b x", "x", "a=b", nil), ("add '--memo' x", "--memo x", nil, nil),
    ("add -- --memo x", "--memo x", nil, nil), ("add --memo m -- --", "--", "m", nil),
    ("add Fix bug #12", "Fix bug #12", nil, nil), ("add -5 degrees", "-5 degrees", nil, nil),
    ("add a --memo '--section'", "a", "--section", nil),
  ])
  func `a title needs no quotes, and options may be anywhere`(
    line: String, title: String, memo: String?, section: String?
  ) throws {
    #expect(try ListCommand(line: line) == .add(title: title, memo: memo, section: section))
  }

  @Test(arguments: [
    (["add", "Buy milk"], ListCommand.add(title: "Buy milk", memo: nil, section: nil)),
    (["add", "it's \"x\\"], .add(title: "it's \"x\\", memo: nil, section: nil)),
    (
      ["add", "Buy", "--memo", "two litres", "milk"],
      .add(title: "Buy milk", memo: "two litres", section: nil)
    ),
    (["done", "2", "Buy m"], .setDone(TaskSelection(rows: 2, titles: "Buy m"), true)),
    (["add", "--", "--x"], .add(title: "--x", memo: nil, section: nil)),
  ])
  func `arguments are not split again`(arguments: [String], command: ListCommand) throws {
    #expect(try ListCommand(arguments: arguments) == command)
  }

  @Test func `no arguments are nothing`() throws {
    #expect(try ListCommand(arguments: []) == nil)
  }
}

@Suite(.bounded) struct OtherCommandTests {
  @Test(arguments: [
    ("title Buy milk", EditorCommand.title("Buy milk")), ("memo two litres", .memo("two litres")),
    ("memo", .memo(nil)), ("save", .save), ("cancel", .cancel), ("back", .cancel),
    ("leave", .leave), ("stay", .stay), ("show", .show), ("stats", .statistics),
  ])
  func `the editor has commands of its own`(line: String, command: EditorCommand) throws {
    #expect(try EditorCommand(line: line) == command)
  }

  @Test(arguments: [
    ("refresh", StatisticsCommand.refresh), ("back", .back),
  ])
  func `the statistics have commands of their own`(line: String, command: StatisticsCommand) throws
  {
    #expect(try StatisticsCommand(line: line) == command)
  }
}
