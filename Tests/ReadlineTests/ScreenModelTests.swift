import TerminalTesting
import Testing

struct ScreenModelTests {
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

  @Test func `blanks before the cursor are seen, others are not`() {
    #expect(screen("ask> ").lines == ["ask> "])
    #expect(screen("ask> \r\nx").lines == ["ask>", "x"])
  }

  @Test func `modes and colours show nothing, the unknown is reported`() {
    #expect(screen("\u{1B}[?2004h\u{1B}[1;31mx\u{1B}[m").lines == ["x"])
    #expect(screen("\u{1B}[5r").unknownSequences == ["5r"])
  }
}
