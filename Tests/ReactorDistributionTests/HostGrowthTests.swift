import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// What is open on a host costs in proportion to its number.
@Suite(.bounded) struct HostGrowthTests {
  @Test func `commands that are open at once, are done and are forgotten`() async throws {
    let growth = try await Growth.of(1_000) { count in
      let clock = ManualClock()
      let hostCommands = HostCommands(ClusterClock(clock), retention: .steps(1))
      let commands = (0..<count).map { _ in RunningCommand(UUID(), isRemote: true) }
      // Every other one is cancelled before it comes.
      for (place, command) in commands.enumerated() where place % 2 == 0 {
        hostCommands.cancel(command.id)
      }
      for command in commands {
        _ = hostCommands.register(command)
        hostCommands.markAwaited(command.id)
      }
      #expect(commands.filter(\.isCancelled).count == (count + 1) / 2)
      for command in commands.reversed() {
        command.finish(.stored(.done(nil)))
        hostCommands.finish(command)
        hostCommands.markDelivered(command.id)
      }
      #expect(commands.filter { hostCommands.command($0.id) != nil }.count == count)
      for step in 1...2 {
        clock.advance(to: step)
        hostCommands.markDelivered(UUID())
      }
      #expect(commands.filter { hostCommands.command($0.id) != nil }.isEmpty)
    }
    #expect(growth < Growth.most)
  }

  @Test func `requests to one reactor of a host that are open at once`() async throws {
    let growth = try await Growth.of(50, isScaled: false) { count in
      let gate = Gate()
      let cluster = try await ReactorCluster(.inMemory)
      let sums = cluster.registry(of: GatedSumReactor.self) { _ in GatedSumReactor(gate) }
      let answers = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<count { group.addTask { try await sums["1"].ask { .add(1, $0) } } }
        await gate.reached(by: count)
        gate.open()
        return try await group.reduce(0, +)
      }
      #expect(answers == count)
      #expect(try await sums["1"].currentState() == count)
      await cluster.drain()
    }
    #expect(growth < Growth.most)
  }

  @Test func `statements that wait for a connection`() async throws {
    let growth = try await Growth.of(2_000) { count in
      // Without a connection of its own, it begins nothing by itself.
      let pool = PostgresPool("", count: 0, timeout: .seconds(1)) { _ in }
      let begun = Log<Int>()
      for number in 0..<count { pool.enqueue { _ in begun.append(number) } }
      for _ in 0..<count { pool.next()?(.failure(ClusterError.stopped)) }
      #expect(begun.entries == Array(0..<count))
      pool.close()
    }
    #expect(growth < Growth.most)
  }

  @Test(arguments: [false, true])
  func `tasks that wait for a connection`(cancels: Bool) async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let pool = PostgresPool("", count: 0, timeout: .seconds(1)) { _ in }
      let tasks = (0..<count).map { _ in
        PipelineTasks.inheriting { _ = try? await pool.run { _ in } }
      }
      await Task.yield()
      if cancels { for task in tasks.reversed() { task.cancel() } } else { pool.close() }
      for task in tasks { await task.value }
      pool.close()
    }
    #expect(growth < Growth.most)
  }
}

/// Adds once a gate is open, and answers with the number.
private actor GatedSumReactor: Reactor, JournaledReactor {
  enum Action: Codable, Sendable { case add(Int, Reply<Int>) }
  typealias Mutation = Int
  typealias State = Int

  static let journalName = "gated-sum"
  static let journalVersion = 1
  static let initialState = 0
  let pipeline = Pipeline()
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add(let number, let reply):
      .run { [gate] emit in
        try await gate.wait()
        await emit(number)
        reply(number)
      }
    }
  }

  static func reduce(state: inout Int, mutation: Int) { state += mutation }
}
