import Reactor
import ReactorComposition
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// In which order many receive the same: not that of a dictionary, which is another one in each
/// process.
@Suite(.bounded) struct SimulatedOrderTests {
  private let names = (0..<30).map { "n\($0)" }
  private let story = Log<String>()

  private func lines(_ what: String) -> [String] { names.map { "\($0) \(what)" } }

  /// Runs a scenario with a registry that has a reactor for each name.
  private func rooms(
    _ body: @escaping @Sendable (Simulation, ReactorRegistry<String, Sleeper>) async throws -> Void
  ) async throws {
    try await simulate { [names, story] simulation in
      let rooms = ReactorRegistry<String, Sleeper>(idle: nil, clock: simulation.clock) {
        Sleeper($0, simulation.clock, story)
      }
      for name in names { try await rooms.with(name) { _ in } }
      try await body(simulation, rooms)
    }
  }

  @Test func `a broadcast reaches reactors in the order in which they were made`() async throws {
    try await rooms { [names] simulation, rooms in
      #expect(rooms.ids == names)
      #expect(rooms.broadcast(1).accepted == names)
      await simulation.advanceToEnd()
    }
    #expect(story.entries == lines("began") + lines("ended"))
  }

  @Test func `a registry stops reactors in the order in which they were made`() async throws {
    try await rooms { simulation, rooms in
      rooms.broadcast(1)
      await simulation.settle()
      await rooms.stop()
      await simulation.settle()
    }
    #expect(story.entries == lines("began") + lines("cancelled"))
  }

  @Test func `reactors still being made as a drain ends are listed in the order of their keys`()
    async throws
  {
    try await simulate { [names, story] simulation in
      let clock = simulation.clock
      let rooms = ReactorRegistry<String, Sleeper>(idle: nil, clock: clock) { name in
        try await clock.sleep(for: .seconds(100))
        return Sleeper(name, clock, story)
      }
      for name in names {
        Task(executorPreference: simulation.executor) {
          do {
            try await rooms.with(name) { _ in }
          } catch {
            story.append("\(name) waited in vain")
          }
        }
      }
      await simulation.settle()
      async let late = rooms.drain(within: .seconds(5))
      await simulation.advance(by: .seconds(5))
      #expect(await late.map { $0.id as? String } == names)
      await simulation.advanceToEnd()
    }
    #expect(story.entries == lines("waited in vain"))
  }

  @Test(arguments: ["keys", "cancel", "drain"])
  func `children end in the order in which they began`(how: String) async throws {
    try await simulate { [names, story] simulation in
      let family = Family(simulation.clock, story)
      family.send(names)
      await simulation.settle()
      switch how {
      case "keys": family.send([])
      case "cancel": family.stop()
      default: family.stop(.drain)
      }
      await simulation.settle()
      await simulation.advanceToEnd()
    }
    #expect(story.entries == lines("began") + lines(how == "drain" ? "ended" : "cancelled"))
  }

  @Test func `children whose keys were removed end in that order, too`() async throws {
    try await simulate { [names, story] simulation in
      let family = Family(simulation.clock, story, ending: .drain)
      family.send(names)
      await simulation.settle()
      family.send([])
      await simulation.settle()
      family.stop()
      await simulation.settle()
    }
    #expect(story.entries == lines("began") + lines("cancelled"))
  }
}

/// Sleeps for a while, and says how that ended.
private actor Sleeper: Reactor {
  typealias Action = Int
  let initialState = 0
  let pipeline = Pipeline()
  private let name: String
  private let clock: any Clock<Duration>
  private let story: Log<String>

  init(_ name: String, _ clock: any Clock<Duration>, _ story: Log<String>) {
    (self.name, self.clock, self.story) = (name, clock, story)
  }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { _ in
      self.story.append("\(self.name) began")
      do {
        try await self.clock.sleep(for: .seconds(action))
        self.story.append("\(self.name) ended")
      } catch {
        self.story.append("\(self.name) cancelled")
      }
    }
  }

  func reduce(state: inout Int, mutation: Int) {}
  nonisolated func report(_ report: ReactorReport) {}
}

private actor Family: Reactor {
  typealias Action = [String]
  typealias Mutation = [String]
  typealias State = [String]
  nonisolated let initialState: [String] = []
  nonisolated let pipeline = Pipeline()
  nonisolated let children: ReactorChildren<String, Sleeper>

  init(_ clock: any Clock<Duration>, _ story: Log<String>, ending: StopMode = .cancel) {
    children = pipeline.children(\.self, ending: ending) { name, _ in
      let child = Sleeper(name, clock, story)
      child.send(1)
      return child
    }
  }

  func mutate(action: [String]) -> MutationStream<[String]> { .just(action) }
  func reduce(state: inout [String], mutation: [String]) { state = mutation }
}
