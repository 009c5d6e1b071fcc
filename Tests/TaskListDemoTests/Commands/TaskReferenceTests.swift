import Foundation
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

@Suite(.bounded) struct TaskReferenceTests {
  @Test(arguments: [("2", 2), ("1", 1), ("007", 7), ("99999999", 99_999_999)])
  func `digits alone are a row`(text: String, row: Int) throws {
    #expect(try reference(text) == .row(row))
  }

  @Test(arguments: [("@2", 2), ("@0", 0), ("@9223372036854775807", Int64.max)])
  func `digits after an @ are an id`(text: String, id: Int64) throws {
    #expect(try reference(text) == .id(id))
  }

  @Test(arguments: [
    ("@", "@"), ("@x", "@x"), (#""@2""#, "@2"), ("@2-5", "@2-5"), ("2@", "2@"), ("buy", "buy"),
    (#""Buy m""#, "Buy m"), (#""2""#, "2"), ("'2-5'", "2-5"), (#"\2"#, "2"),
    ("2x", "2x"), ("٣", "٣"), ("2.5", "2.5"), ("-", "-"), ("2-", "2-"), ("2-3-4", "2-3-4"),
    ("+", "+"), ("-x", "-x"), ("½", "½"), ("1\u{301}", "1\u{301}"),
  ])
  func `anything else begins a title`(text: String, title: String) throws {
    #expect(try reference(text) == .title(title))
  }

  @Test(arguments: [
    ("0", "there is no row 0; rows are numbered from 1"),
    ("000", "there is no row 0; rows are numbered from 1"),
    (
      "99999999999999999999",
      "there is no row 99999999999999999999; 'list' shows the rows there are"
    ),
    ("9223372036854775807", "there is no row 9223372036854775807; 'list' shows the rows there are"),
    (
      "@9223372036854775808",
      "there is no task @9223372036854775808; 'list' shows the ids there are"
    ),
    ("-1", "'-1' is no row: rows are numbered from 1; quote it if it begins a title"),
    ("+1", "'+1' is no row: rows are numbered from 1; quote it if it begins a title"),
    ("2-5", "2-5 is several rows where one is wanted; try '2', or quote it if it begins a title"),
    ("5-2", "5-2 runs backwards; try '2-5'"),
  ])
  func `a text that cannot be a row is refused`(text: String, complaint: String) {
    #expect(throws: CommandError(complaint)) { try reference(text) }
  }

  private func reference(_ text: String) throws -> TaskReference {
    try TaskReference(try #require(ShellWords.split(text).first))
  }
}

@Suite(.bounded) struct TaskSelectionTests {
  @Test(arguments: [
    ("2", [2...2]), ("3 1", [1...1, 3...3]), ("2 2 2", [2...2]), ("2-5", [2...5]),
    ("2-4 3-6 9", [2...6, 9...9]), ("1-2 3", [1...3]), ("2-2", [2...2]), ("1-9 3-4 5", [1...9]),
    ("1-999999999999 7", [1...999_999_999_999]),
  ])
  func `rows come in order, each once`(text: String, rows: [ClosedRange<Int>]) throws {
    #expect(try selection(text).rows == rows)
  }

  @Test func `titles come in the order given, each once`() throws {
    let selection = try selection("tea 2 milk tea '2'")
    #expect(selection.titles == ["tea", "milk", "2"])
    #expect(selection.rows == [2...2])
    #expect(selection.lastRow == 2)
  }

  @Test func `ids come in the order given, each once`() throws {
    #expect(try selection("@3 1 @2 @3").ids == [3, 2])
  }

  private func selection(_ text: String) throws -> TaskSelection {
    TaskSelection(try ShellWords.split(text).map { try TaskName($0) })
  }
}

@Suite(.bounded) struct ChosenTaskTests {
  @Test func `the only task whose title begins so is found`() throws {
    #expect(try TaskReference.choose("buy", among: tasks("Buy milk")).title == "Buy milk")
  }

  @Test func `a task called exactly that wins over longer titles`() throws {
    #expect(try TaskReference.choose("Buy", among: tasks("Buy milk", "Buy")).id == 1)
  }

  @Test func `no such title is refused`() {
    #expect(
      throws: TaskError.refused(
        "no task in the list begins with 'x'; 'list' shows them "
          + "(a title of several words goes in quotes)")
    ) { try TaskReference.choose("x", among: []) }
  }

  @Test func `several such titles are refused`() {
    #expect(
      throws: TaskError.refused(
        "'b' could be 'Buy' (@0), 'Bake' (@1); type more of the title, or the id")
    ) { try TaskReference.choose("b", among: tasks("Buy", "Bake")) }
    #expect(
      throws: TaskError.refused(
        "'b' could be 'Buy' (@0), 'Bake' (@1) …; type more of the title, or the id")
    ) { try TaskReference.choose("b", among: tasks("Buy", "Bake", "Buy")) }
  }

  @Test func `two tasks called the same need an id`() {
    #expect(
      throws: TaskError.refused(
        "'Buy' could be 'Buy' (@0), 'Buy' (@1); type more of the title, or the id")
    ) { try TaskReference.choose("Buy", among: tasks("Buy", "Buy", "Buy milk")) }
  }

  @Test(arguments: [
    (0, "there is no row 9: the list is empty; 'add' adds a task"),
    (1, "there is no row 9; the list has one, row 1"),
    (3, "there is no row 9; the list has rows 1 to 3"),
  ])
  func `a row beyond the end is refused with the number of rows`(count: Int, complaint: String) {
    #expect(TaskError.noRow(9, of: count).description == complaint)
  }

  private func tasks(_ titles: String...) -> [TaskItem] {
    titles.enumerated().map { index, title in
      TaskItem(
        id: Int64(index), sectionID: 1, title: title, createdAt: .distantPast, position: index)
    }
  }
}
