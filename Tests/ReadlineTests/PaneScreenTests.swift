import Testing
import TestLimits

@testable import Readline
@testable import CommandShell

@Suite(.bounded) struct PaneScreenTests {
  private func pane(_ rows: [StyledText], windowRows: Int = 24) -> PaneScreen {
    var pane = PaneScreen(
      window: ConsoleWindow(
        columns: 80, rows: windowRows, paneRows: ConsoleWindow.paneLimit(rows: windowRows)),
      encoder: StyleEncoder(showsStyles: true))
    pane.want(rows)
    if pane.needsLayout { _ = pane.layOut() }
    _ = pane.paint()
    return pane
  }

  @Test func `the prompt keeps a quarter of the window, four rows to eight`() {
    let limits = [1, 7, 8, 12, 15, 24, 50, 300].map { ConsoleWindow.paneLimit(rows: $0) }
    #expect(limits == [0, 0, 4, 8, 11, 18, 42, 292])
  }

  @Test func `only changes are painted`() {
    var pane = pane(["a", "b", "c"])
    #expect(pane.height == 3 && pane.regionRows == 21)
    #expect(pane.paint() == [])
    pane.want(["a", "b", "d"])
    #expect(!pane.needsLayout)
    #expect(
      String(decoding: pane.paint(), as: UTF8.self)
        == "\u{1B}7\u{1B}[?7l\u{1B}[24;1H\u{1B}[Kd\u{1B}[?7h\u{1B}8")
  }

  @Test func `the same text in another style is a change`() {
    var pane = pane(["a", "b"])
    pane.want(["a", StyledText("b", .bold)])
    #expect(
      String(decoding: pane.paint(), as: UTF8.self).contains("\u{1B}[24;1H\u{1B}[K\u{1B}[1mb"))
  }

  @Test func `it grows with its rows, keeps its height, and is removed with the last`() {
    var pane = pane(["a"])
    pane.want(["a", "b"])
    #expect(pane.needsLayout)
    _ = pane.layOut()
    pane.want(["a"])
    #expect(!pane.needsLayout && pane.height == 2)
    pane.want([])
    #expect(pane.needsLayout)
    _ = pane.layOut()
    #expect(pane.height == 0 && !pane.needsLayout)
  }

  @Test func `a layout does not depend on what was painted before`() {
    var pane = pane(["a", "b"])
    _ = pane.layOut()
    #expect(String(decoding: pane.paint(), as: UTF8.self).contains("\u{1B}[Ka"))
  }

  @Test func `where there is no pane, leaving writes nothing`() {
    var low = pane(["a"], windowRows: 5)
    #expect(low.height == 0 && !low.needsLayout)
    #expect(low.leave() == [] && low.paint() == [])
    var high = pane(["a"])
    #expect(high.leave() != [])
    #expect(high.leave() == [])
  }
}
