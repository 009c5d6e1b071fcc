import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// A simulation, its clock and what records in it cost in proportion to what they have to do.
///
/// Everything runs on one thread, the processor time of which is read.
@Suite(.bounded) struct SimulatedGrowthTests {
  @Test(arguments: [false, true])
  func `tasks that sleep until moments of their own`(cancels: Bool) async throws {
    try await simulate { simulation in
      let clock = simulation.clock
      let growth = try await Growth.ratio(500) { count in
        await withTaskGroup { group in
          let tasks = (0..<count).map { place in
            Task(executorPreference: simulation.executor) {
              try? await clock.sleep(for: .milliseconds(count - place))
            }
          }
          group.addTask { for task in tasks { await task.value } }
          await simulation.settle()
          if cancels {
            for task in tasks.reversed() { task.cancel() }
          } else {
            await simulation.advance(by: .milliseconds(count))
          }
        }
      }
      #expect(growth < Growth.most)
    }
  }

  @Test(arguments: [0, 1] as [UInt64])
  func `tasks that can run`(seed: UInt64) async throws {
    try await simulate(seed: seed) { _ in
      let growth = try await Growth.ratio(500) { count in
        await withTaskGroup { group in
          for _ in 0..<count {
            group.addTask { for _ in 0..<4 { await Task.yield() } }
          }
        }
      }
      #expect(growth < Growth.most)
    }
  }

  @Test func `entries that are recorded while a test waits for them`() async throws {
    try await simulate { _ in
      let growth = try await Growth.ratio(500) { count in
        let reactor = SumReactor()
        let recorder = await Recorder(reactor)
        async let mutations = recorder.next(\.mutation, count: count)
        for number in 0..<count { await reactor.send(number).settled }
        #expect(await mutations.count == count)
      }
      #expect(growth < Growth.most)
    }
  }

  @Test func `changes that a test receives`() async throws {
    try await simulate { simulation in
      let growth = try await Growth.ratio(250) { count in
        let test = await ReactorTest(SumReactor(), in: simulation)
        for _ in 0..<count { test.reactor.send(1) }
        for _ in 0..<count { await test.receive { $0 += 1 } }
        await test.finish()
      }
      #expect(growth < Growth.most)
    }
  }

  @Test func `a step after ten thousand`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(SumReactor(), in: simulation)
      let growth = try await Growth.ratioOfLateSteps(test) { test, _ in
        await test.send(1) { $0 += 1 }
      }
      await test.finish()
      #expect(growth < Growth.mostLate)
    }
  }
}

/// Adds up.
private actor SumReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
