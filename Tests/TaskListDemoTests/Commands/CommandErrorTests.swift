import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

@Suite(.bounded) struct CommandErrorTests {
  @Test(arguments: [
    ("ad", "unknown command 'ad'; did you mean 'add'? ('help' lists all)"),
    ("dnoe 2", "unknown command 'dnoe'; did you mean 'done'? ('help' lists all)"),
    ("re", "unknown command 're'; did you mean 'rename', 'redo' or 'refresh'? ('help' lists all)"),
    ("dele 2", "unknown command 'dele'; did you mean 'delete'? ('help' lists all)"),
    ("frobnicate", "unknown command 'frobnicate'; 'help' lists all"),
    ("''", "unknown command ''; 'help' lists all"),
    ("#", "unknown command '#'; 'help' lists all"),
    ("2-5", "'2-5' names tasks, but no command; try 'done 2-5'"),
    ("save", "'save' is no command here; changes in the list are saved at once"),
    ("\u{1B}[2J", #"unknown command '\u{1B}[2J'; 'help' lists all"#),
  ])
  func `an unknown command is named`(line: String, complaint: String) {
    expectError(complaint, for: line)
  }

  @Test(arguments: [
    ("add", #"add needs a title; try 'add Buy milk --memo "two litres" --section Home'"#),
    ("add --memo x", #"add needs a title; try 'add Buy milk --memo "two litres" --section Home'"#),
    ("done", #"done needs the numbers of tasks; try 'done 2 4-6 "Buy m"'"#),
    ("edit", "edit needs the number of a task; try 'edit 2'"),
    ("rename", "rename needs the number of a task; try 'rename 2 Buy oat milk'"),
    ("rename 2", "rename needs a title; try 'rename 2 Buy oat milk'"),
    ("move 2", "move needs the number of a task; try 'move 3 1'"),
    ("filter", "filter needs open, done or all; try 'filter open'"),
    ("clear", "clear needs done; try 'clear done'"),
    ("export", "export needs the name of a file; try 'export tasks.json'"),
  ])
  func `a missing argument is named`(line: String, complaint: String) {
    expectError(complaint, for: line)
  }

  @Test(arguments: [
    ("undo 2", "undo takes nothing, not '2'; type 'undo' alone"),
    (
      "move 1 2 3",
      "'3' is too much for 'move N M'; try 'move 3 1', and quote what has blanks in it"
    ),
    ("edit 2 3", "'3' is too much for 'edit N'; try 'edit 2', and quote what has blanks in it"),
    ("3 4", "'4' is too much after a row's number; try '3', or 'done 3'"),
  ])
  func `an extra argument is named`(line: String, complaint: String) {
    expectError(complaint, for: line)
  }

  @Test(arguments: [
    ("add ''", #"a title cannot be blank; try 'add Buy milk --memo "two litres" --section Home'"#),
    ("rename 2 ' '", "a title cannot be blank; try 'rename 2 Buy oat milk'"),
    ("rename 2 '\u{200B}'", "a title cannot be blank; try 'rename 2 Buy oat milk'"),
    ("new ''", "a title cannot be blank; try 'new Buy milk'"),
    ("section ''", "a section's name cannot be blank; try 'section Home'"),
    ("done ''", #"done takes the numbers of tasks, not ''; try 'done 2 4-6 "Buy m"'"#),
    ("edit ' '", "edit takes the number of a task, not ' '; try 'edit 2'"),
    ("export ''", "the name of a file cannot be blank; try 'export tasks.json'"),
  ])
  func `an argument that must not be blank is named`(line: String, complaint: String) {
    expectError(complaint, for: line)
  }

  @Test(arguments: [
    ("list x", "list takes the number of a row, not 'x'; try 'list 20'"),
    ("list '2'", "list takes the number of a row, not '2'; try 'list 20'"),
    ("list 1,987", "list takes the number of a row, not '1,987'; try 'list 1987'"),
    ("list 0", "there is no row 0; rows are numbered from 1"),
    ("0", "there is no row 0; rows are numbered from 1"),
    ("filter x", "filter takes open, done or all, not 'x'; try 'filter open'"),
    ("clear all", "clear takes done, not 'all'; try 'clear done'"),
    ("done 1 0", "there is no row 0; rows are numbered from 1"),
    ("done 5-2", "5-2 runs backwards; try '2-5'"),
  ])
  func `an argument that does not fit is named`(line: String, complaint: String) {
    expectError(complaint, for: line)
  }

  @Test(arguments: [
    ("add x --mem y", "unknown option '--mem'; did you mean '--memo'? (after '--' it is a text)"),
    (
      "add x --zzzzzz",
      "unknown option '--zzzzzz'; add has '--memo' or '--section' (after '--' it is a text)"
    ),
    ("search --help", "'--help' is no option here; try 'help search'"),
    ("search --x", "unknown option '--x'; search has none (after '--' it is a text)"),
    ("add x --memo", #"--memo needs a text; try '--memo "some words"'"#),
    ("add x --memo --section y", #"--memo needs a text; try '--memo "some words"'"#),
    ("add x --memo a --memo b", "--memo is there twice; give it once"),
    (
      "add Buy --memo two litres",
      "'litres' after '--memo two' could belong to either; quote the text of --memo, or put it last"
    ),
  ])
  func `an option that does not fit is named`(line: String, complaint: String) {
    expectError(complaint, for: line)
  }

  @Test(arguments: [
    ("add x", "'add' is no command here; 'save' or 'cancel' leads back to the list"),
    ("rename 2 x", "'rename' is no command here; 'title' sets the title"),
    ("titel x", "unknown command 'titel'; did you mean 'title'? ('help' lists all)"),
    ("2", "unknown command '2'; 'help' lists all"),
    ("title", "title needs a title; try 'title Buy milk'"),
  ])
  func `the editor names errors as well`(line: String, complaint: String) {
    #expect(throws: CommandError(complaint)) { try EditorCommand(line: line) }
  }

  @Test(arguments: ["a\u{1B}b", "x\u{202E}", "\u{7}", "a\0b"])
  func `control characters that move the cursor are spelled out`(word: String) throws {
    for line in ["\(word)", "list 'x\(word)'", "add x --a'\(word)'", "undo 'x\(word)'"] {
      let error = try #require(throws: CommandError.self) { try ListCommand(line: line) }
      #expect(
        !error.description.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(error.description.contains(#"\u{"#) || error.description.contains(#"\0"#))
    }
  }

  @Test func `a long word is cut`() {
    let start = String(repeating: "語", count: 40)
    expectError("unknown command '\(start)…'; 'help' lists all", for: start + "語語")
  }

  @Test func `any line is a command, nothing, or one line of error`() {
    var random = RandomText(seed: 9)
    let starts = ListCommand.table.infos.map { "\($0.name) " } + ["", "add x --memo", "done 1-"]
    for start in starts {
      for _ in 0..<200 {
        do throws(CommandError) {
          _ = try ListCommand(line: start + random.text(upTo: 20))
        } catch {
          #expect(error.description.split(whereSeparator: \.isNewline).count == 1)
        }
      }
    }
  }

  private func expectError(
    _ text: String, for line: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: CommandError(text), sourceLocation: sourceLocation) {
      try ListCommand(line: line)
    }
  }
}

@Suite(.bounded) struct NearbyWordsTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("add", "add", 0), ("ad", "add", 1), ("dnoe", "done", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func `the distance counts typing errors`(first: String, second: String, slips: Int) {
    #expect(NearbyWords.distance(first, second) == slips)
    #expect(NearbyWords.distance(second, first) == slips)
  }
}
