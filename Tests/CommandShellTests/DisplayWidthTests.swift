import Testing
import TestLimits

@testable import CommandShell

@Suite(.bounded) struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("milk", 4), ("é", 1), ("e\u{301}", 1), ("\u{AD}", 1), ("\u{200B}", 0),
    ("語", 2), ("ﾐ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("क्षि", 3),
    ("שָׁלוֹם", 4), ("ไม่", 2), ("\u{20000}", 2), ("…", 1), ("⠋", 1),
  ])
  func `characters have the width of their columns`(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(arguments: [
    ("😀", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("❤", 1), ("❤\u{FE0F}", 2),
    ("1\u{FE0F}\u{20E3}", 2), ("1", 1), ("🏳\u{FE0F}\u{200D}🌈", 2), ("🫩", 2), ("⌚", 2), ("☎", 1),
  ])
  func `an emoji has two columns, however many scalars it is made of`(
    text: String, columns: Int
  ) {
    #expect(DisplayWidth.of(text) == columns)
  }
}

@Suite(.bounded) struct DisplayTextTests {
  @Test(arguments: [
    ("milk", 4, "milk"), ("milk", 3, "mi…"), ("milk", 1, "…"), ("milk", 0, ""), ("", 3, ""),
    ("語語", 4, "語語"), ("語語", 3, "語…"), ("語語", 2, "…"), ("a語", 2, "a…"), ("a語b", 3, "a…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
  ])
  func `text that does not fit is cut between characters`(
    text: String, columns: Int, expected: String
  ) {
    #expect(DisplayText.fitted(text, to: columns).text == expected)
  }

  @Test func `for any text and width, the result fits`() {
    let letters = ["a", "語", "e\u{301}", "👨‍👩‍👧", "\u{1B}", "\u{200B}", "🇩🇪", " ", "\n"]
    var generator = SplitMix(state: 7)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        letters.randomElement(using: &generator) ?? ""
      }.joined()
      for columns in 0...14 {
        let fitted = DisplayText.fitted(text, to: columns)
        #expect(fitted.columns <= columns)
        #expect(DisplayWidth.of(fitted.text) == fitted.columns)
        #expect(DisplayWidth.of(DisplayText.padded(text, to: columns)) == columns)
      }
    }
  }

  @Test(arguments: [
    ("two\nlines", "two\\nlines"), ("tab\there", "tab\\there"), ("\u{1B}[2J", "\\u{1B}[2J"),
    ("a\u{202E}b", "a\\u{202E}b"), ("\r\n", "\\r\\n"), ("\u{9B}m", "\\u{009B}m"), ("é語", "é語"),
  ])
  func `control characters that move the cursor are written out`(text: String, expected: String) {
    #expect(DisplayText.visible(text) == expected)
    #expect(DisplayText.fitted(text, to: 80).text == expected)
  }
}

/// Numbers that look random and are the same each time.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
