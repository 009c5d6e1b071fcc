import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// A reply is of no use in a journal, and is not written to it.
@Suite(.bounded) struct ReplyInMutationTests {
  private let refusal =
    "mutation 1 of bell '1' cannot be encoded: a Reply cannot be part of a mutation that is kept: "
    + "answer where the mutation is emitted, and keep what is to be known afterwards"

  @Test func `a mutation with a reply in it is refused, and nothing is stored`() async throws {
    let journal = try await Journal(.inMemory)
    let reports = Log<String>()
    let bell = try await journal.open("1") { BellReactor(reports) }
    let outcome = await bell.outcome(of: .asked(Reply { _ in }))
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect("\(error)" == refusal)
    #expect(reports.entries.contains { $0.contains(refusal) })
    #expect(try await journal.history("1", of: BellReactor.self).last == 0)
  }

  @Test func `it is found late as well, and however deep`() async throws {
    let journal = try await Journal(.inMemory)
    let bell = try await journal.open("1") { BellReactor(Log()) }
    for _ in 1...40 { await bell.send(.maybe([])).settled }
    let outcome = await bell.outcome(of: .maybe([nil, .init(reply: Reply { _ in })]))
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect("\(error)".contains("mutation 41 of bell '1' cannot be encoded: a Reply cannot be"))
    #expect(try await journal.history("1", of: BellReactor.self).last == 40)
  }

  @Test func `a text that contains a reply's word is stored as any other`() async throws {
    let journal = try await Journal(.inMemory)
    let bell = try await journal.open("1") { BellReactor(Log()) }
    for _ in 1...40 { await bell.send(.said("process")).settled }
    #expect(try await journal.history("1", of: BellReactor.self).last == 40)
  }

  @Test func `a golden journal reports it before release`() async throws {
    let texts = await issueTexts {
      assertGoldenJournal(
        of: BellReactor.self, mutations: [.asked(Reply { _ in })], states: [],
        in: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path)
    }
    #expect(texts.joined().contains("a Reply cannot be part of a mutation that is kept"))
  }
}

/// Rings, and keeps the reply of its asker, which is refused.
private actor BellReactor: Reactor, JournaledReactor {
  struct Ring: Codable, Sendable { var reply: Reply<Int> }
  enum Mutation: Codable, Sendable {
    case asked(Reply<Int>)
    case maybe([Ring?])
    case said(String)
  }
  typealias Action = Mutation
  typealias State = Int

  static let journalName = "bell"
  static let journalVersion = 1
  static let initialState = 0
  nonisolated let pipeline = Pipeline()
  nonisolated let reports: Log<String>

  init(_ reports: Log<String>) { self.reports = reports }

  static func reduce(state: inout Int, mutation: Mutation) { state += 1 }

  nonisolated func report(_ report: ReactorReport) { reports.append(report.description) }
}
