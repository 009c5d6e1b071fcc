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

/// What a place in the code has found.
struct Sighting: Sendable, Equatable {
  enum Place: Sendable { case mutate, opening, effect, reduce, elsewhere }

  let place: Place
  let action: Int
  let id: Int
  let other: Int

  /// - Parameters:
  ///   - place: Where it looks.
  ///   - action: On whose behalf.
  init(_ place: Place, of action: Int) {
    (self.place, self.action) = (place, action)
    (id, other) = (Request.id, Request.other)
  }
}

/// A reactor that looks which task-local values it has, wherever something of its author's runs.
protocol Looker: Reactor where Action == Int, Mutation == Int, State == [Int] {
  static func make(_ setup: LookerSetup) -> Self
  nonisolated var setup: LookerSetup { get }
}

struct LookerSetup: Sendable {
  var carried = TaskLocals.none
  /// Whether effects use the reactor.
  var usesReactor = true
  var inboxLimit = Int.max
  var suspendsSenders = false
  var lane: @Sendable (Int) -> Lane? = { _ in .sequential("a") }
  let sightings = Log<Sighting>()
  /// How many effects have ended.
  let ended = Log<Int>()
}

extension Looker {
  static func with(_ change: (inout LookerSetup) -> Void) -> Self {
    var setup = LookerSetup()
    change(&setup)
    return make(setup)
  }

  func mutate(action: Int) -> MutationStream<Int> {
    look(.mutate, action)
    let (sightings, ended) = (setup.sightings, setup.ended)
    guard setup.usesReactor else {
      return .run { emit in
        defer { ended.append(action) }
        sightings.append(Sighting(.opening, of: action))
        await emit(action)
        await Task.yield()
        sightings.append(Sighting(.effect, of: action))
        await emit(action)
      }
    }
    return .run { emit in
      defer { ended.append(action) }
      self.look(.opening, action)
      await emit(action)
      await Task.yield()
      self.look(.effect, action)
      await emit(action)
    }
  }

  func reduce(state: inout [Int], mutation: Int) { look(.reduce, mutation) }

  func look(_ place: Sighting.Place, _ action: Int) {
    setup.sightings.append(Sighting(place, of: action))
  }
}

actor PlainLooker: Looker {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<PlainLooker>
  let setup: LookerSetup

  static func make(_ setup: LookerSetup) -> PlainLooker { PlainLooker(setup) }

  init(_ setup: LookerSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }
}

actor LaneLooker: Looker {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<LaneLooker>
  let setup: LookerSetup

  static func make(_ setup: LookerSetup) -> LaneLooker { LaneLooker(setup) }

  init(_ setup: LookerSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func lane(for action: Int) -> Lane? { setup.lane(action) }
}

actor ActionHookLooker: Looker {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<ActionHookLooker>
  let setup: LookerSetup

  static func make(_ setup: LookerSetup) -> ActionHookLooker { ActionHookLooker(setup) }

  init(_ setup: LookerSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func transform(action: Actions) -> Erased<Int> { Erased(action) }

  func lane(for action: Int) -> Lane? { setup.lane(action) }
}

actor MutationHookLooker: Looker {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<MutationHookLooker>
  let setup: LookerSetup

  static func make(_ setup: LookerSetup) -> MutationHookLooker { MutationHookLooker(setup) }

  init(_ setup: LookerSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func transform(mutation: Mutations) -> Erased<Int> { Erased(mutation) }
}

actor TwoHookLooker: Looker {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  let initialState: [Int] = []
  let pipeline: ReactorPipeline<TwoHookLooker>
  let setup: LookerSetup

  static func make(_ setup: LookerSetup) -> TwoHookLooker { TwoHookLooker(setup) }

  init(_ setup: LookerSetup) {
    self.setup = setup
    pipeline = ReactorPipeline(
      inboxLimit: setup.inboxLimit, suspendsSenders: setup.suspendsSenders,
      carrying: setup.carried)
  }

  func transform(action: Actions) -> Erased<Int> { Erased(action) }

  func transform(mutation: Mutations) -> Erased<Int> { Erased(mutation) }

  func lane(for action: Int) -> Lane? { setup.lane(action) }
}
