import ArgumentParser
import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct ProgramArgumentTests {
  @Test(arguments: [
    ([], Program()),
    (["--in-memory"], Program(inMemory: true)),
    (["--json", "--in-memory"], Program(inMemory: true, isJSON: true)),
    (["--json", "--json", "list"], Program(isJSON: true, words: ["list"])),
    (["--database", "x.sqlite"], Program(database: "x.sqlite")),
    (["--database=x", "list"], Program(database: "x", words: ["list"])),
    (
      ["--database", "x", "add", "--memo", "m", "Buy"],
      Program(database: "x", words: ["add", "--memo", "m", "Buy"])
    ),
    (["add", "Buy milk"], Program(words: ["add", "Buy milk"])),
    (["list", "--json"], Program(words: ["list", "--json"])),
    (["add", "--", "-x"], Program(words: ["add", "--", "-x"])),
    (["--", "add", "x"], Program(words: ["add", "x"])),
    (["add", "--help"], Program(words: ["add", "--help"])),
    (["list", ""], Program(words: ["list", ""])), ([""], Program(words: [""])),
    (["-"], Program(words: ["-"])), (["--jsn", "list"], Program(words: ["--jsn", "list"])),
  ])
  func `options come before the words of a command`(
    arguments: [String], program: Program
  ) throws {
    #expect(try TaskListDemo.parse(arguments).program == program)
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["--version"], ["--database"], ["--database", ""],
    ["--database", "x", "--in-memory"],
  ])
  func `arguments that ask for help, or are wrong, start no program`(arguments: [String]) {
    #expect(throws: (any Error).self) { try TaskListDemo.parse(arguments) }
  }
}
