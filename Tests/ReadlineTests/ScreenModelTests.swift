import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct ScreenModelTests {
  private func screen(_ output: String, columns: Int = 10, rows: Int = 3) -> ScreenModel {
    var screen = ScreenModel(columns: columns, rows: rows)
    screen.feed(output.utf8)
    return screen
  }

  @Test func `the last column wraps only for one more character`() {
    #expect(screen("0123456789").cursor == .init(row: 0, column: 9))
    #expect(screen("0123456789\r\n-").lines == ["0123456789", "-"])
    #expect(screen("0123456789-").lines == ["0123456789", "-"])
  }

  @Test func `rows that scroll off are remembered`() {
    let screen = screen("a\r\nb\r\nc\r\nd")
    #expect(screen.lines == ["b", "c", "d"])
    #expect(screen.history == ["a", "b", "c", "d"])
  }

  @Test func `the cursor moves and erases`() {
    #expect(screen("hello\r\u{1B}[2C\u{1B}[K").lines == ["he"])
    #expect(screen("one\r\ntwo\u{1B}[A\u{1B}[2D-").lines == ["o-e", "two"])
    #expect(screen("one\r\ntwo\u{1B}[H\u{1B}[J").lines == [])
    #expect(screen("abc\u{8}\u{8}\u{1B}[P").lines == ["ac"])
    #expect(screen("abc\u{8}\u{8}\u{1B}[2@").lines == ["a  bc"])
  }

  @Test func `wide and combining characters take their columns`() {
    #expect(screen("語e\u{301}x").cursor.column == 4)
    #expect(screen("語e\u{301}x").lines == ["語e\u{301}x"])
  }

  @Test func `blanks before the cursor are kept, others are not`() {
    #expect(screen("ask> ").lines == ["ask> "])
    #expect(screen("ask> \r\nx").lines == ["ask>", "x"])
  }

  @Test func `modes and colours show nothing, the unknown is reported`() {
    #expect(screen("\u{1B}[?2004h\u{1B}[1;31mx\u{1B}[m").lines == ["x"])
    #expect(screen("\u{1B}[5q\u{1B}=").unknownSequences == ["5q", "ESC ="])
  }

  @Test func `lines scroll in their region, and the rows below it stay`() {
    let screen = screen("\u{1B}[1;2r\u{1B}[3;1Hpane\u{1B}[1;1Ha\r\nb\r\nc")
    #expect(screen.lines == ["b", "c", "pane"])
    #expect(screen.conversation == ["a", "b", "c"])
    #expect(screen.pane == ["pane"])
    #expect(self.screen("\u{1B}[2;3ra\r\nb\r\nc\r\nd").history == ["a", "c", "d"])
  }

  @Test func `the cursor does not leave its region by a relative move`() {
    let screen = screen("\u{1B}[1;2r\u{1B}[9Bx\u{1B}[3;1H\n\n-")
    #expect(screen.lines == ["", "x", "-"])
  }

  @Test func `the cursor is saved with its style and its pending wrap`() {
    let screen = screen("\u{1B}[31m0123456789\u{1B}7\u{1B}[m\u{1B}[3;1Hfar\u{1B}8-")
    #expect(screen.lines == ["0123456789", "-", "far"])
    #expect(screen.style(of: "-") == [31])
    #expect(screen.style(of: "far") == [])
    #expect(screen.style(of: "near") == nil)
  }

  @Test func `without wrapping, the last column takes what does not fit`() {
    #expect(screen("\u{1B}[?7l0123456789ab\u{1B}[?7h").lines == ["012345678b"])
  }

  @Test func `a lower window loses rows below the cursor first`() {
    var screen = screen("a\r\nb\r\nc\u{1B}[2;1H")
    screen.resize(columns: 10, rows: 2)
    #expect(screen.lines == ["a", "b"])
    screen.resize(columns: 10, rows: 1)
    #expect(screen.history == ["a", "b"])
  }
}
