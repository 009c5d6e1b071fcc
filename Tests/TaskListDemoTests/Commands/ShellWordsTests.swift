import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore
@testable import CommandShell

@Suite(.bounded) struct ShellWordsTests {
  @Test(arguments: [
    ("", []), ("  \t ", []), ("a", ["a"]), (" a  b\tc ", ["a", "b", "c"]),
    ("\u{3000}a\u{A0}b\r", ["a", "b"]),
  ])
  func `blanks separate words`(line: String, words: [String]) throws {
    #expect(try ShellWords.split(line).map(\.text) == words)
  }

  @Test(arguments: [
    (#"'a b'"#, "a b"), (#"'a\'"#, #"a\"#), (#"'"'"#, #"""#), (#"''"#, ""), (#"'$x`#'"#, "$x`#"),
  ])
  func `single quotes keep their content as it is`(line: String, word: String) throws {
    #expect(try ShellWords.split(line).map(\.text) == [word])
  }

  @Test(arguments: [
    (#""a b""#, "a b"), (#""a\"b""#, #"a"b"#), (#""\\""#, #"\"#), (#""\$\`""#, "$`"),
    (#""\n""#, #"\n"#), (#""it's""#, "it's"), (#""""#, ""),
  ])
  func `in double quotes a backslash escapes special characters`(
    line: String, word: String
  ) throws {
    #expect(try ShellWords.split(line).map(\.text) == [word])
  }

  @Test(arguments: [(#"a\ b"#, "a b"), (#"\""#, "\""), (#"\\"#, #"\"#), (#"it\'s"#, "it's")])
  func `a backslash may precede any character`(line: String, word: String) throws {
    #expect(try ShellWords.split(line).map(\.text) == [word])
  }

  @Test func `quoted parts and others are one word where no blank is between them`() throws {
    #expect(try ShellWords.split(#"a'b c'"d e"\ f g"#).map(\.text) == ["ab cd e f", "g"])
  }

  @Test(arguments: ["#", "a #b", "#a b", "$HOME ~ * `x` $(y) a|b ; & < >"])
  func `there are no comments, and nothing is expanded`(line: String) throws {
    #expect(try ShellWords.split(line).map(\.text).joined(separator: " ") == line)
  }

  @Test func `an accent after a quote does not combine with it`() throws {
    #expect(
      try ShellWords.split("\"a b\"\u{301} '\u{301}c d'").map { Array($0.text.unicodeScalars) }
        == [Array("a b\u{301}".unicodeScalars), Array("\u{301}c d".unicodeScalars)])
  }

  @Test func `each word has its range in the line`() throws {
    let line = #"  add 'Buy milk' --memo="2 l"  x"#
    let words = try ShellWords.split(line)
    #expect(words.map { line[$0.range] } == ["add", "'Buy milk'", #"--memo="2 l""#, "x"])
  }

  @Test func `each word records whether it was quoted`() throws {
    let words = try ShellWords.split(#"a 'b' c"d" \e --f="g h""#)
    #expect(words.map(\.isQuoted) == [false, true, true, true, true])
    #expect(words.map(\.beginsQuoted) == [false, true, false, true, false])
  }

  @Test(arguments: [
    ("add 'x", #"a quote (') is never closed; add another ', or type \' for an apostrophe"#),
    ("don't", #"a quote (') is never closed; add another ', or type \' for an apostrophe"#),
    (
      #"a "b\""#,
      #"a quote (") is never closed; add another ", or type \" for the character itself"#
    ),
    (
      #"a\"#,
      #"a backslash at the end of the line quotes nothing; type \\ for the character itself"#
    ),
  ])
  func `an open quote is named`(line: String, complaint: String) {
    #expect(throws: CommandError(complaint)) { try ShellWords.split(line) }
  }

  @Test(arguments: [
    ("add", ["add"], true), ("add ", ["add"], false), ("a 'b c", ["a", "b c"], true),
    ("a 'b ", ["a", "b "], true), ("", [], false), (#"a\"#, ["a"], true),
    ("a ''", ["a", ""], true),
  ])
  func `a line being typed has words too`(line: String, words: [String], endsInWord: Bool) {
    let typed = ShellWords(of: line)
    #expect(typed.words.map(\.text) == words)
    #expect(typed.endsInWord == endsInWord)
  }
}

@Suite(.bounded) struct ShellQuotingTests {
  @Test(arguments: [
    ("milk", "milk"), ("Buy milk", #""Buy milk""#), ("", #""""#), ("it's", #""it's""#),
    (#"a"b\c"#, #""a\"b\\c""#), ("--memo", #""--memo""#), ("-x", "-x"), ("$5 #1", ##""\$5 #1""##),
    ("été", "été"), ("買う", "買う"),
  ])
  func `a text is quoted only if necessary`(text: String, quoted: String) {
    #expect(ShellWords.quoted(text) == quoted)
  }

  @Test func `the style can be chosen, and the end left open`() {
    #expect(ShellWords.quoted("it's", .single) == #"'it'\''s'"#)
    #expect(ShellWords.quoted("milk", .double) == #""milk""#)
    #expect(ShellWords.quoted("My files/", .double, isOpen: true) == #""My files/"#)
  }

  @Test(arguments: [ShellWords.QuoteStyle.bare, .single, .double])
  func `a quoted text reads as the one word it was`(style: ShellWords.QuoteStyle) throws {
    var random = RandomText(seed: 6)
    for _ in 0..<2_000 {
      let text = random.text()
      let line = ShellWords.quoted(text, style)
      let words = try ShellWords.split("x \(line) y")
      #expect(words.count == 3, "\(line.debugDescription)")
      #expect(Array(words[1].text.unicodeScalars) == Array(text.unicodeScalars))
      #expect(!words[1].looksLikeOption)
    }
  }

  @Test func `several quoted words stay apart`() throws {
    var random = RandomText(seed: 7)
    for _ in 0..<500 {
      let texts = (0..<5).map { _ in random.text() }
      let line = texts.map { ShellWords.quoted($0) }.joined(separator: " ")
      #expect(
        try ShellWords.split(line).map { $0.text.utf8.map(\.self) }
          == texts.map { $0.utf8.map(\.self) })
    }
  }

  @Test func `any line is split or refused, and its words are ranges of it in order`() {
    var random = RandomText(seed: 8)
    for _ in 0..<5_000 {
      let line = random.text(upTo: 40)
      let typed = ShellWords(of: line)
      var end = line.startIndex
      for word in typed.words {
        #expect(word.range.lowerBound >= end)
        #expect(word.range.upperBound > word.range.lowerBound)
        end = word.range.upperBound
      }
      let refused = (try? ShellWords.split(line)) == nil
      #expect(refused == (typed.unfinished != nil))
    }
  }
}
