import Reactor
import Testing

@testable import CounterDemo

struct CounterCommandTests {
  @Test(arguments: ["+", "increase"])
  func `an increase is by 1 unless told otherwise`(name: String) throws {
    #expect(try CounterCommand(line: name) == .send(.increase(by: 1)))
    #expect(try CounterCommand(line: "\(name) 5") == .send(.increase(by: 5)))
  }

  @Test(arguments: ["-", "decrease"])
  func `a decrease is by 1 unless told otherwise`(name: String) throws {
    #expect(try CounterCommand(line: name) == .send(.decrease(by: 1)))
    #expect(try CounterCommand(line: "\(name) 5") == .send(.decrease(by: 5)))
  }

  @Test(arguments: [("0", 0), ("5", 5), ("-5", -5), ("+5", 5), ("007", 7)])
  func `set takes any whole number`(text: String, value: Int) throws {
    #expect(try CounterCommand(line: "set \(text)") == .send(.set(value)))
  }

  @Test(arguments: [Int.min, .max])
  func `set takes the numbers at either end`(value: Int) throws {
    #expect(try CounterCommand(line: "set \(value)") == .send(.set(value)))
  }

  @Test(arguments: [
    ("reset", CounterCommand.send(.reset)), ("show", .show), ("help", .help), ("quit", .quit),
    ("undo", .undo), ("redo", .redo),
  ])
  func `these stand alone`(line: String, command: CounterCommand) throws {
    #expect(try CounterCommand(line: line) == command)
  }

  @Test func `history is of the newest 20, or of as many as are asked for`() throws {
    #expect(try CounterCommand(line: "history") == .history(20))
    #expect(try CounterCommand(line: "history 3") == .history(3))
  }

  @Test func `at takes the number of a change, or 0`() throws {
    #expect(try CounterCommand(line: "at 3") == .at(3))
    #expect(try CounterCommand(line: "at 0") == .at(0))
  }

  @Test(arguments: ["", " ", "\t", " \u{A0}\u{2003} "])
  func `a blank line is nothing`(line: String) throws {
    #expect(try CounterCommand(line: line) == .nothing)
  }

  @Test(arguments: ["  set 5", "set 5  ", "set \t 5", "\u{3000}set\u{A0}5\r"])
  func `white space around words does not matter`(line: String) throws {
    #expect(try CounterCommand(line: line) == .send(.set(5)))
  }

  @Test func `the words for completion are commands, in order`() {
    #expect(CounterCommand.words == CounterCommand.words.sorted())
    for word in CounterCommand.words {
      let line = ["at", "set"].contains(word) ? "\(word) 1" : word
      #expect(throws: Never.self) { try CounterCommand(line: line) }
    }
  }

  @Test(arguments: ["", " ", "\t  "])
  func `commands complete the first word, wherever it begins`(indent: String) {
    #expect(CounterCommand.completions(line: indent + "in", word: "in") == CounterCommand.words)
    #expect(CounterCommand.completions(line: indent, word: "") == CounterCommand.words)
  }

  @Test(arguments: [("set s", "s"), ("set ", ""), (" + i", "i"), ("in in", "in")])
  func `nothing completes the words after it`(line: String, word: String) {
    #expect(CounterCommand.completions(line: line, word: word) == [])
  }

  @Test func `the help names every command`() {
    let named = CounterCommand.helpText.split { " ,\n".contains($0) }.map(String.init)
    for word in CounterCommand.words { #expect(named.contains(word)) }
  }
}

struct CounterCommandErrorTests {
  @Test(arguments: ["foo", "Show", "++", "+x", "5"])
  func `a word that is no command is named`(word: String) {
    expectError("unknown command '\(word)'; 'help' lists them", for: word)
  }

  @Test(arguments: [("+5", "+ 5"), ("-12", "- 12")])
  func `a missing space is pointed out`(word: String, meant: String) {
    expectError("unknown command '\(word)'; try '\(meant)'", for: word)
  }

  @Test(arguments: ["abc", "5x", "1.5", "1e3", "0x10", "--5", "+", "-", "٣", "½", "5\u{301}"])
  func `what is no whole number is named`(text: String) {
    expectError("set takes a whole number, not '\(text)'; try 'set 5'", for: "set \(text)")
  }

  @Test(arguments: ["+", "-", "increase", "decrease"])
  func `an amount is a whole number too`(name: String) {
    expectError("\(name) takes a whole number, not 'x'; try '\(name) 5'", for: "\(name) x")
  }

