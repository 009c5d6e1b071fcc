import Testing
import TestLimits

@testable import TaskListDemo
@testable import TaskStore

@Suite(.bounded) struct TextTests {
  private let tasks: TestService

  init() throws { tasks = try TestService() }

  @Test(arguments: [
    ("", "the title is blank; give it some text"),
    (" \t\n", "the title is blank; give it some text"),
    ("\u{200B}\u{FEFF}", "the title is blank; give it some text"),
    ("Buy\nmilk", "the title has a line break in it; leave that out"),
    ("Buy\u{2028}milk", "the title has a line break in it; leave that out"),
    ("Buy\tmilk", "the title has a tab in it; leave that out"),
    ("\u{1B}[31mmilk", "the title has the control character \\u{1B} in it; leave that out"),
    ("a\0b", "the title has the control character \\0 in it; leave that out"),
    (String(repeating: "x", count: 1_001), "the title is longer than 1000 characters; shorten it"),
  ])
  func `a title that cannot be shown in one line is refused`(
    title: String, refusal: String
  ) async throws {
    #expect(try await tasks.refusal(of: .add(TaskDraft(title: title))) == refusal)
    let id = try await tasks.add("Milk")[0]
    #expect(try await tasks.refusal(of: .edit(id, [.memo("x"), .title(title)])) == refusal)
    #expect(try await tasks.service.task(id)?.memo == nil)
  }

  @Test(arguments: [
    "x", "日本語", "👩‍👩‍👧‍👦", "e\u{301}", "a \"quoted\" 'title'; DROP TABLE tasks; --", "%_*",
    String(repeating: "x", count: 1_000),
  ])
  func `any other title is returned as it was given`(title: String) async throws {
    try await tasks.add(title)
    #expect(try await tasks.titles().map { Array($0.utf8) } == [Array(title.utf8)])
  }

  @Test func `a section's name follows the rules of a title`() async throws {
    #expect(
      try await tasks.refusal(of: .add(TaskDraft(title: "Milk", section: " ")))
        == "the name of the section is blank; give it some text")
    let long = String(repeating: "x", count: 101)
    #expect(
      try await tasks.refusal(of: .add(TaskDraft(title: "Milk", section: long)))
        == "the name of the section is longer than 100 characters; shorten it")
  }

  @Test func `a memo may have lines and tabs, and no other control characters`() async throws {
    let id = try await tasks.add("Milk")[0]
    let outcome = try await tasks.perform(.edit(id, [.memo(" one\r\ntwo\tthree\n")]))
    #expect(outcome.tasks.map(\.memo) == ["one\ntwo\tthree"])
    #expect(
      try await tasks.refusal(of: .edit(id, [.memo("a\u{7}b")]))
        == "the memo has the control character \\u{07} in it; leave that out")
    let long = String(repeating: "x", count: 100_001)
    #expect(
      try await tasks.refusal(of: .edit(id, [.memo(long)]))
        == "the memo is longer than 100000 characters; shorten it")
  }

  @Test func `a long title is cut in a summary, not in the list`() async throws {
    let title = String(repeating: "long ", count: 20)
    let outcome = try await tasks.perform(.add(TaskDraft(title: title)))
    #expect(outcome.summary == "added \"\(title.prefix(39))…\"")
    #expect(outcome.tasks.map(\.title) == [String(title.dropLast())])
  }
}
