import Foundation
import Readline
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell
@testable import ReactorREPL

@Suite(.bounded) struct ListScreenViewTests {
  private func rows(
    _ page: TaskPage?, _ query: TaskQuery = TaskQuery(), columns: Int = 40, height: Int = 10,
    isEditing: Bool = false, status: ScreenStatus = ScreenStatus()
  ) -> [StyledText] {
    ListScreenView(
      page: page, query: query, isEditing: isEditing, status: status, times: Sample.times
    ).rows(columns: columns, height: height)
  }

  @Test func `tasks are between a title bar and a status line`() {
    let page = Sample.page([
      Sample.task("Buy milk"),
      Sample.task("Call Bob", done: Sample.date(year: 2024, month: 5, day: 2)),
    ])
    #expect(
      rows(page).plain == [
        "Tasks                    2 open · 1 done",
        "1. [ ] Buy milk",
        "2. [x] Call Bob                    09:05",
        "",
      ])
  }

  @Test func `a task that is done is dim and struck out`() {
    let page = Sample.page([
      Sample.task("Buy milk"),
      Sample.task("Call Bob", done: Sample.date(year: 2024, month: 5, day: 2)),
    ])
    #expect(rows(page).style(of: "Call Bob") == [.dim, .strikethrough])
    #expect(rows(page).style(of: "[ ] Buy milk") == [])
    #expect(rows(page).style(of: "Tasks") == .bold)
  }

  @Test func `numbers are aligned, whatever their width`() {
    let tasks = (1...11).map { Sample.task("Task \($0)") }
    let shown = rows(Sample.page(tasks, offset: 994, total: 2_000), height: 20).plain
    #expect(shown[1] == " 995. [ ] Task 1")
    #expect(shown[6] == "1000. [ ] Task 6")
  }

  @Test func `sections have headings if there is more than one`() {
    let sections = [Sample.section("Home", id: 1, open: 1), Sample.section("Work", id: 2, open: 2)]
    let tasks = [
      Sample.task("a"), Sample.task("b", section: 2), Sample.task("c", section: 2),
    ]
    let page = Sample.page(tasks, sections: sections)
    #expect(
      rows(page).plain.dropFirst().dropLast() == [
        "# Home", "1. [ ] a", "# Work", "2. [ ] b", "3. [ ] c",
      ])
    #expect(
      rows(page, TaskQuery(section: 2)).plain.first == "Work                     2 open · 0 done")
    #expect(!rows(page, TaskQuery(section: 2)).plain.contains("# Work"))
  }

  @Test func `a heading is shown only with a task below it`() {
    let sections = [Sample.section("Home", id: 1), Sample.section("Work", id: 2)]
    let page = Sample.page([Sample.task("a"), Sample.task("b", section: 2)], sections: sections)
    #expect(rows(page, height: 5).plain.dropFirst().dropLast() == ["# Home", "1. [ ] a"])
    #expect(rows(page, height: 5).plain.last?.hasSuffix("rows 1–1 of 2") == true)
    #expect(rows(page, height: 6).plain.count == 6)
  }

  @Test func `the status line shows which rows are visible, if not all are`() {
    let tasks = (1...30).map { Sample.task("Task \($0)") }
    let page = Sample.page(tasks, offset: 20, total: 100_000)
    #expect(rows(page).plain.last == "                    rows 21–28 of 100000")
    #expect(ListScreenView(page: page, times: Sample.times).shownRows(height: 10) == 20..<28)
  }

  @Test func `the title bar shows the filter and the search`() {
    let page = Sample.page([Sample.task("Buy milk")], total: 1_234)
    let query = TaskQuery(filter: .open, search: "mi")
    let shown = rows(page, query, columns: 80, isEditing: true).plain
    #expect(shown.first?.hasPrefix("Tasks · open · search “mi” · editing  ") == true)
    #expect(shown.first?.hasSuffix("  1,234 found · 2 open · 1 done") == true)
  }

  @Test func `a memo follows its title where it fits`() {
    let page = Sample.page([Sample.task("Buy milk", memo: "two bottles\n\nand a glass")])
    #expect(rows(page, columns: 60).plain[1] == "1. [ ] Buy milk  two bottles / and a glass")
    #expect(rows(page, columns: 40).plain[1] == "1. [ ] Buy milk  two bottles / and a gl…")
    #expect(rows(page, columns: 20).plain[1] == "1. [ ] Buy milk")
    #expect(rows(page, columns: 60).style(of: "two bottles / and a glass") == .dim)
  }

  @Test func `a wide window is used by what needs it`() {
    let (title, memo) = (String(repeating: "t", count: 110), String(repeating: "m", count: 50))
    let done = Sample.date(year: 2023, month: 11, day: 30)
    let page = Sample.page([Sample.task(title, memo: memo, done: done), Sample.task("short")])
    let shown = rows(page, columns: 200).plain
    #expect(shown[1] == "1. [x] \(title)  \(memo)  30 Nov 2023")
    #expect(shown[0].count == shown[1].count)
    #expect(rows(page, columns: 150).plain[1].count == 150)
    #expect(rows(Sample.page([Sample.task("short")]), columns: 200).plain[0].count == 100)
  }

  @Test func `a long title leaves space for the time`() {
    let done = Sample.date(year: 2023, month: 11, day: 30)
    let page = Sample.page([Sample.task(String(repeating: "語", count: 40), done: done)])
    #expect(rows(page).plain[1] == "1. [x] 語語語語語語語語語…   30 Nov 2023")
  }

  @Test func `no control character in a title is obeyed`() {
    let page = Sample.page([Sample.task("a\u{1B}[2J\nb\tc")])
    #expect(rows(page).plain[1] == "1. [ ] a\\u{1B}[2J\\nb\\tc")
  }

  @Test(arguments: [
    (TaskQuery(), 0, "no tasks yet; try 'add Buy milk'"),
    (TaskQuery(filter: .done), 0, "no done tasks; try 'filter all'"),
    (TaskQuery(search: "x"), 0, "no task matches; 'search' alone ends the search"),
    (TaskQuery(), 9, "no tasks this far down; try 'list'"),
  ])
  func `an empty list shows why, and what to do`(query: TaskQuery, total: Int, text: String) {
    #expect(rows(Sample.page([], total: total), query, columns: 60).plain[1] == text)
  }

  @Test func `before anything is read, the spinner turns`() {
    var spinner = Spinner()
    let first = rows(nil, status: ScreenStatus(activity: .working("loading", spinner))).plain
    #expect(first == ["Tasks", "…", "⠋ loading"])
    spinner.turn()
    #expect(
      rows(nil, status: ScreenStatus(activity: .working("loading", spinner))).plain.last
        == "⠙ loading")
  }

  @Test func `everything fits every window`() {
    let sections = [Sample.section("Zu Hause 🏠", id: 1, open: 12_345), Sample.section("仕事", id: 2)]
    let done = Sample.date(year: 2020, month: 1, day: 31)
    let tasks = (0..<40).map {
      Sample.task(
        String(repeating: "x語👨‍👩‍👧e\u{301}", count: $0), memo: $0 % 2 == 0 ? "memo\u{7}" : nil,
        section: $0 < 3 ? 1 : 2, done: $0 % 3 == 0 ? done : nil)
    }
    let page = Sample.page(tasks, offset: 99_980, total: 100_000, sections: sections)
    let statuses = [
      ScreenStatus(),
      ScreenStatus(
        activity: .progress("importing tasks", fraction: 0.6), message: .error("disk full, 語")),
      ScreenStatus(activity: .working("searching", Spinner()), message: .notice("added")),
    ]
    for status in statuses {
      for columns in 1...90 {
        for height in 0...12 {
          let rows = rows(
            page, TaskQuery(search: "語"), columns: columns, height: height, status: status)
          #expect(rows.count <= height)
          #expect(rows.allSatisfy { DisplayWidth.of($0.plain) <= columns })
          #expect(columns < 20 || height < 1 || rows.plain.contains { $0.contains("99981. [") })
        }
      }
    }
  }
}

