import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct DrainableTests {
  let gate = Gate()
  let began = Log<Int>()

  /// A reactor whose every action waits at the gate.
  func waiting() -> ScriptedReactor {
    ScriptedReactor { [gate, began] _, action in
      .run { emit in
        began.append(action)
        try await gate.wait()
        await emit(action)
      }
    }
  }

  @Test func `draining anything drainable completes what was accepted`() async throws {
    let (lone, member) = (waiting(), waiting())
    let rooms = ReactorRegistry<Int, ScriptedReactor>(idle: nil) { _ in waiting() }
    let group = ReactorGroup<Int>()
    group.add(member) { $0 }
    try await rooms[1].send(1)
    lone.send(2)
    group.send(3)
    _ = await began.entries(upTo: 3)
    let parts: [any Drainable] = [rooms, lone, group]
    let draining = Task {
      var abandoned: [AbandonedWork] = []
      for part in parts { abandoned += await part.drain() }
      return abandoned
    }
    gate.open()
    #expect(await draining.value.isEmpty)
    #expect(await lone.currentState == [2])
    #expect(await member.currentState == [3])
    #expect(lone.send(4).isRefused && member.send(4).isRefused)
    await #expect(throws: RegistryError.self) { try await rooms[1].send(4) }
  }

  @Test(arguments: [false, true])
  func `cancelling a drain cuts short what has not ended, and returns it`(inGroup: Bool) async {
    let reactor = waiting()
    let group = ReactorGroup<Int>()
    group.add(reactor) { $0 }
    let part: any Drainable = inGroup ? group : reactor
    reactor.send(1)
    _ = await began.entries(upTo: 1)
    let draining = Task { await part.drain() }
    draining.cancel()
    let abandoned = await draining.value
    #expect(abandoned.map(\.reactor) == [reactor.identity])
    #expect(abandoned.flatMap(\.actions).map { $0.action as? Int } == [1])
    #expect(abandoned.first?.description.hasPrefix("\(reactor.identity): #0") == true)
  }

  @Test func `a creation that is cut short in a registry is listed with its key`() async {
    let (creation, made) = (Gate(), Gate())
    let rooms = ReactorRegistry<String, ScriptedReactor>(idle: nil) { _ in
      made.open()
      await creation.pass()
      return ScriptedReactor()
    }
    let asking = Task { try await rooms["slow"].send(1) }
    await made.pass()
    let draining = Task { await rooms.drain() }
    draining.cancel()
    #expect(await draining.value.map(\.description) == ["'slow': still being made"])
    creation.open()
    _ = await asking.result
  }

  @Test(arguments: [false, true])
  func `an observer records which state it has received last`(newest: Bool) async throws {
    let reactor = ScriptedReactor()
    for number in 1...3 { await reactor.send(number).settled }
    var states = reactor.state.buffering(newest ? .newest : .everyState).makeAsyncIterator()
    #expect(states.version == nil)
    #expect(await states.next() == [1, 2, 3])
    let first = try #require(states.version)
    await reactor.send(4).settled
    #expect(await states.next() == [1, 2, 3, 4])
    #expect(states.version == first + 1)
    var later = reactor.state.buffering(.newest).makeAsyncIterator()
    _ = await later.next()
    #expect(later.version == first + 1)
  }
}
