import Foundation
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorJournal

/// One file, which can be named in several ways.
@Suite(.bounded) struct LinkedFileTests {
  private func link(_ fixture: StoreFixture, to target: String) throws -> String {
    let link = fixture.folder.appending(path: "link.db").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    return link
  }

  @Test func `through a link, stored entries are acknowledged`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let journal = try await Journal(.sqlite(at: try link(fixture, to: fixture.path)))
    let cart = try await journal.open("1") { CartReactor() }
    #expect(await cart.outcome(of: .add(1)).isFinished)
    await cart.stop().settled
  }

  @Test func `a file that is open through a link cannot be opened beside it`() async throws {
    let fixture = try await StoreFixture(.sqlite)
    defer { fixture.remove() }
    let direct = try await Journal(.store(fixture.store))
    let linked = try await Journal(.sqlite(at: try link(fixture, to: fixture.path)))
    let cart = try await direct.open("1") { CartReactor() }
    await #expect(throws: JournalError.self) { _ = try await linked.open("1") { CartReactor() } }
    await cart.stop().settled
  }

  @Test(arguments: ["journal.db", "./journal.db", "../FOLDER/journal.db"])
  func `a link to a file that does not exist yet leads to it`(_ target: String) async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let name = fixture.folder.lastPathComponent
    let path = try link(fixture, to: target.replacingOccurrences(of: "FOLDER", with: name))
    let journal = try await Journal(.sqlite(at: path))
    let cart = try await journal.open("1") { CartReactor() }
    #expect(await cart.outcome(of: .add(1)).isFinished)
    await cart.stop().settled
    #expect(FileManager.default.fileExists(atPath: fixture.path + ".owners"))
  }

  @Test func `a relative path is that of the file when it was opened`() async throws {
    let fixture = try await StoreFixture(.memory)
    defer { fixture.remove() }
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + fixture.path.dropFirst()
    let store = try await SQLiteStore(path: relative)
    let end = "\(fixture.folder.lastPathComponent)/journal.db"
    #expect(store.path.hasPrefix("/") && store.path.hasSuffix(end))
  }
}