@Suite(.bounded) struct ScreenStatusTests {
  @Test func `progress is a bar and a number`() {
    let status = ScreenStatus(activity: .progress("importing", fraction: 0.6))
    #expect(status.row(columns: 60).plain == "importing [######    ] 60 %")
  }

  @Test(arguments: [
    (0, "[          ] 0 %"), (0.001, "[#         ] 0 %"), (0.29, "[##        ] 29 %"),
    (0.999, "[######### ] 99 %"), (1, "[##########] 100 %"), (7, "[##########] 100 %"),
    (-1, "[          ] 0 %"), (.nan, "[          ] 0 %"),
  ])
  func `a bar is full only at the end`(fraction: Double, text: String) {
    #expect(ProgressBar(fraction: fraction).text == text)
  }

  @Test func `an error takes the space, a notice is cut`() {
    let long = String(repeating: "x", count: 50)
    let error = ScreenStatus(message: .error(long)).row(columns: 40, right: "rows 1–2 of 3")
    #expect(error.plain == String(repeating: "x", count: 39) + "…")
    #expect(error.spans.first?.style == [.bold, .red])
    let notice = ScreenStatus(message: .notice(long)).row(columns: 40, right: "rows 1–2 of 3")
    #expect(notice.plain == String(repeating: "x", count: 24) + "…  rows 1–2 of 3")
  }
}

@Suite(.bounded) struct TaskRowTests {
  @Test(arguments: [
    (Sample.date(year: 2024, month: 5, day: 2, hour: 0, minute: 7), "00:07"),
    (Sample.date(year: 2024, month: 5, day: 1, hour: 23), "1 May"),
    (Sample.date(year: 2024, month: 4, day: 2), "2 Apr"),
    (Sample.date(year: 2023, month: 5, day: 2), "2 May 2023"),
  ])
  func `a time is as short as possible`(date: Date, text: String) {
    #expect(Sample.times.text(date) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (100_000, "100,000"), (-1_234_567, "-1,234,567"),
  ])
  func `numbers are grouped`(number: Int, text: String) {
    #expect(NumberText.grouped(number) == text)
  }
}
