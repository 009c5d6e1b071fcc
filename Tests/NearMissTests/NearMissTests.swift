import Foundation
import Testing
import TestLimits

/// Every member that an author may get wrong either works or does not compile, with words that lead
/// to the cure.
///
/// What stays silent is listed in `docs/decisions/0014-near-misses.md`.
@Suite(.bounded) struct NearMissTests {
  private static let rows =
    Row.lanes + Row.hooks + Row.namedHooks + Row.mutating + Row.namedMutating + Row.others
    + Row.kinds + Row.journaled + Row.silent

  private static let compilation = Task { try await Compilation.of(rows) }

  @Test(arguments: rows) func `a spelling works, or the compiler names what is wrong`(
    _ row: Row
  ) async throws {
    let compilation = try await Self.compilation.value
    #expect(compilation.stray == "")
    let errors = compilation.errors(of: row)
    switch row.expectation {
    case .works, .silent: #expect(errors == "")
    case .fails(let texts), .failsLater(let texts):
      for text in texts {
        #expect(errors.contains(text), "nothing says \(text)")
      }
    }
  }

  @Test func `each row has a name of its own`() {
    #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
    #expect(Self.rows.count >= 40)
  }

  @Test(arguments: rows.filter(\.isSilent))
  func `a spelling that is not detected is in the decision`(_ row: Row) throws {
    let decision = try String(
      contentsOfFile: "\(#filePath)".replacing(
        "Tests/NearMissTests/NearMissTests.swift", with: "docs/decisions/0014-near-misses.md"),
      encoding: .utf8)
    #expect(decision.contains("`\(row.name)`"))
  }
}
