import Reactor
import ReactorJournal
import TestSupport
import Testing

/// Hashes of the state beside the entries: they stop what is not deterministic, and nothing else.
@Suite struct StateHashTests {
  private let options = JournalOptions(hashesEvery: 1)

  @Test func `what is not kept does not keep a journal from being opened`() async throws {
    let journal = try await Journal(.inMemory, options: options)
    let cart = try await journal.open("1") { CartReactor() }
    await cart.send(.setLoading(true)).settled
    await cart.send(.add(1)).settled
    await cart.stop().settled
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState == .init(items: [1]))
  }
}
