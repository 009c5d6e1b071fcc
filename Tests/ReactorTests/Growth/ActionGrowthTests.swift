import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What one action has costs in proportion to its number: effects, tasks that wait, receipts.
@Suite(.bounded) struct ActionGrowthTests {
  @Test func `effects of one action`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      await BurstReactor().send(.yield(count)).settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `effects of one action that is cancelled`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let reactor = BurstReactor()
      let receipt = reactor.send(.sleep(count))
      await reactor.started.reached(by: count)
      receipt.cancel()
      await receipt.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `effects of one action whose reactor is stopped`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let reactor = BurstReactor()
      reactor.send(.sleep(count))
      await reactor.started.reached(by: count)
      await reactor.stop().settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `tasks that wait for one action and are cancelled`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let reactor = BurstReactor()
      let receipt = reactor.send(.sleep(1))
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await receipt.settled } }
        await reactor.waiters(of: 0, reach: count)
        group.cancelAll()
      }
      receipt.cancel()
      await receipt.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `tasks that wait for one action with as many effects`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let reactor = BurstReactor()
      let receipt = reactor.send(.sleep(count))
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await receipt.settled } }
        await reactor.waiters(of: 0, reach: count)
        reactor.started.open()
      }
    }
    #expect(growth < Growth.most)
  }

  @Test func `tasks that wait for a drain and are cancelled`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let reactor = BurstReactor()
      let receipt = reactor.send(.sleep(1))
      let drain = reactor.stop(.drain)
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await drain.settled } }
        await Task.yield()
        group.cancelAll()
      }
      receipt.cancel()
      await drain.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `tasks that wait for a tracked action and are cancelled`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let reactor = BurstReactor()
      let receipt = reactor.sendTracked(.sleep(1))
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await receipt.settled } }
        await Task.yield()
        group.cancelAll()
      }
      receipt.cancel()
      await receipt.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `receipts that are cancelled, last ones first, and read for their outcomes`()
    async throws
  {
    let growth = try await Growth.of(250) { count in
      let reactor = BurstReactor()
      let receipts = (0..<count).map { _ in reactor.send(.sleep(1)) }
      await reactor.started.reached(by: count)
      for receipt in receipts.reversed() { receipt.cancel() }
      for receipt in receipts { _ = await receipt.outcome }
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions that a tracked one has sent`() async throws {
    let growth = try await Growth.of(250) { count in
      let reactor = BurstReactor()
      let receipt = reactor.sendTracked(.send(count))
      await reactor.started.reached(by: count)
      receipt.cancel()
      await receipt.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions that are sent together`() async throws {
    let growth = try await Growth.of(1_000) { count in
      let receipts = TickReactor().sendTogether(Array(repeating: 1, count: count))
      await receipts.last?.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `asks of one effect that wait for their answers`() async throws {
    let growth = try await Growth.of(250) { count in
      let office = OfficeReactor()
      // From the first ask on, an effect knows whose work it is.
      _ = try? await office.ask { .count($0) }
      let asker = ScriptedReactor { _, _ in
        .run { _ in
          await withTaskGroup { group in
            for _ in 0..<count {
              group.addTask { _ = try? await office.ask { .wait($0) } }
            }
          }
        }
      }
      let receipt = asker.send(1)
      await office.wait { $0.currentState.waiting.count == count }
      await office.send(.serve(1)).settled
      await receipt.settled
    }
    #expect(growth < Growth.most)
  }

  @Test func `actions without task-local values before others with them`() async throws {
    let growth = try await Growth.of(500) { count in
      let reactor = TickReactor()
      let registration = reactor.addObserver(Bystander())
      await reactor.turn { reactor in
        for _ in 0..<count { reactor.send(1) }
        for _ in 0..<count { reactor.sendTracked(1) }
      }
      await reactor.send(1).settled
      registration.remove()
    }
    #expect(growth < Growth.most)
  }
}

/// Looks at what is taken and does nothing.
struct Bystander: ReactorObserver {
  let needs: ObserverNeeds = .taken

  func observe(_ step: ReactorStep) {}
}

/// One action, and so many effects of it, or so many actions that it sends.
private actor BurstReactor: Reactor {
  enum Action { case yield(Int), sleep(Int), send(Int) }
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  nonisolated let started = Gate()

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .yield(let count):
      .merge(
        (0..<count).map { _ in
          .run { emit in
            await Task.yield()
            await emit(1)
          }
        })
    case .sleep(let count):
      .merge((0..<count).map { [started] _ in .run { _ in try await started.wait() } })
    case .send(let count):
      .run { _ in for _ in 0..<count { self.send(.sleep(1)) } }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  /// Returns once so many tasks wait for an action.
  nonisolated func waiters(of number: UInt64, reach count: Int) async {
    while pipeline.core.ledger.waiterCount(of: number) < count { await Task.yield() }
  }
}

extension WorkLedger {
  fileprivate func waiterCount(of number: UInt64) -> Int {
    contents.withLock { $0.waiters[number]?.count ?? 0 }
  }
}
