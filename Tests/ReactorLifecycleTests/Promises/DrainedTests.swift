import Reactor
import ReactorComposition
import ReactorRuntime
import ServiceLifecycle
import TestLimits
import TestSupport
import Testing

@testable import ReactorLifecycle

@Suite(.bounded) struct DrainedTests {
  let fixture = ServiceFixture()
  let work = Waiting()

  @Test func `work that runs when the group is asked to end is completed`() async throws {
    let reactor = work.reactor()
    let service = fixture.service(reactor)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    reactor.send(1)
    _ = await work.began.entries(upTo: 1)
    await group.triggerGracefulShutdown()
    _ = await fixture.clock.sleeps.entries(upTo: 1)
    #expect(service.phase == .draining)
    work.gate.open()
    try await running.value
    #expect(service.phase == .ended)
    #expect(await reactor.currentState == [1])
    #expect(service.abandoned.isEmpty)
    #expect(fixture.warnings.isEmpty)
    #expect(reactor.send(2).refusal == .stopped)
  }

  @Test func `work that has not ended in time is reported with reactor and action`() async throws {
    let rooms = ReactorRegistry<String, ScriptedReactor>(idle: nil) { [work] _ in work.reactor() }
    try await rooms["lobby"].send(7)
    let lone = work.reactor()
    lone.send(8)
    let member = work.reactor()
    let team = ReactorGroup<Int>()
    team.add(member) { $0 }
    team.send(9)
    _ = await work.began.entries(upTo: 3)

    let service = fixture.service(rooms, lone as any Reactor, team)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    await fixture.clock.advance(past: 5)
    try await running.value

    let (room, one) = (service.abandoned.first { $0.key != nil }, lone.identity)
    #expect(room?.key == "lobby")
    #expect(service.abandoned.compactMap(\.reactor).contains(one))
    #expect(service.abandoned.map(\.reactor).contains(member.identity))
    #expect(service.abandoned.flatMap(\.actions).map { $0.action as? Int } == [9, 8, 7])
    #expect(fixture.warnings.count == 3)
    #expect(fixture.warnings.last?.hasPrefix("abandoned 'lobby' (ScriptedReactor#") == true)
    #expect(work.ended.entries.isEmpty)
  }

  @Test func `work that ignores its cancellation does not delay the end beyond the time`()
    async throws
  {
    let stubborn = Gate()
    let reactor = work.reactor { _ in await stubborn.pass() }
    let service = fixture.service(reactor)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    let receipt = reactor.send(1)
    await stubborn.reached()
    await group.triggerGracefulShutdown()
    await fixture.clock.advance(past: 5)
    try await running.value
    #expect(service.phase == .ended)
    #expect(service.abandoned.flatMap(\.actions).map { $0.action as? Int } == [1])
    #expect(await reactor.openActions.count == 1)
    stubborn.open()
    await receipt.settled
  }

  @Test func `a cancelled group drains all the same`() async throws {
    let reactor = work.reactor()
    let service = fixture.service(reactor)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    reactor.send(1)
    _ = await work.began.entries(upTo: 1)
    running.cancel()
    _ = await fixture.clock.sleeps.entries(upTo: 1)
    work.gate.open()
    _ = await running.result
    #expect(service.phase == .ended)
    #expect(await reactor.currentState == [1])
    #expect(service.abandoned.isEmpty)
  }

  @Test func `another service that throws lets the reactors drain`() async throws {
    struct Broken: Service {
      let gate: Gate
      func run() async throws {
        await gate.pass()
        throw Failure()
      }
    }
    let breaking = Gate()
    let reactor = work.reactor()
    let service = fixture.service(reactor)
    let group = ServiceGroup(
      services: [service, Broken(gate: breaking)],
      logger: fixture.logger)
    let running = Task { try await group.run() }
    reactor.send(1)
    _ = await work.began.entries(upTo: 1)
    breaking.open()
    _ = await fixture.clock.sleeps.entries(upTo: 1)
    work.gate.open()
    await #expect(throws: Failure.self) { try await running.value }
    #expect(await reactor.currentState == [1])
  }

  @Test func `a group that waits no longer cuts the draining short`() async throws {
    let reactor = work.reactor()
    let service = fixture.service(reactor)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    reactor.send(1)
    _ = await work.began.entries(upTo: 1)
    await group.triggerGracefulShutdown()
    _ = await fixture.clock.sleeps.entries(upTo: 1)
    running.cancel()
    _ = await running.result
    #expect(service.abandoned.flatMap(\.actions).count == 1)
  }

  @Test func `the last part ends first, and may ask those before it meanwhile`() async throws {
    let (order, gate) = (Log<String>(), Gate())
    let asked = ScriptedReactor { _, action in
      .run { _ in order.append("asked \(action)") }
    }
    let asking = ScriptedReactor { _, action in
      .run { _ in
        order.append("asking")
        await gate.pass()
        await asked.send(action).settled
      }
    }
    let service = fixture.service(asked, asking)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    asking.send(3)
    _ = await order.entries(upTo: 1)
    await group.triggerGracefulShutdown()
    _ = await fixture.clock.sleeps.entries(upTo: 1)
    gate.open()
    try await running.value
    #expect(order.entries == ["asking", "asked 3"])
    #expect(asked.send(4).isRefused)
  }

  @Test func `an announced shutdown starts the time, and the reactors go on`() async throws {
    let reactor = work.reactor()
    let service = fixture.service(reactor)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    reactor.send(1)
    _ = await work.began.entries(upTo: 1)
    service.shutdownHasBegun()
    _ = await fixture.clock.sleeps.entries(upTo: 1)
    #expect(service.phase == .draining)
    #expect(!reactor.send(2).isRefused)
    _ = await work.began.entries(upTo: 2)
    // The time is up before the group has come to this service, which must not end by itself.
    let receipt = reactor.send(3)
    await fixture.clock.advance(past: 5)
    await receipt.settled
    #expect(reactor.send(4).isRefused)
    #expect(service.phase == .draining)
    await group.triggerGracefulShutdown()
    try await running.value
    #expect(service.abandoned.flatMap(\.actions).map { $0.action as? Int } == [1, 2, 3])
  }

  @Test func `a shutdown that was announced before it ran is not forgotten`() async throws {
    let reactor = work.reactor()
    let service = fixture.service(reactor)
    service.shutdownHasBegun()
    #expect(service.phase == .waiting)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    reactor.send(1)
    await fixture.clock.advance(past: 5)
    await group.triggerGracefulShutdown()
    try await running.value
    #expect(reactor.send(2).isRefused)
  }

  @Test func `an announcement after the end does not affect the next run`() async throws {
    let service = fixture.service(work.reactor())
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    try await running.value
    service.shutdownHasBegun()
    let wasAnnounced = service.state.withLock { $0.machine.start() }
    #expect(!wasAnnounced)
  }

  @Test func `a reactor that is still being made is reported with its key`() async throws {
    let making = Gate()
    let rooms = ReactorRegistry<String, ScriptedReactor>(idle: nil) { _ in
      await making.pass()
      return ScriptedReactor()
    }
    let asking = Task { try await rooms["slow"].send(1) }
    await making.reached()
    let service = fixture.service(rooms)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    await fixture.clock.advance(past: 5)
    try await running.value
    #expect(service.abandoned.map(\.description) == ["'slow': still being made"])
    making.open()
    await #expect(throws: RegistryError.self) { try await asking.value }
  }
}
