import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// What makes a reactor runs where the caller is: an app opens its journals on the main actor, and
/// takes what it gives the reactor from there.
@MainActor @Suite(.bounded) struct MainActorOpeningTests {
  private let reports = OnMain()

  /// Belongs to the main actor alone.
  private final class OnMain {
    let log = Log<String>()
  }

  @Test func `the main actor opens a reactor`() async throws {
    let journal = try await Journal(.inMemory)
    let cart = try await journal.open("1") { CartReactor(reports.log) }
    await cart.send(.add(1)).settled
    #expect(await cart.currentState.items == [1])
    await cart.stop().settled
  }

  @Test func `the main actor forks a history`() async throws {
    let journal = try await Journal(.inMemory)
    let cart = try await journal.open("1") { CartReactor(reports.log) }
    await cart.send(.add(1)).settled
    let history = journal.history("1", of: CartReactor.self)
    let fork = try await history.fork(at: 1) { CartReactor(reports.log) }
    #expect(await fork.currentState.items == [1])
    await fork.stop().settled
    await cart.stop().settled
  }

  @Test func `the main actor creates a reactor from a recorded state`() async throws {
    let cart = try await recorded(from: #"{"items":[1],"isLoading":false}"#) {
      CartReactor(reports.log)
    }
    #expect(await cart.currentState.items == [1])
    await cart.stop().settled
  }
}
