import Hummingbird
import HummingbirdTesting
import Reactor
import ReactorHummingbird
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// What clients see of a reactor whose mutations are kept.
@Suite(.bounded) struct DurableStateTests {
  private actor Purse: JournaledReactor {
    typealias Action = Int
    typealias Mutation = Int
    typealias State = Int
    static let journalName = "purse"
    static let journalVersion = 1
    static let initialState = 0
    nonisolated let pipeline = Pipeline()
    static func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  @Test func `a state that is not on disk yet is not shown`() async throws {
    let store = StalledStore()
    let journal = try await Journal(.store(store))
    let purse = try await journal.open("1") { Purse() }
    let router = Router()
    router.get("purse", of: purse) { $0 }
    router.post("purse", sending: purse)
    try await Application(router: router, logger: .silent).test(.router) { client in
      async let paying = client.json("purse", "5")
      await store.writing.reached()
      // Reduced, and not yet shown.
      #expect(await purse.currentState == 5)
      let before = try await client.execute(uri: "/purse", method: .get)
      #expect(String(buffer: before.body) == "0")
      store.writing.open()
      #expect(try await paying.status == .ok)
      let after = try await client.execute(uri: "/purse", method: .get)
      #expect(String(buffer: after.body) == "5")
    }
  }
}
