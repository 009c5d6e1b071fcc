import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct EffectNamingTests {
  private static let real = MutationStream<Int>.run { emit in await emit(1) }.named("load")

  @Test func `a stream lists the names of its effects in order`() {
    let stream = MutationStream<Int>.concat(
      .just(0), Self.real, .run { _ in }, .merge(Self.real, .run { _ in }.named("save")))
    #expect(stream.effectNames == ["load", "load", "save"])
    #expect(MutationStream.just(1).named("load").effectNames == [])
  }

  @Test func `a named effect runs as it is`() async throws {
    #expect(try await Self.real.elements() == [1])
  }

  @Test func `each effect with the name is replaced, wherever it is`() async throws {
    let stream = MutationStream<Int>.concat(.just(0), Self.real, .just(2), Self.real)
    #expect(try await stream.replacing("load", with: .of(7, 8)).elements() == [0, 7, 8, 2, 7, 8])
    #expect(try await stream.replacing("other", with: .just(9)).elements() == [0, 1, 2, 1])
  }

  @Test func `operators keep an effect's name`() async throws {
    let made = [
      Self.real.map { $0 + 1 }, Self.real.priority(.low), Self.real.onEnd { _, _ in },
      Self.real.around { emit, body, _ in try await body(emit) },
    ]
    for stream in made {
      #expect(stream.effectNames == ["load"])
      #expect(try await stream.replacing("load", with: .just(5)).elements() == [5])
    }
  }

  @Test func `a test replaces an effect of a running reactor, and restores it`() async {
    let runs = Log<Int>()
    let reactor = ScriptedReactor { _, action in
      .concat(.just(action), .run { _ in runs.append(action) }.named("load"), .just(-action))
    }
    let replacement = await reactor.replaceEffect("load", with: .just(100))
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1, 100, -1])
    replacement.remove()
    await reactor.send(2).settled
    #expect(await reactor.currentState == [1, 100, -1, 2, -2])
    #expect(runs.entries == [2])
  }
}

@Suite(.bounded) struct EffectPriorityTests {
  private static func probe(_ log: Log<TaskPriority>) -> MutationStream<Int> {
    .run { _ in log.append(Task.currentPriority) }
  }

  @Test(arguments: [TaskPriority.background, .low, .high])
  func `an effect away from the reactor has the priority it was given`(
    _ priority: TaskPriority
  ) async {
    let log = Log<TaskPriority>()
    let reactor = ScriptedReactor { _, _ in Self.probe(log).priority(priority) }
    await reactor.send(1).settled
    #expect(log.entries == [priority])
  }

  @Test func `an effect on the reactor has its priority, begins in its turn, and may emit`() async {
    let log = Log<TaskPriority>()
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        reactor.preconditionIsolated()
        log.append(Task.currentPriority)
        await emit(action)
      }.priority(.low)
    }
    let second = await reactor.turn { reactor -> [ActionReceipt<ScriptedReactor>] in
      [reactor.send(1), reactor.send(2)]
    }
    for receipt in second { await receipt.settled }
    #expect(await reactor.currentState == [1, 2])
    #expect(log.entries == [.low, .low])
  }

  @Test func `the parts of a merge have it, and so do streams made by operators`() async {
    let log = Log<TaskPriority>()
    let reactor = ScriptedReactor { _, action in
      action == 0
        ? .merge(Self.probe(log), Self.probe(log)).priority(.low)
        : Self.probe(log).priority(.low).named("probe").onEnd { _, _ in }.map { $0 }
    }
    await reactor.send(0).settled
    await reactor.send(1).settled
    #expect(log.entries == [.low, .low, .low])
  }

  @Test func `it is independent of the task that takes the action`() async {
    let log = Log<TaskPriority>()
    let reactor = ScriptedReactor { _, _ in Self.probe(log).priority(.background) }
    await Task(priority: .high) { await reactor.send(1).settled }.value
    #expect(log.entries == [.background])
  }
}
