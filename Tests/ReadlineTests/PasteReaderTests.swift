import TestLimits
import Testing

@testable import Readline

@Suite(.bounded) struct PasteReaderTests {
  /// What comes out for bytes: keys as they are, a paste in brackets.
  private func read(_ input: String, from reader: inout PasteReader) -> String {
    var read: [UInt8] = []
    for byte in input.utf8 {
      if reader.isInside {
        if let paste = reader.take(byte) { read += Array("{".utf8) + paste + Array("}".utf8) }
      } else {
        reader.check(byte)
        read.append(byte)
      }
    }
    return String(decoding: read, as: UTF8.self)
  }

  private let begin = "\u{1B}[200~"
  private let end = "\u{1B}[201~"

  /// The marks are `<` and `>` here, also where one of them is a key or text.
  @Test(arguments: [
    ("<one>", "<{one}"), ("<>x", "<{}x"), ("\u{1B}<a>", "\u{1B}<{a}"),
    ("<a\u{1B}>", "<{a\u{1B}}"), ("<a\u{1B}[201>b", "<{a\u{1B}[201}b"), ("<a<b>", "<{a<b}"),
    ("<a><b>", "<{a}<{b}"), ("\u{1B}[20~x\r", "\u{1B}[20~x\r"),
  ])
  func `what is between the marks is a paste`(input: String, output: String) {
    var reader = PasteReader()
    #expect(read(marked(input), from: &reader) == marked(output))
    #expect(!reader.isInside)
  }

  private func marked(_ text: String) -> String {
    text.replacing("<", with: begin).replacing(">", with: end)
  }

  @Test func `a paste that is dropped is skipped up to its end`() {
    var reader = PasteReader()
    #expect(read("\(begin)one\r", from: &reader) == begin)
    reader.drop()
    #expect(reader.isDropping)
    #expect(read("two\r\(end)three", from: &reader) == "three")
  }

  @Test func `a paste that is dropped twice is waited for no more`() {
    var reader = PasteReader()
    _ = read("\(begin)one", from: &reader)
    reader.drop()
    reader.drop()
    #expect(read("two", from: &reader) == "two")
  }

  @Test func `a paste beyond the limit is longer than it, and no longer`() throws {
    var reader = PasteReader()
    for byte in begin.utf8 { reader.check(byte) }
    for _ in 0..<3 * PasteReader.limit { _ = reader.take(UInt8(ascii: "x")) }
    var paste: [UInt8]?
    for byte in end.utf8 { paste = reader.take(byte) }
    let count = try #require(paste).count
    #expect(count > PasteReader.limit && count < 2 * PasteReader.limit)
  }

  @Test(arguments: [
    ("a\rb\nc\r\nd", "a\nb\nc\nd"), ("\r\r\n\n", "\n\n\n"), ("a\0b", "ab"),
    ("é\t\u{1B}", "é\t\u{1B}"),
  ])
  func `any line break is a line feed`(paste: String, text: String) {
    #expect(PastedText.text(of: Array(paste.utf8)) == Array(text.utf8))
  }

  @Test(arguments: [
    ("a", ["a"]), ("a\nb", ["a", "b"]), ("a\n", ["a"]), ("\n", [""]), ("a\n\n", ["a", ""]),
  ])
  func `a line break at the end begins no line`(text: String, lines: [String]) {
    #expect(PastedText.lines(of: Array(text.utf8)) == lines.map { Array($0.utf8) })
  }
}

@Suite(.bounded) struct TallLineTests {
  /// What is drawn, with a bar where the cursor is.
  private func drawn(
    _ text: String, cursor: Int, rows: Int = 4, columns: Int = 20
  ) -> String? {
    TallLine(Array(text.utf8), point: cursor, prompt: 5, rows: rows, columns: columns).map {
      String(
        decoding: $0.text[..<$0.point] + [UInt8(ascii: "|")] + $0.text[$0.point...], as: UTF8.self)
    }
  }

  private let ten = (0...9).map(String.init).joined(separator: "\n")

  @Test func `text that fits is drawn as it is`() {
    #expect(drawn("0\n1\n2\n3", cursor: 7) == nil)
    #expect(drawn("0123456789abcdefghi\n1\n2", cursor: 0) == nil)
  }

  @Test(arguments: [
    (19, "(7 more lines)\n7\n8\n9|"), (0, "|0\n1\n2\n(7 more lines)"),
    (1, "0|\n1\n2\n(7 more lines)"),
    (2, "0\n|1\n2\n(7 more lines)"), (10, "(4 more lines)\n4\n|5\n(4 more lines)"),
    (18, "(7 more lines)\n7\n8\n|9"),
  ])
  func `the text around the cursor is drawn`(cursor: Int, text: String) {
    #expect(drawn(ten, cursor: cursor) == text)
  }

  @Test func `lines that wrap take the rows that they need`() {
    let wide = "0\n1\n" + String(repeating: "x", count: 25) + "\n3"
    #expect(drawn(wide, cursor: 31) == "(2 more lines)\n\(String(repeating: "x", count: 25))\n3|")
    #expect(drawn("語語語語語語語語\n1\n2\n3", cursor: 30) == "(1 more line)\n1\n2\n3|")
  }

  @Test func `the line with the cursor is drawn even where it does not fit`() {
    #expect(
      drawn("0\n" + String(repeating: "x", count: 99) + "\n2", cursor: 5)
        == "(1 more line)\nxxx|" + String(repeating: "x", count: 96) + "\n(1 more line)")
  }
}
