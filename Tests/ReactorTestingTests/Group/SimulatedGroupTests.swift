import Reactor
import ReactorComposition
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// Groups where a seed decides what comes when.
@Suite(.bounded) struct SimulatedGroupTests {
  private static let seeds = TestCounts.seeds()

  @Test func `no tuple has the new state of one beside the old one of another`() async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let members = try Members(simulation)
      let watching = members.watch(simulation)
      try await members.sendAll(simulation)
      for watcher in watching {
        watcher.cancel()
        #expect(await watcher.value == 12)
      }
    }
  }

  @Test func `a snapshot has an action to all members in each state, or in none`() async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let members = try Members(simulation)
      let looker = Task(executorPreference: simulation.executor) {
        for _ in 0..<5 {
          let snapshot = await members.group.snapshot()
          let states = [snapshot[members.one], snapshot[members.two], snapshot[members.three]]
          #expect(Set(states.map { $0?.filter { $0 >= 0 } }).count == 1)
        }
      }
      try await members.sendAll(simulation)
      await looker.value
    }
  }

  @Test func `a member after another always reads what the other has made of the action`()
    async throws
  {
    try await simulate(seeds: Self.seeds) { simulation in
      let (one, two) = (NumberReactor(), NumberReactor())
      let group = ReactorGroup<Int>()
      let seen = Mutex<[Bool]>([])
      let reader = ReadingReactor { action in
        let state = await one.currentState
        seen.withLock { $0.append(state.contains(action)) }
      }
      group.add(one)
      group.add(two)
      try group.add(reader, after: [one, two])
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<3 {
          tasks.addTask { for number in 0..<3 { group.send(task * 10 + number) } }
        }
      }
      await simulation.settle()
      #expect(seen.withLock { $0 } == Array(repeating: true, count: 9))
    }
  }

  @Test func `a derived value is not computed without an observer`() async throws {
    try await simulate(seeds: 0...50) { simulation in
      let reactor = NumberReactor()
      let asked = Mutex<[Int]>([])
      let counts = reactor.state.derived { state in
        asked.withLock { $0.append(state.count) }
        return state.count
      }
      await reactor.send(1).settled
      for await count in counts {
        #expect(count == 1)
        break
      }
      for number in 2...5 {
        reactor.send(number)
        await simulation.settle()
      }
      for await count in counts {
        #expect(count == 5)
        break
      }
      #expect(asked.withLock { $0 } == [1, 5])
    }
  }

  @Test func `a group in a simulation behaves the same each time`() async throws {
    let orders = Mutex<[[Int]]>([])
    for seed: UInt64 in [7, 7, 8] {
      try await simulate(seeds: [seed]) { simulation in
        let members = try Members(simulation)
        try await members.sendAll(simulation)
        let state = await members.one.currentState
        orders.withLock { $0.append(state) }
      }
    }
    let states = orders.withLock { $0 }
    #expect(states[0] == states[1])
    #expect(states[0] != states[2])
  }
}

/// Three members of a group, of which one comes after another, and one whose turns take a while.
private struct Members: Sendable {
  let group = ReactorGroup<Int>()
  let one = NumberReactor()
  let two = NumberReactor()
  let three = HookedNumberReactor()
  let beside = NumberReactor()

  init(_ simulation: Simulation) throws {
    group.add(one)
    try group.add(two, after: one)
    group.add(three)
  }

  /// Looks at them together, from the beginning, later, at the newest only, and at two of them.
  ///
  /// - Returns: Tasks that tell, once they are cancelled, how many they saw sent.
  func watch(_ simulation: Simulation) -> [Task<Int, Never>] {
    let all = combining(one.state, two.state, three.state, beside.state)
    return (0..<3).map { watcher in
      Task(executorPreference: simulation.executor) {
        var count = 0
        for await (one, two, three, _) in watcher == 1 ? all.buffering(.newest) : all {
          let sent = one.filter { $0 >= 0 }
          #expect(sent == two.filter { $0 >= 0 })
          #expect(sent == three.filter { $0 >= 0 })
          count = sent.count
        }
        return count
      }
    }
      + [
        Task(executorPreference: simulation.executor) {
          var count = 0
          for await counts in combining(three.state, two.state).select({ three, two in
            [three.filter { $0 >= 0 }.count, two.filter { $0 >= 0 }.count]
          }) {
            #expect(counts[0] == counts[1])
            count = counts[0]
          }
          return count
        }
      ]
  }

  /// Sends from several tasks: to the group, and to each by itself.
  func sendAll(_ simulation: Simulation) async throws {
    await withTaskGroup(of: Void.self) { tasks in
      for task in 0..<3 {
        tasks.addTask {
          for number in 0..<4 {
            group.send(task * 10 + number)
            await Task.yield()
            switch (task, number) {
            case (0, 1): one.send(-1)
            case (1, 2): three.send(-2)
            case (2, 0): beside.send(5)
            case (2, 3): two.send(-3)
            default: break
            }
          }
        }
      }
    }
    await simulation.settle()
    for reactor in [one, two] {
      #expect(await reactor.currentState.filter { $0 >= 0 }.count == 12)
    }
  }
}

private actor NumberReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

private actor HookedNumberReactor: MutationTransforming {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

/// Looks at others in an effect.
private actor ReadingReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let look: @Sendable (Int) async -> Void

  init(_ look: @escaping @Sendable (Int) async -> Void) { self.look = look }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { [look] _ in await look(action) }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
