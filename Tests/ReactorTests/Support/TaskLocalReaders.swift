import Reactor
import TestSupport

/// What the tests of task-local values bind: one that reactors carry, and one that none does.
enum Request {
  @TaskLocal static var id = 0
  @TaskLocal static var other = 0

  /// Does something with both set to a value.
  static func with<Result>(_ value: Int, _ body: () async throws -> Result) async rethrows -> Result
  {
    try await $id.withValue(value) { try await $other.withValue(value) { try await body() } }
  }
}

/// The task-local values that were read at a place in the code.
struct TaskLocalReading: Sendable, Equatable {
  enum Place: Sendable { case mutate, opening, effect, reduce, elsewhere }

  let place: Place
  let action: Int
  let id: Int
  let other: Int

  /// - Parameters:
  ///   - place: Where they are read.
  ///   - action: On whose behalf.
  init(_ place: Place, of action: Int) {
    (self.place, self.action) = (place, action)
    (id, other) = (Request.id, Request.other)
  }
}

/// A reactor that records its task-local values wherever code of its author's runs.
protocol TaskLocalReader: Reactor where Action == Int, Mutation == Int, State == [Int] {
  static func make(_ setup: TaskLocalReaderSetup) -> Self
  nonisolated var setup: TaskLocalReaderSetup { get }
}

struct TaskLocalReaderSetup: Sendable {
  var carried = TaskLocals.none
  /// Whether effects use the reactor.
  var usesReactor = true
  var inboxLimit = Int.max
  var suspendsSenders = false
  var lane: @Sendable (Int) -> Lane? = { _ in .sequential("a") }
  let readings = Log<TaskLocalReading>()
  /// How many effects have ended.
  let ended = Log<Int>()
}

extension TaskLocalReader {
  static func with(_ change: (inout TaskLocalReaderSetup) -> Void) -> Self {
    var setup = TaskLocalReaderSetup()
    change(&setup)
    return make(setup)
  }

  func mutate(action: Int) -> MutationStream<Int> {
    read(.mutate, action)
    let (readings, ended) = (setup.readings, setup.ended)
    guard setup.usesReactor else {
      return .run { emit in
        defer { ended.append(action) }
        readings.append(TaskLocalReading(.opening, of: action))
        await emit(action)
        await Task.yield()
        readings.append(TaskLocalReading(.effect, of: action))
        await emit(action)
      }
    }
    return .run { emit in
      defer { ended.append(action) }
      self.read(.opening, action)
      await emit(action)
      await Task.yield()
      self.read(.effect, action)
      await emit(action)
    }
  }

  func reduce(state: inout [Int], mutation: Int) { read(.reduce, mutation) }

  func read(_ place: TaskLocalReading.Place, _ action: Int) {
    setup.readings.append(TaskLocalReading(place, of: action))
  }
}

actor PlainTaskLocalReader: TaskLocalReader {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<PlainTaskLocalReader>
  let setup: TaskLocalReaderSetup

  static func make(_ setup: TaskLocalReaderSetup) -> PlainTaskLocalReader {
    PlainTaskLocalReader(setup)
  }

  init(_ setup: TaskLocalReaderSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }
}

actor LaneTaskLocalReader: TaskLocalReader {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<LaneTaskLocalReader>
  let setup: TaskLocalReaderSetup

  static func make(_ setup: TaskLocalReaderSetup) -> LaneTaskLocalReader {
    LaneTaskLocalReader(setup)
  }

  init(_ setup: TaskLocalReaderSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func lane(for action: Int) -> Lane? { setup.lane(action) }
}

actor ActionHookTaskLocalReader: TaskLocalReader {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<ActionHookTaskLocalReader>
  let setup: TaskLocalReaderSetup

  static func make(_ setup: TaskLocalReaderSetup) -> ActionHookTaskLocalReader {
    ActionHookTaskLocalReader(setup)
  }

  init(_ setup: TaskLocalReaderSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func transform(action: Actions) -> Erased<Int> { Erased(action) }

  func lane(for action: Int) -> Lane? { setup.lane(action) }
}

actor MutationHookTaskLocalReader: TaskLocalReader {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<MutationHookTaskLocalReader>
  let setup: TaskLocalReaderSetup

  static func make(_ setup: TaskLocalReaderSetup) -> MutationHookTaskLocalReader {
    MutationHookTaskLocalReader(setup)
  }

  init(_ setup: TaskLocalReaderSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func transform(mutation: Mutations) -> Erased<Int> { Erased(mutation) }
}

actor TwoHookTaskLocalReader: TaskLocalReader {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<TwoHookTaskLocalReader>
  let setup: TaskLocalReaderSetup

  static func make(_ setup: TaskLocalReaderSetup) -> TwoHookTaskLocalReader {
    TwoHookTaskLocalReader(setup)
  }

  init(_ setup: TaskLocalReaderSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func transform(action: Actions) -> Erased<Int> { Erased(action) }

  func transform(mutation: Mutations) -> Erased<Int> { Erased(mutation) }

  func lane(for action: Int) -> Lane? { setup.lane(action) }
}
