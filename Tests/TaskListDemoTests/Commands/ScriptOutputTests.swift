import Foundation
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct ScriptOutputTests {
  @Test func `a list is one line, with every key each time`() {
    #expect(
      ScriptOutput.list(ScriptList(page)).line == """
        {"list":{"tasks":[\
        {"completed":null,"created":"1970-01-01T00:00:00Z","done":false,"id":"@7","memo":"2/3 l",\
        "row":3,"section":"Home","title":"Buy milk"},\
        {"completed":"1970-01-01T00:01:00Z","created":"1970-01-01T00:00:00Z","done":true,"id":"@8",\
        "memo":null,"row":4,"section":"Work","title":"Call\\n\\"Bob\\""}],"total":9}}
        """)
  }

  @Test func `sections are written with their counts`() {
    #expect(
      ScriptOutput.sections(page.sections.map(ScriptSection.init)).line
        == #"{"sections":[{"done":2,"name":"Home","open":1},{"done":0,"name":"Work","open":4}]}"#)
  }

  @Test func `an outcome is written with its tasks`() {
    let outcome = TaskOutcome(
      summary: "deleted 2 tasks", revision: 5, tasks: [], ids: [7, 8])
    #expect(
      ScriptOutput.outcome(ScriptOutcome(outcome, in: [])).line
        == #"{"outcome":{"ids":["@7","@8"],"summary":"deleted 2 tasks","tasks":[]}}"#)
    let task = ScriptTask(page.tasks[0], row: nil, in: "Home")
    #expect(task.section == "Home")
    #expect(task.row == nil)
  }

  @Test func `what is written can be read again`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let line = ScriptOutput.list(ScriptList(page)).line
    let read = try decoder.decode([String: ScriptList].self, from: Data(line.utf8))
    #expect(read == ["list": ScriptList(page)])
  }

  private let page = TaskPage.two
}

@Suite(.bounded) struct PlainListTests {
  @Test func `rows have a number, a box and a title`() {
    var page = TaskPage.two
    page.offset = 0
    page.sections = [page.sections[0]]
    page.tasks[1].title = "Call Bob"
    #expect(PlainList.lines(of: page) == ["1. [ ] Buy milk", "2. [x] Call Bob"])
  }

  @Test func `sections have headings if there are several, and numbers go on across them`() {
    #expect(
      PlainList.lines(of: .two)
        == ["# Home", "3. [ ] Buy milk", "# Work", #"4. [x] Call\n"Bob""#])
  }

  @Test func `a single section needs no heading`() {
    var page = TaskPage.two
    page.tasks.removeLast()
    #expect(PlainList.lines(of: page, isOneSection: true) == ["3. [ ] Buy milk"])
  }

  @Test func `outside a conversation rows are named by their ids`() {
    #expect(
      PlainList.lines(of: .two, by: .ids)
        == ["# Home", "@7 [ ] Buy milk", "# Work", #"@8 [x] Call\n"Bob""#])
  }

  @Test func `an empty list has no lines`() {
    var page = TaskPage.two
    page.tasks = []
    #expect(PlainList.lines(of: page) == [])
  }

  @Test func `joined emoji stay whole, control characters are spelled out`() {
    var page = TaskPage.two
    page.tasks.removeLast()
    page.tasks[0].title = "👩‍👧 \u{1B}[2J\u{202E}"
    #expect(
      PlainList.lines(of: page, isOneSection: true) == [#"3. [ ] 👩‍👧 \u{1B}[2J\u{202E}"#])
  }
}

extension TaskPage {
  /// Two rows of a longer list, in two sections.
  fileprivate static let two = TaskPage(
    tasks: [
      TaskItem(
        id: 7, sectionID: 1, title: "Buy milk", memo: "2/3 l",
        createdAt: Date(timeIntervalSince1970: 0), position: 2),
      TaskItem(
        id: 8, sectionID: 2, title: "Call\n\"Bob\"", createdAt: Date(timeIntervalSince1970: 0),
        completedAt: Date(timeIntervalSince1970: 60), position: 0),
    ],
    offset: 2, total: 9,
    sections: [
      TaskSection(id: 1, name: "Home", position: 0, openCount: 1, doneCount: 2),
      TaskSection(id: 2, name: "Work", position: 1, openCount: 4, doneCount: 0),
    ],
    revision: 5)
}
