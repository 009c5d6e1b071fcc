import Testing
import TestLimits

@testable import CommandShell

@Suite(.bounded) struct WordWrapTests {
  @Test(arguments: [
    ("one two three", 80, "one two three"), ("one two three", 13, "one two three"),
    ("one two three", 12, "one two\nthree"), ("one two three", 7, "one two\nthree"),
    ("one two three", 6, "one\ntwo\nthree"), ("extraordinary words", 5, "extraordinary\nwords"),
    ("a\nb c", 2, "a\nb\nc"), ("", 10, ""), ("a  b", 4, "a  b"), ("a  b", 3, "a\nb"),
    ("  indented as before", 12, "  indented\n  as before"), ("x", 0, "x"),
  ])
  func `a line breaks between words, where necessary`(text: String, columns: Int, lines: String) {
    #expect(WordWrap.wrapped(text, to: columns) == lines)
  }

  @Test func `wide characters count as two`() {
    #expect(WordWrap.wrapped("語 語 語", to: 5, width: { $0 == "語" ? 2 : 1 }) == "語 語\n語")
  }
}
