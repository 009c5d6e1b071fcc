import Testing
import TestLimits

@testable import Readline

@Suite(.bounded) struct LineAssemblerTests {
  private func lines(_ pieces: [UInt8]...) -> [InputLine] {
    var assembler = LineAssembler()
    var lines: [InputLine] = []
    for piece in pieces {
      assembler.append(piece)
      while let line = assembler.next() { lines.append(line) }
    }
    while let line = assembler.finish() { lines.append(line) }
    return lines
  }

  @Test func `a line may arrive in pieces, even its CRLF`() {
    #expect(
      lines(Array("on".utf8), Array("e\r".utf8), Array("\ntwo".utf8)) == [
        .text("one"), .text("two"),
      ])
  }

  @Test func `a byte order mark at the head of the input is no part of the first line`() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(lines(mark + Array("one\n".utf8)) == [.text("one")])
    #expect(lines(Array(mark[..<1]), Array(mark[1...]), Array("one".utf8)) == [.text("one")])
    #expect(
      lines(Array("one\n".utf8), mark + Array("two\n".utf8))
        == [.text("one"), .text("\u{FEFF}two")])
  }

  @Test func `a piece may hold several lines`() {
    #expect(lines(Array("one\n\ntwo\n".utf8)) == [.text("one"), .text(""), .text("two")])
  }

  @Test func `a lone carriage return is part of the line`() {
    #expect(lines(Array("a\rb\n".utf8)) == [.text("a\rb")])
  }

  @Test func `a character divided between two pieces is whole again`() {
    #expect(lines([0xC3], [0xA9, 0x0A]) == [.text("é")])
  }

  @Test func `a line of exactly the limit is text, CRLF not counted`() {
    let longest = [UInt8](repeating: 0x78, count: InputLine.byteLimit)
    let text = InputLine.text(String(repeating: "x", count: InputLine.byteLimit))
    #expect(lines(longest + [0x0D, 0x0A], longest) == [text, text])
  }

  @Test func `one byte more is too long`() {
    let tooLong = [UInt8](repeating: 0x78, count: InputLine.byteLimit + 1)
    #expect(lines(tooLong + [0x0A], [0x61, 0x0A], tooLong) == [.tooLong, .text("a"), .tooLong])
  }
}
