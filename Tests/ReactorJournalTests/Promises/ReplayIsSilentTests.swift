import Reactor
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// Recovery calls `reduce`, and nothing else.
@Suite(.bounded) struct ReplayIsSilentTests {
  @Test func `a recovery runs no effect, and sends, outputs and reports nothing`()
    async throws
  {
    let journal = try await Journal(.inMemory)
    let (mail, reports) = (Log<String>(), ReportLog())
    let first = try await journal.open("1") { MailReactor(mail) }
    for name in ["Ada", "Ben"] { await first.send(.welcome(name)).settled }
    #expect(mail.entries == ["mutate Ada", "mail Ada", "mutate Ben", "mail Ben"])
    await first.stop().settled
    // Listened to before it is recovered, or what is put out then could not be heard.
    let again = MailReactor(mail, reports)
    let (outputs, actions) = (again.outputs(), again.actions())
    _ = try await journal.open("1") { again }
    #expect(await again.currentState == ["Ada", "Ben"])
    #expect(mail.count == 4)
    await again.send(.welcome("Cy")).settled
    #expect(await outputs.next() == "welcomed Cy")
    #expect(await actions.next() == .welcome("Cy"))
    #expect(mail.entries.dropFirst(4) == ["mutate Cy", "mail Cy"])
    #expect(reports.problems == [])
  }

  @Test func `restoring past states runs nothing either`() async throws {
    let journal = try await Journal(.inMemory)
    let mail = Log<String>()
    let first = try await journal.open("1") { MailReactor(mail) }
    await first.send(.welcome("Ada")).settled
    #expect(try await first.history?.state(at: 0) == [])
    #expect(try await first.history?.state(at: 1) == ["Ada"])
    #expect(mail.count == 2)
  }
}

/// Has effects on the outside: writes e-mails, and reports that.
actor MailReactor: Reactor, JournaledReactor {
  enum Action: Equatable { case welcome(String) }
  enum Mutation: Codable { case welcomed(String) }
  typealias State = [String]
  typealias Output = String

  static let journalName = "mail"
  static let journalVersion = 1
  static let initialState: [String] = []
  let pipeline = Pipeline()
  private let mail: Log<String>
  private let reports: ReportLog

  init(_ mail: Log<String>, _ reports: ReportLog = ReportLog()) {
    (self.mail, self.reports) = (mail, reports)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    let name =
      switch action {
      case .welcome(let name): name
      }
    mail.append("mutate \(name)")
    return .run { [self] emit in
      await emit(.welcomed(name))
      try await emit.durable()
      mail.append("mail \(name)")
      output("welcomed \(name)")
    }
  }

  static func reduce(state: inout [String], mutation: Mutation) {
    switch mutation {
    case .welcomed(let name): state.append(name)
    }
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}
