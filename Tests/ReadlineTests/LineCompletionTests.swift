import Testing
import TestLimits

@testable import Readline
@testable import CommandShell

@Suite(.bounded) struct LineCompletionTests {
  @Test func `a line becomes its only candidate`() {
    #expect(become("done Bu", from: 5, [#""Buy milk" "#]) == #"done "Buy milk" "#)
  }

  @Test func `a line becomes the common prefix of all candidates`() {
    #expect(become("done bu", from: 5, ["Buy-milk ", "Buy-mint "]) == "done Buy-mi")
    #expect(become("", from: 0, ["list ", "list-all "]) == "list")
  }

  @Test func `a line stays where candidates share less than was typed`() {
    #expect(become("done bu", from: 5, ["Buy ", "bus "]) == "done bu")
    #expect(become("done ", from: 5, ["a", "b"]) == "done ")
  }

  @Test func `a line stays where the common prefix means something else`() {
    let line = "done b"
    var numbers = LineCompletion(
      from: line.index(before: line.endIndex), [.init("12 "), .init("13 ")])
    numbers.isSharedInserted = false
    #expect(numbers.result(in: line) == line)
    numbers.candidates.removeLast()
    #expect(numbers.result(in: line) == "done 12 ")
  }

  @Test func `a line with no candidates stays as it is`() {
    #expect(become("done bu", from: 5, []) == nil)
  }

  @Test func `an accent is not shared without its base character`() {
    #expect(become("", from: 0, ["e\u{301}a", "e\u{300}a"]) == "")
    #expect(become("", from: 0, ["xé", "xe\u{301}"]) == "x")
    #expect(become("", from: 0, ["👩‍👧", "👩‍👦"]) == "")
  }

  @Test func `words are completed after the last blank`() {
    let completion = LineCompletion(ofLastWordIn: "list\tm") { line, word in
      #expect(line == "list\tm")
      #expect(word == "m")
      return ["milk", "mint", "tea"]
    }
    #expect(
      completion.candidates == [.init("milk ", label: "milk"), .init("mint ", label: "mint")])
    #expect(completion.lines(from: "list\tm") == ["list\tmilk ", "list\tmint "])
  }

  private func become(_ line: String, from start: Int, _ candidates: [String]) -> String? {
    LineCompletion(
      from: line.index(line.startIndex, offsetBy: start), candidates.map { .init($0) }
    ).result(in: line)
  }
}
