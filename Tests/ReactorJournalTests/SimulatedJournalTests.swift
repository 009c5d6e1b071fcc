import Reactor
import ReactorJournal
import ReactorTesting
import TestSupport
import Testing

/// Random programs in a thousand orders, on a store that fails, stalls and loses its answers.
@Suite struct SimulatedJournalTests {
  private let key = JournalKey(name: "cart", id: "1")

  @Test(arguments: [(0, 1_000_000), (1, 12), (2, 3)])
  func `a journal is true to what was acknowledged and shown`(
    _ part: Int, _ faultsOneIn: Int
  ) async throws {
    let (from, count) = (UInt64(part) * 1_000, UInt64(part == 0 ? 200 : 400))
    try await simulate(seeds: from..<(from + count)) { simulation in
      let seed = simulation.seed
      let store = FaultyStore(seed: seed, faultsOneIn: faultsOneIn)
      let run = try await program(seed, on: store)
      try await check(run, in: store.inner, isWhole: part == 0)
    }
  }

  /// What a program was told.
  private struct Told: Sendable {
    var acknowledged: Set<Int> = []
    var sent = 0
    var shown: [[Int]] = []
    var outputs: [String] = []
    var answers: [Int] = []
  }

  private final class Book: Sendable {
    let told = Guarded(Told())
  }

  private func program(_ seed: UInt64, on store: FaultyStore) async throws -> Told {
    let book = Book()
    var random = SplitMix64(seed: seed)
    let options = JournalOptions(snapshotAfter: random.oneIn(2) ? .zero : nil, hashesEvery: 1)
    let journal = try await Journal(.store(store), options: options)
    let durability: Durability = random.oneIn(3) ? .each : .group
    let cart = try await journal.open("1", durability: durability) { CartReactor(Log()) }
    let watching = SimulatedExecutor.task {
      for await state in cart.state { book.told.withLock { $0.shown.append(state.items) } }
    }
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        let plan = (0..<8).map { _ in random.below(5) }
        group.addTask {
          for (step, kind) in plan.enumerated() {
            let items = [sender * 1_000 + step * 10, sender * 1_000 + step * 10 + 1]
            await send(kind, items, to: cart, book)
          }
        }
      }
    }
    await cart.stop(.drain).settled
    await watching.value
    return book.told.withLock { $0 }
  }

  private func send(
    _ kind: Int, _ items: [Int], to cart: CartReactor, _ book: Book
  ) async {
    let action: CartReactor.Action =
      switch kind {
      case 0: .add(items[0])
      case 1: .addAll(items)
      case 2: .setLoading(items[0] % 20 == 0)
      case 3: .pay(items[0], paid: Gate())
      default: .add(items[1])
      }
    book.told.withLock { $0.sent += 1 }
    let outcome = await cart.outcome(of: action)
    if outcome.isFinished {
      let kept: [Int] =
        switch kind {
        case 0, 3: [items[0]]
        case 1: items
        case 2: []
        default: [items[1]]
        }
      book.told.withLock { $0.acknowledged.formUnion(kept) }
    }
    if let count = try? await cart.ask({ .count($0) }) {
      book.told.withLock { $0.answers.append(count) }
    }
  }

  private func check(_ told: Told, in store: MemoryStore, isWhole: Bool) async throws {
    let entries = await store.entries(of: key, after: 0, limit: .max)
    #expect(entries.map(\.sequence) == Array(0..<entries.count).map { $0 + 1 })
    let journal = try await Journal(.store(store))
    let again = try await journal.open("1") { CartReactor() }
    let items = await again.currentState.items
    #expect(items.count == entries.count)
    #expect(Set(items).count == items.count, "something is there twice")
    #expect(told.acknowledged.isSubset(of: items), "something acknowledged is lost")
    for state in told.shown {
      #expect(items.starts(with: state), "something was shown that is not kept")
    }
    for answer in told.answers { #expect(answer <= items.count) }
    if isWhole { #expect(told.shown.last == items) }
  }
}
