import ListChanges
import Testing
import TestLimits

@Suite(.bounded) struct ListChangesTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var text = ""
  }

  private func rows(_ ids: Int...) -> [Row] { ids.map { Row(id: $0) } }

  /// The changes, described, once they have been found to do what they should.
  private func changes(
    _ old: [Row], _ new: [Row], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let changes = try ListChanges(from: old, to: new)
    #expect(changes.applied(to: old) == new, sourceLocation: sourceLocation)
    return "\(changes)"
  }

  // MARK: Each kind

  @Test func `nothing has changed between equal lists`() throws {
    #expect(try changes(rows(1, 2, 3), rows(1, 2, 3)) == "no changes")
    #expect(try ListChanges(from: rows(1, 2), to: rows(1, 2)).isEmpty)
  }

  @Test func `nothing has changed between empty lists`() throws {
    #expect(try changes([], []) == "no changes")
  }

  @Test func `rows are inserted into an empty list, and deleted until it is empty`() throws {
    #expect(try changes([], rows(1, 2, 3)) == "insert 0, 1, 2")
    #expect(try changes(rows(1, 2, 3), []) == "delete 0, 1, 2")
  }

  @Test func `inserts are positions in the new list`() throws {
    #expect(try changes(rows(1, 2, 3), rows(9, 1, 8, 2, 3, 7)) == "insert 0, 2, 5")
  }

  @Test func `deletes are positions in the old list`() throws {
    #expect(try changes(rows(9, 1, 8, 2, 3, 7), rows(1, 2, 3)) == "delete 0, 2, 5")
  }

  @Test func `an update has both positions`() throws {
    let new = [Row(id: 9), Row(id: 1), Row(id: 2, text: "new")]
    #expect(try changes(rows(1, 2), new) == "insert 0; update 1 → 2")
  }

  @Test func `a row with another id is another row, whatever it shows`() throws {
    #expect(try changes(rows(1, 2, 3), rows(1, 4, 3)) == "delete 1; insert 1")
  }

  @Test func `everything at once`() throws {
    let new = [Row(id: 6), Row(id: 1), Row(id: 7), Row(id: 3, text: "new"), Row(id: 4)]
    let found = try ListChanges(from: rows(1, 2, 3, 4, 5, 6), to: new)
    #expect(found.deletes == [1, 4])
    #expect(found.inserts == [2])
    #expect(found.moves == [RowPositions(old: 5, new: 0)])
    #expect(found.updates == [RowPositions(old: 2, new: 3)])
    #expect(!found.isEmpty)
    #expect(found.applied(to: rows(1, 2, 3, 4, 5, 6)) == new)
    #expect(found.description == "delete 1, 4; insert 2; move 5 → 0; update 2 → 3")
  }

  // MARK: Moves

  @Test func `rows that merely shifted have not moved`() throws {
    #expect(try changes(rows(1, 2, 3, 4), rows(9, 2, 3, 4, 8)) == "delete 0; insert 0, 4")
  }

  @Test func `one row moves past many, not many past one`() throws {
    #expect(try changes(rows(1, 2, 3, 4, 5), rows(2, 3, 4, 5, 1)) == "move 0 → 4")
    #expect(try changes(rows(1, 2, 3, 4, 5), rows(5, 1, 2, 3, 4)) == "move 4 → 0")
  }

  @Test func `two rows that change places are one move if they are neighbours`() throws {
    let found = try ListChanges(from: rows(1, 2, 3, 4), to: rows(1, 3, 2, 4))
    #expect(found.moves.count == 1)
  }

  @Test func `two rows that change places are two moves if they are not`() throws {
    #expect(try changes(rows(1, 2, 3, 4, 5), rows(5, 2, 3, 4, 1)) == "move 4 → 0, 0 → 4")
  }

  @Test func `a block moves row by row`() throws {
    let new = rows(5, 6, 1, 2, 3, 4)
    #expect(try changes(rows(1, 2, 3, 4, 5, 6), new) == "move 4 → 0, 5 → 1")
  }

  @Test(arguments: [2, 7, 100, 2_000]) func `in a reversal, one row stays`(_ count: Int) throws {
    let old = (0..<count).map { Row(id: $0) }
    let found = try ListChanges(from: old, to: old.reversed())
    #expect(found.moves.count == count - 1)
    #expect(found.applied(to: old) == old.reversed())
  }

  @Test func `a row that moved and changed is a move and an update`() throws {
    let new = [Row(id: 3, text: "new"), Row(id: 1), Row(id: 2)]
    #expect(try changes(rows(1, 2, 3), new) == "move 2 → 0; update 2 → 0")
  }

  @Test func `updates are in the new list's order, however they were found`() throws {
    let old = (0..<20).map { Row(id: $0) }
    var new = ([19] + Array(0..<19)).map { Row(id: $0, text: "new") }
    new[7].text = ""
    let found = try ListChanges(from: old, to: new)
    #expect(found.updates.map(\.new) == Array(0..<20).filter { $0 != 7 })
    #expect(found.applied(to: old) == new)
  }

  // MARK: What is compared

  @Test func `any collections can be compared`() throws {
    let old = Set(0..<10)
    let found = try ListChanges(from: old, to: (5..<15).lazy.map { $0 }, id: \.self)
    #expect(found.applied(to: old) == Array(5..<15))
  }

  @Test func `rows are identified by a key path of the caller's choice`() throws {
    let old = [(name: "a", age: 1), (name: "b", age: 2)]
    let new = [(name: "b", age: 3), (name: "c", age: 4)]
    let found = try ListChanges(from: old, to: new, id: { $0.name }, by: { $0.age == $1.age })
    #expect(found.description == "delete 0; insert 1; update 1 → 0")
    #expect(found.applied(to: old).map(\.age) == [3, 4])
  }

  @Test func `equality is evaluated for the same row, the old one first`() throws {
    var asked: [String] = []
    let old = [Row(id: 1, text: "a"), Row(id: 2, text: "b")]
    let new = [Row(id: 2, text: "B"), Row(id: 1, text: "A")]
    let found = try ListChanges(
      from: old, to: new, id: \.id,
      by: {
        asked.append($0.text + $1.text)
        return true
      })
    #expect(asked.sorted() == ["aA", "bB"])
    #expect(found.updates.isEmpty)
  }

  @Test func `a copy of the list is updated in place`() throws {
    var mirror = rows(1, 2, 3)
    try ListChanges(from: mirror, to: rows(3, 4, 1)).apply(to: &mirror)
    #expect(mirror == rows(3, 4, 1))
  }

  @Test func `changes are equal if they do the same`() throws {
    let one = try ListChanges(from: rows(1, 2), to: rows(2, 3))
    #expect(try one == ListChanges(from: rows(4, 2), to: rows(2, 3)))
    #expect(try one != ListChanges(from: rows(1, 2), to: rows(2, 4)))
  }
}