  @Test(arguments: ["99999999999999999999", "-9223372036854775809", "+9223372036854775808"])
  func `a number that does not fit is out of range`(text: String) {
    expectError(
      "\(text) is out of range; use a number from \(Int.min) to \(Int.max)", for: "set \(text)")
  }

  @Test(arguments: ["+", "-", "increase", "decrease"])
  func `an amount out of range is told the range of amounts`(name: String) {
    let text = "99999999999999999999"
    expectError(
      "\(text) is out of range; use a number from 0 to \(Int.max)", for: "\(name) \(text)")
  }

  @Test func `set wants its number`() {
    expectError("set needs a number; try 'set 5'", for: "set")
  }

  @Test func `set takes one number only`() {
    expectError("set takes one number, not 2; try 'set 5'", for: "set 1 2")
  }

  @Test(arguments: ["+", "-", "increase", "decrease"])
  func `an amount is one number only`(name: String) {
    expectError("\(name) takes one number, not 3; try '\(name) 5'", for: "\(name) 1 2 3")
  }

  @Test(arguments: [
    ("+", "decrease"), ("increase", "decrease"), ("-", "increase"), ("decrease", "increase"),
  ])
  func `an amount below 0 is the other command's`(name: String, other: String) {
    expectError(
      "\(name) takes a number that is not negative, not '-5'; try '\(other)'", for: "\(name) -5")
  }

  @Test func `at wants its number`() {
    expectError("at needs the number of a change; 'history' lists them", for: "at")
  }

  @Test(arguments: ["at", "history"])
  func `what counts changes takes no number below 0, and one only`(name: String) {
    expectError(
      "\(name) takes a number that is not negative, not '-1'; try '\(name) 5'", for: "\(name) -1")
    expectError("\(name) takes one number, not 2; try '\(name) 5'", for: "\(name) 1 2")
    expectError("\(name) takes a whole number, not 'x'; try '\(name) 5'", for: "\(name) x")
  }

  @Test(arguments: ["reset", "show", "help", "quit", "undo", "redo"])
  func `these take nothing`(name: String) {
    expectError("\(name) takes nothing, not '1'; type '\(name)' alone", for: "\(name) 1 2")
  }
}

struct CounterCommandEchoTests {
  @Test(arguments: [
    ("\u{1B}[2J", #"\u{1B}[2J"#), ("\u{7}", #"\u{07}"#), ("a\0b", #"a\0b"#),
    ("\u{202E}x", #"\u{202E}x"#), ("\u{9B}x", #"\u{009B}x"#), ("\u{7F}", #"\u{7F}"#),
  ])
  func `what would move the cursor is spelled out`(word: String, shown: String) {
    expectError("unknown command '\(shown)'; 'help' lists them", for: word)
    expectError("set takes a whole number, not '\(shown)'; try 'set 5'", for: "set \(word)")
    expectError("quit takes nothing, not '\(shown)'; type 'quit' alone", for: "quit \(word)")
  }

  @Test func `a word of 40 characters is shown in full`() {
    let word = String(repeating: "語", count: 40)
    expectError("unknown command '\(word)'; 'help' lists them", for: word)
  }

  @Test func `a longer word is cut`() {
    let start = String(repeating: "x", count: 40)
    expectError("unknown command '\(start)…'; 'help' lists them", for: start + "yz")
  }

  @Test func `a letter under very many accents is cut as well`() {
    let accents = String(repeating: "\u{301}", count: 30_000)
    let start = "x" + accents.unicodeScalars.prefix(39).map(String.init).joined()
    expectError("unknown command '\(start)…'; 'help' lists them", for: "x" + accents)
  }

  @Test func `a hint is cut as well`() {
    let (zeros, start) = (String(repeating: "0", count: 60_000), String(repeating: "0", count: 39))
    expectError("unknown command '+\(start)…'; try '+ \(start)0…'", for: "+\(zeros)1")
  }

  @Test func `a number with very many digits is cut too`() {
    let start = String(repeating: "9", count: 40)
    expectError(
      "\(start)… is out of range; use a number from \(Int.min) to \(Int.max)",
      for: "set " + String(repeating: "9", count: 60_000))
  }
}

/// Expects exactly this complaint about a line.
func expectError(
  _ text: String, for line: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(throws: CounterCommandError(text), sourceLocation: sourceLocation) {
    try CounterCommand(line: line)
  }
}
