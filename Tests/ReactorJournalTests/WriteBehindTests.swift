import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// Outputs that are visible before they are stored, and for how long.
@Suite(.bounded) struct WriteBehindTests {
  private let store = ScriptedStore()

  @Test func `written behind, nothing waits`() async throws {
    let clock = ManualClock()
    let journal = try await Journal(.store(store), options: JournalOptions(clock: clock))
    let cart = try await journal.open("1", durability: .behind(atMost: .steps(2))) {
      CartReactor()
    }
    await cart.send(.add(1)).settled
    #expect(await store.batches == [])
    await cart.stop().settled
    #expect(await store.batches == [1])
  }

  @Test func `written behind, it is written when half of the window is over`() async throws {
    let clock = ManualClock()
    let journal = try await Journal(.store(store), options: JournalOptions(clock: clock))
    let cart = try await journal.open("1", durability: .behind(atMost: .steps(2))) {
      CartReactor()
    }
    await cart.send(.add(1)).settled
    await cart.send(.add(2)).settled
    #expect(store.appends.count == 0)
    await clock.advance(past: 1)
    #expect(await store.appends.entries(upTo: 1) == [2])
    // The next one begins with what comes next.
    await cart.send(.add(3)).settled
    #expect(store.appends.count == 1)
    await clock.advance(past: 2)
    #expect(await store.appends.entries(upTo: 2) == [2, 1])
  }

  @Test func `written behind, it is written at once where an effect waits for that`() async throws {
    let (clock, paid) = (ManualClock(), Gate())
    let journal = try await Journal(.store(store), options: JournalOptions(clock: clock))
    let cart = try await journal.open("1", durability: .behind(atMost: .steps(2))) {
      CartReactor()
    }
    await cart.send(.add(1)).settled
    await cart.send(.pay(2, paid: paid)).settled
    #expect(paid.isOpen)
    #expect(await store.batches == [2])
    #expect(clock.now.step == 0)
  }

  @Test func `written behind, where the store stalls nothing is shown after the window`()
    async throws
  {
    try await simulate { simulation in
      let (store, stall) = (ScriptedStore(), Gate())
      await store.stall(at: stall)
      let journal = try await Journal(
        .store(store), options: JournalOptions(clock: simulation.clock))
      let cart = try await journal.open("1", durability: .behind(atMost: .seconds(2))) {
        CartReactor()
      }
      let log = Log<String>()
      let watching = Task(executorPreference: simulation.executor) {
        for await state in cart.state { log.append("saw \(state.items)") }
      }
      await cart.send(.add(1)).settled
      await simulation.advance(by: .milliseconds(1_900))
      await cart.send(.add(2)).settled
      await simulation.settle()
      #expect(log.entries == ["saw []", "saw [1]", "saw [1, 2]"])
      await simulation.advance(by: .milliseconds(100))
      let waiting = Task(executorPreference: simulation.executor) {
        await cart.send(.add(3)).settled
        log.append("settled")
      }
      await simulation.settle()
      // As long as it takes: what a crash would take back is no more than that.
      await simulation.advance(by: .seconds(100))
      #expect(await cart.currentState.items == [1, 2, 3])
      #expect(log.entries == ["saw []", "saw [1]", "saw [1, 2]"])
      stall.open()
      await store.stall(at: nil)
      await waiting.value
      await simulation.settle()
      #expect(Set(log.entries.dropFirst(3)) == ["saw [1, 2, 3]", "settled"])
      // And then it is behind again.
      await cart.send(.add(4)).settled
      #expect(try await store.extent(of: JournalKey(name: "cart", id: "1")).last == 3)
      await cart.stop().settled
      await watching.value
    }
  }
}
