import Readline
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

@Suite(.bounded) struct CommandCompletionTests {
  @Test(arguments: [
    ("", ["add ", "quit "]), ("d", ["done ", "delete ", "demo "]), ("  DO", ["done "]),
    ("ed", ["edit ", "editing "]),
    ("'qu", ["'quit' "]),
  ])
  func `the first word is a command`(line: String, some: [String]) {
    let texts = completed(line)
    #expect(some.allSatisfy(texts.contains))
    if !line.isEmpty { #expect(texts == some) }
  }

  @Test(arguments: [
    ("filter ", ["open ", "done ", "all "]), ("filter o", ["open "]), ("filter open ", []),
    ("clear ", ["done "]), ("help mo", ["move "]), ("help move ", []), ("undo ", []), ("x ", []),
    ("list ", []), ("search b", []), ("done 'x' --", []),
  ])
  func `parameters with fixed values are completed by them`(line: String, texts: [String]) {
    #expect(completed(line) == texts)
  }

  @Test(arguments: [
    ("section ", [#""Home" "#, #""At work" "#]), ("section h", ["Home "]),
    ("section at w", [#""At work" "#]), ("section 'At", ["'At work' "]), ("section x", []),
    ("add x --section ", [#""Home" "#, #""At work" "#]), ("add x --section=h", ["--section=Home "]),
    ("add x --section=", [#"--section="Home" "#, #"--section="At work" "#]),
    ("add x --section 'At w", ["'At work' "]), ("add -- --section h", []),
  ])
  func `sections are completed, after the option too`(line: String, texts: [String]) {
    #expect(completed(line) == texts)
  }

  @Test(arguments: [
    ("add -", ["--memo ", "--section "]), ("add x --s", ["--section "]),
    ("add x --memo y --", ["--section "]), ("add Buy ", ["--memo ", "--section "]),
    ("add x --memo=y ", ["--section "]), ("add x --memo ", []), ("add -- x ", []), ("list --", []),
    ("add Buy m", []),
  ])
  func `options that are not given yet are completed`(line: String, texts: [String]) {
    #expect(completed(line) == texts)
  }

  @Test(arguments: [
    ("done Bu", [#""Buy milk" "#]), ("done bu", [#""Buy milk" "#]), ("delete tea", ["tea "]),
    (#"done "Buy m"#, [#""Buy milk" "#]), ("done 'buy", ["'Buy milk' "]),
    (#"done Buy\ m"#, [#""Buy milk" "#]), ("done 1 Buy", [#""Buy milk" "#]),
    ("edit buy m", [#""Buy milk" "#]), ("edit buy ", [#""Buy milk" "#]),
    ("open ca", [#""Call \"Bob\"" "#]), ("done ca", []), ("move te", ["tea "]),
    ("done buy mi", [#""Buy milk" "#]), ("delete tea buy 'mi", [#""Buy milk" "#]),
    ("done 1 mi", []), ("done 'buy' mi", []), ("move 1 te", ["tea "]), ("rename te", ["tea "]),
    ("delete x", []),
  ])
  func `tasks are completed by their titles`(line: String, texts: [String]) {
    #expect(completed(line) == texts)
  }

  @Test func `a task is listed with the number of its row`() {
    #expect(
      completion.completion(of: "delete ").candidates.map(\.label) == [
        "1. Buy milk", #"2. Call "Bob""#, "3. tea", "4. 2 litres", "5. 17",
      ])
  }

  @Test(arguments: [
    ("delete 1", [#"1 "#, #""17" "#], ["1. Buy milk", "5. 17"]),
    ("delete 2", ["2 ", #""2 litres" "#], [#"2. Call "Bob""#, "4. 2 litres"]),
  ])
  func `digits name rows, and titles in quotes`(line: String, texts: [String], labels: [String]) {
    #expect(completed(line) == texts)
    #expect(completion.completion(of: line).candidates.map(\.label) == labels)
  }

  @Test(arguments: [
    ("done ", false), ("delete ", false), ("add x --section ", false), ("section ", false),
    ("delete t", true),
  ])
  func `no quote is inserted before the first character`(line: String, isShared: Bool) {
    #expect(completion.completion(of: line).isSharedInserted == isShared)
  }

  @Test func `the common prefix of all candidates is inserted, quote and all`() {
    var alike = completion
    alike.rows = [.init(number: 1, title: "Buy milk"), .init(number: 2, title: "Buy bread")]
    #expect(alike.completion(of: "done ").isSharedInserted)
  }

  @Test func `tasks of the same title are completed by number`() {
    var twice = completion
    twice.rows = [.init(number: 12, title: "tea"), .init(number: 13, title: "tea")]
    let completion = twice.completion(of: "done t")
    #expect(
      completion.candidates == [.init("12 ", label: "12. tea"), .init("13 ", label: "13. tea")])
    #expect(!completion.isSharedInserted)
    #expect(twice.completion(of: "done 1").isSharedInserted)
  }

  @Test func `a title that cannot be typed is completed by number, and listed safely`() {
    var odd = completion
    odd.rows = [.init(number: 1, title: "a\u{1B}[2J\n")]
    #expect(odd.completion(of: "done ").candidates == [.init("1 ", label: #"1. a\u{1B}[2J\n"#)])
  }

  @Test(arguments: [
    ("rename 1 ", ["Buy milk "]), ("rename tea ", ["tea "]), ("rename 1 buy", ["Buy milk "]),
    ("rename 1 x", []), ("rename 9 ", []), ("rename 2 ", [#""Call \"Bob\"" "#]),
  ])
  func `a new title begins with the old one`(line: String, texts: [String]) {
    #expect(completed(line) == texts)
  }

  @Test(arguments: [
    ("export ", ["docs/", "tasks.json "]), ("export t", ["tasks.json "]),
    ("import docs/", [#""docs/my tasks" "#, #""docs/old" "#]), ("import docs/o", ["docs/old "]),
    ("import .", [".hidden "]), ("import T", []), ("import 'do", ["'docs/"]), ("import a b", []),
  ])
  func `files are completed, and directories left open`(line: String, texts: [String]) {
    #expect(completed(line) == texts)
  }

  @Test func `each screen completes its own commands`() {
    var other = completion
    other.commands = EditorCommand.table.infos
    #expect(other.completion(of: "ba").candidates.map(\.text) == ["back "])
    #expect(other.completion(of: "do").candidates == [])
  }

  private let completion = TaskCompletion(
    sections: ["Home", "At work"],
    rows: [
      .init(number: 1, title: "Buy milk"), .init(number: 2, title: #"Call "Bob""#, isDone: true),
      .init(number: 3, title: "tea"), .init(number: 4, title: "2 litres"),
      .init(number: 5, title: "17"),
    ],
    files: { directory in
      switch directory {
      case "": [".hidden", "docs/", "tasks.json"]
      case "docs/": ["my tasks", "old"]
      default: []
      }
    })

  private func completed(_ line: String) -> [String] {
    completion.completion(of: line).candidates.map(\.text)
  }
}

extension TaskCompletion {
  /// What Tab offers on the list.
  fileprivate init(
    sections: [String] = [], rows: [Row] = [],
    files: @escaping CommandCompletion.FileLister = { _ in [] }
  ) {
    self.init(
      commands: ListCommand.table.infos, sections: sections, rows: rows, files: files)
  }
}

@Suite(.bounded) struct CompletedLineTests {
  @Test(arguments: [
    "Buy milk", "it's \"quoted\"", #"back\slash"#, "語の本", "e\u{301}te\u{301}", "👩‍👧 call",
    "$HOME `x`",
    "--memo", "2", "2-5", "-3", "+3", "0", "-", "a  b", " lead", "trail ", "10\u{A0}km",
    "\u{301}odd",
    "#1", "a=b", "x\u{3000}y", "99999999999999999999", "back\\",
  ])
  func `a completed line names that task, however it was begun`(title: String) throws {
    let completion = TaskCompletion(rows: [.init(number: 7, title: title)])
    for begun in beginnings(of: title) {
      let line = "done \(begun)"
      for candidate in completion.completion(of: line).candidates {
        let completed = line[..<completion.completion(of: line).start] + candidate.text
        let command = try ListCommand(line: String(completed))
        #expect(
          command == .setDone(TaskSelection(titles: title), true)
            || command == .setDone(TaskSelection(rows: 7), true), "\(completed)")
      }
    }
    #expect(completion.completion(of: "done ").candidates.count == 1)
  }

  @Test func `any title is completed to a line that names it`() throws {
    var random = RandomText(seed: 10)
    for _ in 0..<300 {
      let title = random.text()
      let completion = TaskCompletion(rows: [.init(number: 7, title: title)])
      for begun in beginnings(of: title) {
        let line = "edit \(begun)"
        let result = completion.completion(of: line)
        for candidate in result.candidates {
          let completed = String(line[..<result.start] + candidate.text)
          let command = try? ListCommand(line: completed)
          #expect(command == .edit(.title(title)) || command == .edit(.row(7)), "\(completed)")
        }
      }
    }
  }

  @Test func `any half-typed line is completed without an error`() {
    var random = RandomText(seed: 11)
    let completion = TaskCompletion(
      sections: ["Home", "At work"], rows: [.init(number: 1, title: "a b")],
      files: { _ in ["a", "b/"] })
    let starts = ListCommand.table.infos.map { "\($0.name) " } + ["", "add x --section="]
    for start in starts {
      for _ in 0..<50 {
        let line = start + random.text(upTo: 20)
        let result = completion.completion(of: line)
        #expect(result.start <= line.endIndex)
      }
    }
  }

  /// What may have been typed of a title when Tab is pressed.
  private func beginnings(of title: String) -> [String] {
    (0...title.count).flatMap { count in
      let part = String(title.prefix(count))
      return [
        ShellWords.quoted(part), ShellWords.quoted(part, .double, isOpen: true),
        ShellWords.quoted(part, .single, isOpen: true), ShellWords.quoted(part.lowercased()),
      ]
    }
  }
}
