import Reactor
import ReactorREPL
import Testing
import TestLimits

@testable import CounterDemo

@Suite(.bounded) struct CounterCommandTests {
  @Test(arguments: ["+", "increase"])
  func `an increase is by 1 by default`(name: String) throws {
    #expect(try CounterCommand(line: name) == .send(.increase(by: 1)))
    #expect(try CounterCommand(line: "\(name) 5") == .send(.increase(by: 5)))
  }

  @Test(arguments: ["-", "decrease"])
  func `a decrease is by 1 by default`(name: String) throws {
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
    ("reset", CounterCommand.send(.reset)), ("show", .show), ("undo", .undo), ("redo", .redo),
  ])
  func `reset, show, undo and redo are commands without arguments`(
    line: String, command: CounterCommand
  ) throws {
    #expect(try CounterCommand(line: line) == command)
  }

  @Test func `history shows the newest 20, or the number given`() throws {
    #expect(try CounterCommand(line: "history") == .history(20))
    #expect(try CounterCommand(line: "history 3") == .history(3))
  }

  @Test func `at takes the number of a change, or 0`() throws {
    #expect(try CounterCommand(line: "at 3") == .at(3))
    #expect(try CounterCommand(line: "at 0") == .at(0))
  }

  @Test(arguments: ["", " ", "\t", " \u{A0}\u{2003} "])
  func `a blank line is nothing`(line: String) throws {
    let command = try CounterCommand(line: line)
    #expect(command == nil)
  }

  @Test(arguments: ["  set 5", "set 5  ", "set \t 5", "\u{3000}set\u{A0}5\r"])
  func `white space around words does not matter`(line: String) throws {
    #expect(try CounterCommand(line: line) == .send(.set(5)))
  }

  @Test(arguments: ["", " ", "\t  "])
  func `Tab offers the commands as the first word, wherever it begins`(indent: String) {
    #expect(completions(of: "\(indent)in") == ["increase"])
    #expect(completions(of: "\(indent)re") == ["redo", "reset"])
  }

  @Test(arguments: ["set s", "set ", " + i", "in in"])
  func `Tab offers nothing for the words after it`(line: String) {
    #expect(completions(of: line) == [])
  }

  private func completions(of line: String) -> [String] {
    let infos = CounterCommand.table.withHelpAndQuit.infos
    return CommandCompletion(commands: infos).completion(of: line).candidates.map(\.label).sorted()
  }

  @Test func `the help names every command`() {
    let named = CounterCommand.helpText.split { " ,\n".contains($0) }.map(String.init)
    let names = CounterCommand.table.withHelpAndQuit.infos.flatMap(\.names)
    #expect(names.contains("quit"))
    for name in names { #expect(named.contains(name)) }
  }
}

@Suite(.bounded) struct CounterCommandErrorTests {
  @Test(arguments: ["foo", "++", "+x", "5"])
  func `an unknown command is named`(word: String) {
    expectError("unknown command '\(word)'; 'help' lists all", for: word)
  }

  @Test func `a misspelled command is corrected`() {
    expectError(
      "unknown command 'rest'; did you mean 'reset'? ('help' lists all)", for: "rest")
  }

  @Test(arguments: [("+5", "+ 5"), ("-12", "- 12")])
  func `a missing space is pointed out`(word: String, meant: String) {
    expectError("unknown command '\(word)'; try '\(meant)'", for: word)
  }

  @Test(arguments: ["abc", "5x", "1.5", "1e3", "0x10", "+", "-", "٣", "½", "5\u{301}"])
  func `an argument that is no whole number is named`(text: String) {
    expectError("set takes a whole number, not '\(text)'; try 'set 5'", for: "set \(text)")
  }

  @Test(arguments: ["+", "-", "increase", "decrease"])
  func `an amount is a whole number too`(name: String) {
    let sign = ["+", "increase"].contains(name) ? "+" : "-"
    expectError("\(sign) takes a whole number, not 'x'; try '\(sign) 5'", for: "\(name) x")
  }

  @Test(arguments: ["99999999999999999999", "-9223372036854775809", "+9223372036854775808"])
  func `a number that does not fit is out of range`(text: String) {
    expectError(
      "\(text) is out of range; use a number from \(Int.min) to \(Int.max)", for: "set \(text)")
  }

  @Test(arguments: ["+", "-", "increase", "decrease"])
  func `an amount out of range is refused with the range of amounts`(name: String) {
    let text = "99999999999999999999"
    expectError(
      "\(text) is out of range; use a number from 0 to \(Int.max)", for: "\(name) \(text)")
  }

  @Test func `set wants its number`() {
    expectError("set needs a whole number; try 'set 5'", for: "set")
  }

  @Test func `set takes one number only`() {
    expectError("'2' is too much for 'set N'; try 'set 5'", for: "set 1 2")
  }

  @Test(arguments: ["+", "-"])
  func `an amount is one number only`(name: String) {
    let usage = name == "+" ? "+, increase [N]" : "-, decrease [N]"
    expectError("'2' is too much for '\(usage)'; try '\(name) 5'", for: "\(name) 1 2 3")
  }

  @Test func `a comment after a command needs a line of its own`() {
    expectError(
      "'#' is too much for '+, increase [N]'; a comment needs a line of its own",
      for: "+ 2 # comment")
    expectError(
      "'#5' is too much for 'reset'; a comment needs a line of its own", for: "reset #5")
  }

  @Test(arguments: ["+", "increase", "-", "decrease", "at", "history"])
  func `a count cannot be below 0`(name: String) {
    expectError("-5 is out of range; use a number from 0 to \(Int.max)", for: "\(name) -5")
  }

  @Test func `at wants its number`() {
    expectError("at needs a whole number; try 'at 5'", for: "at")
  }

  @Test(arguments: ["reset", "show", "undo", "redo"])
  func `commands without arguments take none`(name: String) {
    expectError("\(name) takes nothing, not '1'; type '\(name)' alone", for: "\(name) 1 2")
  }
}

@Suite(.bounded) struct CounterCommandEchoTests {
  @Test(arguments: [
    ("\u{1B}[2J", #"\u{1B}[2J"#), ("\u{7}", #"\u{07}"#), ("a\0b", #"a\0b"#),
    ("\u{202E}x", #"\u{202E}x"#), ("\u{9B}x", #"\u{009B}x"#), ("\u{7F}", #"\u{7F}"#),
  ])
  func `control characters that move the cursor are spelled out`(word: String, shown: String) {
    expectError("unknown command '\(shown)'; 'help' lists all", for: word)
    expectError("set takes a whole number, not '\(shown)'; try 'set 5'", for: "set \(word)")
    expectError("show takes nothing, not '\(shown)'; type 'show' alone", for: "show \(word)")
  }

  @Test func `a hint is cut as well`() {
    let (zeros, start) = (String(repeating: "0", count: 60_000), String(repeating: "0", count: 39))
    expectError("unknown command '+\(start)…'; try '+ \(start)0…'", for: "+\(zeros)1")
  }
}

/// Expects exactly this complaint about a line.
func expectError(
  _ text: String, for line: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(throws: CommandError(text), sourceLocation: sourceLocation) {
    try CounterCommand(line: line)
  }
}
