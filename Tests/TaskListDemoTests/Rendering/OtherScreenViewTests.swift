import Readline
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

@Suite(.bounded) struct EditorScreenViewTests {
  private let editor = EditorScreenView(
    heading: "Task 2", title: "Buy milk", memo: "two bottles\nand a glass", section: "Home")

  @Test func `it shows the task and what can be done`() {
    #expect(
      editor.rows(columns: 50, height: 10).plain == [
        "Task 2 · Home                                saved",
        "title: Buy milk",
        "memo:  two bottles",
        "       and a glass",
        "title TEXT · memo TEXT · save · cancel",
        "",
      ])
  }

  @Test func `a new task has nothing yet, and cannot be saved`() {
    let new = EditorScreenView(heading: "New task", title: "", isChanged: false, canSave: false)
    let rows = new.rows(columns: 80, height: 10).plain
    #expect(rows[1...2] == ["title: none yet", "memo:  none"])
    #expect(rows[3] == "title TEXT · memo TEXT · cancel (a title is needed to save)")
  }

  @Test func `leaving with changes asks`() {
    var asked = editor
    (asked.isChanged, asked.asksToLeave) = (true, true)
    let rows = asked.rows(columns: 50, height: 10)
    #expect(rows.plain.contains("Really? All changes will be lost: leave or stay"))
    #expect(rows.plain[0].hasSuffix("not saved"))
    #expect(rows.style(of: EditorScreenView.question) == [.bold, .yellow])
    #expect(asked.rows(columns: 50, height: 1).plain == [EditorScreenView.question])
  }

  @Test func `a long memo shows how much of it is hidden`() {
    var long = editor
    long.memo = (1...9).map { "line \($0)" }.joined(separator: "\n")
    let rows = long.rows(columns: 50, height: 7).plain
    #expect(rows[2...4] == ["memo:  line 1", "       line 2", "       … 7 more lines"])
    #expect(rows.count == 7)
  }

  @Test func `it fits every window`() {
    for asks in [false, true] {
      var editor = editor
      (editor.asksToLeave, editor.title) = (asks, String(repeating: "語", count: 60))
      for columns in 1...70 {
        for height in 0...9 {
          let rows = editor.rows(columns: columns, height: height)
          #expect(rows.count <= height)
          #expect(rows.allSatisfy { DisplayWidth.of($0.plain) <= columns })
        }
      }
    }
  }
}

@Suite(.bounded) struct StatisticsViewTests {
  private let sections = [
    Sample.section("Home", id: 1, open: 3, done: 2),
    Sample.section("仕事", id: 2, open: 0, done: 1_200),
    Sample.section("Empty", id: 3),
  ]

  @Test func `each section has a bar`() {
    #expect(
      StatisticsView(sections: sections).rows(columns: 50, height: 10).plain
        == [
          "Statistics                     3 open · 1,202 done",
          "Home   [####      ]  2 of 5 done",
          "仕事   [##########]  1,200 of 1,200 done",
          "Empty  [          ]  0 of 0 done",
          "",
        ])
  }

  @Test func `sections that do not fit are counted`() {
    let rows = StatisticsView(sections: sections).rows(columns: 50, height: 4).plain
    #expect(rows[2] == "… 2 more sections")
    #expect(rows.count == 4)
  }

  @Test func `with nothing to count it shows that`() {
    #expect(StatisticsView(sections: nil).rows(columns: 50, height: 9).plain[1] == "…")
    #expect(
      StatisticsView(sections: []).rows(columns: 50, height: 9).plain[1]
        == "no sections yet; 'back' leaves")
  }

  @Test func `it fits every window`() {
    for columns in 1...70 {
      for height in 0...9 {
        let rows = StatisticsView(sections: sections).rows(columns: columns, height: height)
        #expect(rows.count <= height)
        #expect(rows.allSatisfy { DisplayWidth.of($0.plain) <= columns })
      }
    }
  }
}
