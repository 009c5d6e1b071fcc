import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct ChildrenTests {
  private let eventLog = LodgerReactor.EventLog()

  @Test func `a child begins with its key, and ends with it`() async throws {
    let house = HouseReactor(eventLog)
    await house.change(.lodgers(["ann", "bob"]))
    #expect(Set(house.lodgers.all.keys) == ["ann", "bob"])
    let states = try #require(house.lodgers["ann"]?.state)
    await house.change(.lodgers(["bob"]))
    #expect(house.lodgers["ann"] == nil)
    #expect(house.lodgers.count == 1)
    #expect(await eventLog.released.entries(upTo: 1) == ["ann"])
    #expect(await states.all().count == 1)  // the last one, and the end
  }

  @Test func `the children of the first state begin with the reactor`() async {
    let house = HouseReactor(eventLog, lodgers: ["ann"])
    #expect(house.lodgers["ann"] == nil)
    _ = await house.currentState
    #expect(house.lodgers["ann"] != nil)
    #expect(house.login.reactor != nil)
  }

  @Test func `a child exists before any observer receives the state with its key`() async {
    let house = HouseReactor(eventLog)
    let observer = Task {
      for await state in house.state {
        for name in state.lodgers where house.lodgers[name] == nil { return "\(name) is missing" }
        if state.lodgers.count == 100 { return "all" }
      }
      return "nobody"
    }
    for count in 1...100 { house.send(.change([.lodgers((0..<count).map { "\($0)" })])) }
    #expect(await observer.value == "all")
  }

  @Test func `a key that stays keeps its child, a key that is added again gets another`() async {
    let house = HouseReactor(eventLog, lodgers: ["ann", "bob"])
    _ = await house.currentState
    let (ann, bob) = (house.lodgers["ann"], house.lodgers["bob"])
    await house.change(.lodgers(["bob", "ann", "cid"]))
    #expect(house.lodgers["ann"] === ann)
    await house.change(.lodgers(["bob"]), .lodgers(["ann", "bob"]))
    #expect(house.lodgers["ann"] !== ann)
    #expect(house.lodgers["bob"] === bob)
    #expect(eventLog.begun.entries == ["ann", "bob", "cid", "ann"])
  }

  @Test func `a key that occurs twice has one child`() async {
    let house = HouseReactor(eventLog)
    await house.change(.lodgers(["ann", "ann"]))
    await house.change(.lodgers(["ann", "ann", "ann"]))
    #expect(eventLog.begun.entries == ["ann"])
    await house.change(.lodgers([]))
    #expect(await eventLog.released.entries(upTo: 1) == ["ann"])
  }

  @Test func `an output of a child becomes a mutation of its parent, in order`() async {
    let house = HouseReactor(eventLog, lodgers: ["ann"])
    _ = await house.currentState
    for line in ["one", "hush", "two", "three"] { house.lodgers["ann"]?.send(.say(line)) }
    #expect(await house.heard(3) == ["ann: one", "ann: two", "ann: three"])
  }

  @Test func `a child that is removed is cancelled, and its outputs are ignored`() async {
    let (house, gate) = (HouseReactor(eventLog, lodgers: ["ann", "bob"]), Gate())
    _ = await house.currentState
    let receipt = house.lodgers["ann"]?.send(.work(gate))
    await gate.reached()
    await house.change(.lodgers(["bob"]))
    await receipt?.settled
    gate.open()
    await house.lodgers["bob"]?.send(.say("here")).settled
    #expect(await house.heard(1) == ["bob: here"])
    #expect(await eventLog.released.entries(upTo: 1) == ["ann"])
  }

  @Test func `a child that drains when it is removed delivers its outputs to its end`() async {
    let (house, gate) = (HouseReactor(eventLog, lodgers: ["ann"], ending: .drain), Gate())
    _ = await house.currentState
    house.lodgers["ann"]?.send(.work(gate))
    await gate.reached()
    await house.change(.lodgers([]))
    #expect(house.lodgers["ann"] == nil)
    #expect(eventLog.released.entries.isEmpty)
    gate.open()
    #expect(await house.heard(1) == ["ann: done"])
    #expect(await eventLog.released.entries(upTo: 1) == ["ann"])
  }

  @Test func `an optional has a child of its own, another one for another key`() async {
    let house = HouseReactor(eventLog)
    #expect(house.guest.reactor == nil)
    await house.change(.guest("ann"))
    let ann = house.guest.reactor
    await ann?.send(.say("hello")).settled
    #expect(await house.heard(1) == ["guest: hello"])
    await house.change(.guest("bob"))
    #expect(house.guest.reactor?.name == "bob")
    await house.change(.guest(nil))
    #expect(house.guest.reactor == nil)
    #expect(ann?.send(.say("again")).isRefused == true)
  }

  @Test func `a case of an enum has a child of its own type`() async {
    let house = HouseReactor(eventLog)
    _ = await house.currentState
    #expect(house.login.reactor != nil)
    #expect(house.home.reactor == nil)
    await house.change(.screen(.home("ann")))
    #expect(house.login.reactor == nil)
    #expect(house.home.reactor?.name == "ann")
    await house.change(.screen(.login))
    #expect(house.login.reactor != nil)
    #expect(house.home.reactor == nil)
  }

  @Test func `children have children, which end with them`() async throws {
    let house = HouseReactor(eventLog, lodgers: ["ann"])
    _ = await house.currentState
    let ann = try #require(house.lodgers["ann"])
    await ann.send(.take(["bob"])).settled
    let bob = try #require(ann.guests["bob"])
    await house.change(.lodgers([]))
    #expect(await bob.state.all().count == 1)
    #expect(bob.send(.say("still here")).isRefused)
  }

  @Test func `a child whose effect fails reports it, and no other is affected`() async {
    let house = HouseReactor(eventLog, lodgers: ["ann", "bob"])
    _ = await house.currentState
    await house.lodgers["ann"]?.send(.fail).settled
    #expect(eventLog.reports.problems == ["effectFailed"])
    #expect(eventLog.reports.entries.first?.identity?.name == "ann")
    await house.lodgers["ann"]?.send(.say("well")).settled
    #expect(await house.heard(1) == ["ann: well"])
  }
}
