import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// How children end with their parent, and begin again with it.
@Suite(.bounded) struct ChildrenEndTests {
  private let eventLog = LodgerReactor.EventLog()

  private func house(_ names: String..., ending: StopMode = .cancel) async -> HouseReactor {
    let house = HouseReactor(eventLog, lodgers: names, ending: ending)
    _ = await house.currentState
    return house
  }

  @Test func `children stop with their parent`() async throws {
    let (house, gate) = (await house("ann"), Gate())
    let ann = try #require(house.lodgers["ann"])
    let receipt = ann.send(.work(gate))
    await gate.reached()
    await house.stop().settled
    #expect(house.lodgers.count == 0)
    #expect(ann.send(.say("late")).isRefused)
    let outcome = await receipt.outcome
    guard case .reactorEnded = outcome else { return #expect(Bool(false), "\(outcome)") }
  }

  @Test func `a parent has settled when its children have`() async {
    let (house, gate, order) = (await house("ann"), Gate(), Log<String>())
    let receipt = house.lodgers["ann"]?.send(.cling(gate))
    await gate.reached()
    let stopped = house.stop()
    let waiting = Task.immediate {
      await stopped.settled
      order.append("settled")
    }
    _ = await stopped.abandoned
    #expect(!stopped.isSettled)
    order.append("opens")
    gate.open()
    await waiting.value
    #expect(order.entries == ["opens", "settled"])
    await receipt?.settled
  }

  @Test func `a parent waits for children that were removed before it ends`() async {
    let (house, gate) = (await house("ann"), Gate())
    house.lodgers["ann"]?.send(.cling(gate))
    await gate.reached()
    await house.change(.lodgers([]))
    let stopped = house.stop()
    _ = await stopped.abandoned
    #expect(!stopped.isSettled)
    gate.open()
    await stopped.settled
  }

  @Test func `a drain ends the parent's work, then its children, and reads their outputs`() async {
    let (house, own, others) = (await house("ann"), Gate(), Gate())
    house.send(.work(own, then: .heard("own")))
    house.lodgers["ann"]?.send(.work(others))
    await own.reached()
    await others.reached()
    let stopped = house.stop(.drain)
    #expect(house.lodgers["ann"]?.send(.say("meanwhile")).isRefused == false)
    own.open()
    _ = await house.heard(2)
    others.open()
    await stopped.settled
    #expect(await stopped.abandoned.isEmpty)
    let heard = await house.currentState.heard
    #expect(Set(heard) == ["ann: meanwhile", "own", "ann: done"])
    #expect(heard.last == "ann: done")
  }

  @Test func `a drain includes the children that the last mutation has added`() async {
    let (house, gate) = (await house(), Gate())
    house.send(.work(gate, then: .lodgers(["ann"])))
    await gate.reached()
    let stopped = house.stop(.drain)
    gate.open()
    await stopped.settled
    #expect(eventLog.begun.entries == ["ann"])
    #expect(await eventLog.released.entries(upTo: 1) == ["ann"])
  }

  @Test func `a drain waits for a child that drains without its key`() async {
    let (house, gate) = (await house("ann", ending: .drain), Gate())
    house.lodgers["ann"]?.send(.work(gate))
    await gate.reached()
    await house.change(.lodgers([]))
    let stopped = house.stop(.drain)
    gate.open()
    await stopped.settled
    #expect(await house.currentState.heard == ["ann: done"])
  }

  @Test func `a drain waits for a child that was added and removed meanwhile`() async {
    let (own, others) = (Gate(), Gate())
    let shelter = ShelterReactor(others)
    _ = await shelter.currentState
    shelter.guests["ann"]?.send(.bringAndSendAway("bob", at: own))
    await own.reached()
    let stopped = shelter.stop(.drain)
    own.open()
    await others.reached()
    others.open()
    await stopped.settled
    #expect(await shelter.currentState.heard == ["bob: done"])
  }

  @Test func `a drain that is cut short lists what children have abandoned`() async throws {
    let house = await house("ann")
    try await twoAtWork(in: house)
    let draining = Task { await house.drain() }
    draining.cancel()
    let abandoned = await draining.value
    #expect(abandoned.map { $0.reactor?.name } == ["ann", "ann/bob"])
    #expect(abandoned.map(\.actions.count) == [1, 1])
  }

  @Test func `a registry whose drain is cut short lists its reactors' children`() async throws {
    let houses = ReactorRegistry<String, HouseReactor>(idle: nil) { [eventLog] _ in
      HouseReactor(eventLog, lodgers: ["ann"])
    }
    try await houses.with("mill") { house in
      _ = await house.currentState
      try await twoAtWork(in: house)
    }
    let draining = Task { await houses.drain() }
    draining.cancel()
    let abandoned = await draining.value
    #expect(abandoned.map { $0.reactor?.name } == ["ann", "ann/bob"])
    #expect(abandoned.map(\.actions.count) == [1, 1])
    #expect(abandoned.map(\.key) == ["mill", "mill"])
  }

  @Test func `a group whose drain is cut short lists its members' children`() async throws {
    let (house, group) = (await house("ann"), ReactorGroup<[HouseReactor.Mutation]>())
    group.add(house) { .change($0) }
    try await twoAtWork(in: house)
    let draining = Task { await group.drain() }
    draining.cancel()
    let abandoned = await draining.value
    #expect(abandoned.map { $0.reactor?.name } == ["ann", "ann/bob"])
    #expect(abandoned.map(\.actions.count) == [1, 1])
  }

  /// A child of the house and a child of that one wait for what never comes.
  private func twoAtWork(in house: HouseReactor) async throws {
    let (ann, gate) = (try #require(house.lodgers["ann"]), Gate())
    await ann.send(.take(["bob"])).settled
    ann.send(.work(gate))
    ann.guests["bob"]?.send(.work(gate))
    await gate.reached(by: 2)
  }

  @Test func `a parent that is restarted creates its children again`() async {
    let house = await house("ann")
    let ann = house.lodgers["ann"]
    await house.restart()
    let another = house.lodgers["ann"]
    #expect(another !== ann)
    await another?.send(.say("new")).settled
    #expect(await house.heard(1) == ["ann: new"])
    await house.restart(from: HouseReactor.State(lodgers: ["bob"]))
    #expect(Array(house.lodgers.all.keys) == ["bob"])
  }

  @Test func `a parent that is released ends its children`() async {
    var house: HouseReactor? = await house("ann", "bob")
    let ann = house?.lodgers["ann"]
    let lodgers = house?.lodgers
    house = nil
    #expect(ann?.send(.say("late")).isRefused == true)
    #expect(lodgers?.count == 0)
    #expect(await eventLog.released.entries(upTo: 1) == ["bob"])
  }

  @Test func `children retain neither each other nor their parent`() async throws {
    let released: Gate
    let ann: LodgerReactor?
    do {
      let house = await house("ann")
      released = house.released
      ann = house.lodgers["ann"]
      await ann?.send(.say("one")).settled
      _ = await house.heard(1)
    }
    try await released.wait()
    #expect(ann != nil)
  }
}

/// A child that has others come and go.
private actor GuestReactor: Reactor {
  enum Action: Sendable {
    case bringAndSendAway(String, at: Gate)
    case work(Gate)
  }

  enum Output: Sendable {
    case come(String)
    case released(String)
    case done
  }

  typealias Mutation = Never

  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Never> {
    switch action {
    case .bringAndSendAway(let name, let gate):
      .run { [self] _ in
        try await gate.wait()
        output(.come(name))
        output(.released(name))
      }
    case .work(let gate):
      .run { [self] _ in
        try await gate.wait()
        output(.done)
      }
    }
  }

  func reduce(state: inout Int, mutation: Never) {}
}

private actor ShelterReactor: Reactor {
  typealias Action = Never

  enum Mutation: Sendable {
    case come(String)
    case released(String)
    case heard(String)
  }

  struct State: Sendable {
    var guests = ["ann"]
    var heard: [String] = []
  }

  nonisolated let initialState = State()
  nonisolated let pipeline = Pipeline()
  nonisolated let guests: ReactorChildren<String, GuestReactor>

  init(_ gate: Gate) {
    guests = pipeline.children(\.guests, ending: .drain) { name, _ in
      let guest = GuestReactor()
      if name != "ann" { guest.send(.work(gate)) }
      return guest
    } output: { name, output in
      switch output {
      case .come(let other): .come(other)
      case .released(let other): .released(other)
      case .done: .heard("\(name): done")
      }
    }
  }

  func mutate(action: Never) -> MutationStream<Mutation> {}

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .come(let name): state.guests.append(name)
    case .released(let name): state.guests.removeAll { $0 == name }
    case .heard(let line): state.heard.append(line)
    }
  }
}
