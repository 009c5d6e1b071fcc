import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// Random programs in a thousand orders, on a store that fails, stalls and loses its answers.
@Suite(.bounded) struct SimulatedJournalTests {
  private let key = JournalKey(name: "cart", id: "1")

  @Test func `a journal agrees with what was acknowledged and shown`() async throws {
    let sum = try await simulate(
      faultsOneIn: 1_000_000, seeds: 0..<UInt64(min(200, TestCounts.seedCount)))
    #expect(sum.acknowledged > 0)
    #expect(sum.failed == 0)
  }

  @Test(arguments: [(12, 1_000), (3, 2_000)])
  func `so it does where the store fails, stalls and loses its answers`(
    _ faultsOneIn: Int, _ first: UInt64
  ) async throws {
    let count = UInt64(min(500, TestCounts.seedCount))
    let sum = try await simulate(faultsOneIn: faultsOneIn, seeds: first..<(first + count))
    // It is no test of what has not happened.
    #expect(sum.acknowledged > 0)
    #expect(sum.failed > 0)
    #expect(sum.answersLost > 0)
    #expect(sum.stalls > 0)
    #expect(sum.whole > 0)
  }

  /// How often something has happened, over all seeds.
  private struct Sum: Sendable {
    var acknowledged = 0
    var failed = 0
    var answersLost = 0
    var stalls = 0
    /// Programs whose reactor came to its end in order.
    var whole = 0
  }

  private func simulate(faultsOneIn: Int, seeds: Range<UInt64>) async throws -> Sum {
    let sum = Guarded(Sum())
    try await ReactorTesting.simulate(seeds: seeds) { simulation in
      let store = FaultyStore(seed: simulation.seed, faultsOneIn: faultsOneIn)
      let running = Task(executorPreference: simulation.executor) {
        try await program(simulation.seed, on: store)
      }
      // A stall is over when nothing else can run, so that a batch fills meanwhile.
      repeat { await simulation.settle() } while store.resume()
      let observed = try await running.value
      try await check(observed, in: store.inner)
      sum.withLock {
        $0.acknowledged += observed.acknowledged.count
        $0.failed += observed.failed
        $0.answersLost += store.answersLost.withLock { $0 }
        $0.stalls += store.stalls.withLock { $0 }
        $0.whole += observed.isWhole ? 1 : 0
      }
    }
    return sum.withLock { $0 }
  }

  /// What a program has received.
  private struct Observations: Sendable {
    var acknowledged: Set<Int> = []
    /// How many outputs were acknowledged, and how many asked for.
    var announced = 0
    var announcing = 0
    var failed = 0
    var shown: [[Int]] = []
    /// How many items there were, as each output says.
    var outputs: [Int] = []
    /// Whether the reactor was not ended by its store.
    var isWhole = false
  }

  private final class ObservationLog: Sendable {
    let observed = Guarded(Observations())
    let store: FaultyStore

    init(_ store: FaultyStore) { self.store = store }

    /// A reader has seen so many: by now, all of them are kept.
    func checkDurable(_ count: Int, in what: String) {
      #expect(count <= store.lastStored.withLock { $0 }, "\(what) was there before it was kept")
    }
  }

  private func program(_ seed: UInt64, on store: FaultyStore) async throws -> Observations {
    let (log, reports) = (ObservationLog(store), Log<String>())
    var random = SplitMix64(seed: seed)
    let options = JournalOptions(snapshotAfter: random.oneIn(2) ? .zero : nil, hashesEvery: 1)
    let journal = try await Journal(.store(store), options: options)
    let durability: Durability = random.oneIn(3) ? .each : .group
    let cart = try await journal.open("1", durability: durability) { CartReactor(reports) }
    let outputs = cart.outputs()
    let watching = PipelineTasks.inheriting {
      for await state in cart.state {
        log.checkDurable(state.items.count, in: "a state")
        log.observed.withLock { $0.shown.append(state.items) }
      }
    }
    let listening = PipelineTasks.inheriting {
      while let count = await outputs.next().flatMap({ Int($0) }) {
        log.checkDurable(count, in: "an output")
        log.observed.withLock { $0.outputs.append(count) }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        let plan = (0..<8).map { _ in random.below(6) }
        group.addTask {
          for (step, kind) in plan.enumerated() {
            let items = [sender * 1_000 + step * 10, sender * 1_000 + step * 10 + 1]
            await send(kind, items, to: cart, log)
            await ask(cart, log)
          }
        }
      }
    }
    await cart.stop(.drain).settled
    await watching.value
    await listening.value
    return log.observed.withLock { observed in
      observed.isWhole = !reports.entries.contains { $0.contains("could not be kept") }
      return observed
    }
  }

  private func send(
    _ kind: Int, _ items: [Int], to cart: CartReactor, _ log: ObservationLog
  ) async {
    let (action, kept): (CartReactor.Action, [Int]) =
      switch kind {
      case 0: (.add(items[0]), [items[0]])
      case 1: (.addAll(items), items)
      case 2: (.setLoading(items[0] % 20 == 0), [])
      case 3: (.pay(items[0], paid: Gate()), [items[0]])
      case 4: (.announce, [])
      default: (.add(items[1]), [items[1]])
      }
    if kind == 4 { log.observed.withLock { $0.announcing += 1 } }
    let outcome = await cart.outcome(of: action)
    log.observed.withLock { observed in
      if outcome.isFinished {
        observed.acknowledged.formUnion(kept)
        if kind == 4 { observed.announced += 1 }
      } else if case .failed = outcome {
        observed.failed += 1
      }
    }
  }

  /// An answer has all that was acknowledged before it was asked for, and nothing that is not kept.
  private func ask(_ cart: CartReactor, _ log: ObservationLog) async {
    let before = log.observed.withLock { $0.acknowledged.count }
    guard let count = try? await cart.ask({ .count($0) }) else { return }
    log.checkDurable(count, in: "an answer")
    #expect(count >= before, "an answer lacks what was acknowledged")
  }

  private func check(_ observed: Observations, in store: MemoryStore) async throws {
    let entries = await store.entries(of: key, after: 0, limit: .max)
    #expect(entries.map(\.sequence) == Array(0..<entries.count).map { $0 + 1 })
    let journal = try await Journal(.store(store))
    let again = try await journal.open("1") { CartReactor() }
    let items = await again.currentState.items
    #expect(items.count == entries.count)
    #expect(Set(items).count == items.count, "something is there twice")
    #expect(observed.acknowledged.isSubset(of: items), "something acknowledged is lost")
    for state in observed.shown {
      #expect(items.starts(with: state), "something was shown that is not kept")
    }
    #expect(observed.outputs == observed.outputs.sorted(), "outputs have changed places")
    #expect(observed.announced <= observed.outputs.count, "an output that was acknowledged is lost")
    #expect(observed.outputs.count <= observed.announcing, "something was put out twice")
    if observed.isWhole {
      #expect(observed.shown.last == items)
      #expect(observed.outputs.count == observed.announcing)
    }
  }
}
