import ListChanges
import Testing
import TestLimits

@Suite(.bounded) struct DuplicateIdentifierTests {
  private func found(_ old: [String], _ new: [String]) -> DuplicateIdentifier? {
    #expect(throws: DuplicateIdentifier.self) { try ListChanges(from: old, to: new, id: \.self) }
  }

  @Test func `an id that is twice in the old list is an error with its positions`() throws {
    let error = try #require(found(["a", "b", "c", "b"], ["a"]))
    #expect(error.list == .old)
    #expect(error.id == #""b""#)
    #expect((error.first, error.second) == (1, 3))
    #expect(
      error.description
        == "rows 1 and 3 of the old list have the same id; "
        + "give each row an id of its own, or leave one of them out")
  }

  @Test func `an id that is twice in the new list is an error with its positions`() throws {
    let error = try #require(found(["a"], ["x", "x", "a"]))
    #expect(error.id == #""x""#)
    #expect(
      error.description
        == "rows 0 and 1 of the new list have the same id; "
        + "give each row an id of its own, or leave one of them out")
  }

  @Test(arguments: [
    (["a", "a"], ["a"], "old 0 1"),
    (["a", "a"], ["a", "a"], "old 0 1"),
    (["a", "b", "b", "c"], ["a", "b", "c"], "old 1 2"),
    (["a"], ["a", "a"], "new 0 1"),
    (["a", "b"], ["b", "a", "b"], "new 0 2"),
    (["a", "b", "c"], ["b", "a", "b", "c"], "new 0 2"),
    (["a", "b", "c"], ["a", "b", "c", "a"], "new 0 3"),
    ([], ["a", "b", "a", "a"], "new 0 2"),
    (["c", "b", "a"], ["a", "b", "a", "c"], "new 0 2"),
  ])
  func `it is found wherever the copies are`(_ old: [String], _ new: [String], _ where: String) {
    let error = found(old, new)
    #expect(error.map { "\($0.list) \($0.first) \($0.second)" } == `where`)
  }

  @Test func `it is found in a list of 1,000 rows that has not changed`() {
    let list = Array(0..<999) + [500]
    #expect(throws: DuplicateIdentifier.self) { try ListChanges(from: list, to: list, id: \.self) }
  }

  @Test func `in a longer list, it is found among rows that came, went or moved`() {
    let list = Array(0..<2_000)
    let new = [-1] + list + [-1]
    #expect(throws: DuplicateIdentifier.self) { try ListChanges(from: list, to: new, id: \.self) }
    #expect(throws: DuplicateIdentifier.self) { try ListChanges(from: new, to: list, id: \.self) }
  }

  @Test func `where it is not searched for, it is harmless`() throws {
    let old = Array(0..<2_000) + [7]
    var new = old
    new.insert(8, at: 1_000)
    let changes = try ListChanges(from: old, to: new, id: \.self)
    #expect(changes.description == "insert 1000")
    #expect(changes.applied(to: old) == new)
  }
}
