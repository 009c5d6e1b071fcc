import Reactor
import ReactorTesting
import Synchronization
import TestLimits
import Testing

/// Effects that check, call something, and act on what they checked: one of them may be overtaken.
@Suite(.bounded) struct FreeActorRaceTests {
  /// What the effect does between its check and its act.
  enum Gap: CaseIterable, Sendable { case freeActor, waitingActor, yield, childTask }

  private actor Bank {
    private var payments = 0

    func pay() { payments += 1 }

    func payLater() async {
      await Task.yield()
      payments += 1
    }
  }

  private actor Shop: Reactor {
    typealias Action = Gap
    typealias Mutation = Int
    let initialState = 0
    let pipeline = Pipeline()
    private let bank: Bank

    init(_ bank: Bank) { self.bank = bank }

    func mutate(action: Gap) -> MutationStream<Int> {
      .run { emit in
        guard self.currentState == 0 else { return }
        switch action {
        case .freeActor: await self.bank.pay()
        case .waitingActor: await self.bank.payLater()
        case .yield: await Task.yield()
        case .childTask: await withTaskGroup { $0.addTask {} }
        }
        await emit(1)
      }
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  @Test(arguments: Gap.allCases)
  func `the second effect acts on what the first has changed, in some order`(gap: Gap) async throws
  {
    let found = Mutex(0)
    for seed in UInt64(1)...100 {
      try await simulate(seed: seed) { simulation in
        let shop = Shop(Bank())
        shop.send(gap)
        shop.send(gap)
        await simulation.settle()
        if await shop.currentState > 1 { found.withLock { $0 += 1 } }
      }
    }
    let count = found.withLock { $0 }
    #expect(count > 0, "\(count) of 100 seeds")
    #expect(count < 100, "\(count) of 100 seeds")
  }
}
