import ArgumentParser
import Testing

@testable import TaskListDemo

/// What is understood without ArgumentParser, which must be what ArgumentParser understands.
struct PlainArgumentTests {
  @Test(arguments: [
    [], ["--in-memory"], ["--json"], ["--database", "x.sqlite"], ["--json", "--in-memory"],
    ["add", "Buy milk"], ["--database", "x", "add", "--memo", "m", "Buy"], ["list", "--json"],
    ["--json", "--json", "list"], ["add", "--", "-x"], ["add", "--help"], ["list", ""], [""],
  ])
  func `plain arguments mean the same to both`(arguments: [String]) throws {
    let plain = try #require(Program(plain: arguments[...]))
    #expect(plain == (try TaskListDemo.parse(arguments)).program)
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["--version"], ["--"], ["--", "add", "x"], ["-x"], ["--database"],
    ["--database", ""], ["--database", "--json"], ["--database=x"], ["--database=x", "list"],
    ["--database", "x", "--database", "y"], ["--database", "x", "--in-memory"], ["--jsn", "list"],
    ["--generate-completion-script", "bash"], ["-"],
  ])
  func `what is not plain is left to ArgumentParser`(arguments: [String]) {
    #expect(Program(plain: arguments[...]) == nil)
  }
}
