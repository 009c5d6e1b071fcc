import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// Streams and emitters with something around them.
@Suite(.bounded) struct DecoratingTests {
  /// A clock that goes on by a second whenever it is looked at.
  private final class TickingClock: Clock, Sendable {
    private let ticks = Guarded(0)

    var now: ManualClock.Instant {
      ticks.withLock { ticks in
        ticks += 1
        return ManualClock.Instant(step: ticks)
      }
    }

    var minimumResolution: Duration { .seconds(1) }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
  }

  /// Sends 1 and 2 in one go, and returns what came of it.
  private func state(of reactor: ScriptedReactor) async -> [Int] {
    let last = await reactor.turn { reactor in
      reactor.send(1)
      return reactor.send(2)
    }
    await last.settled
    return await reactor.currentState
  }

  // MARK: map

  @Test func `map changes at once what is emitted at once`() async {
    let log = Log<String>()
    let reactor = ScriptedReactor { _, action in
      defer { log.append("mutate has returned") }
      return MutationStream.of("a", "bb").map { text in
        log.append(text)
        return text.count
      }
    }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1, 2])
    #expect(log.entries == ["a", "bb", "mutate has returned"])
  }

  @Test(arguments: [false, true])
  func `map keeps an effect where it is, and in its turn`(usesReactor: Bool) async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(10) }
      guard usesReactor else {
        return MutationStream<String>.run { emit in
          await emit("a")
          await gate.pass()
          await emit("bb")
        }.map { $0.count }
      }
      return MutationStream<String>.run { emit in
        reactor.notes.lines.append("on the reactor")
        await emit("a")
        await gate.pass()
        reactor.notes.lines.append("still there")
        await emit("bb")
      }.map { $0.count }
    }
    let receipts = await reactor.turn { reactor in [reactor.send(1), reactor.send(2)] }
    await receipts[1].settled
    #expect(await reactor.currentState == [1, 10])
    gate.open()
    await receipts[0].settled
    #expect(await reactor.currentState == [1, 10, 2])
    #expect(await reactor.lines == (usesReactor ? ["on the reactor", "still there"] : []))
  }

  @Test func `map applies inside what is combined, to one error as well`() async {
    let reactor = ScriptedReactor { _, _ in
      MutationStream<String>.concat(
        .just("a"),
        .merge(.run { _ in throw Failure() }, .run { emit in await emit("bb") }),
        .just("never")
      ).map { $0.count }
    }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1, 2])
    #expect(reactor.reports.problems == ["effectFailed"])
  }

  @Test func `an emitter of other mutations emits in place, each once`() async {
    let log = Log<String>()
    let reactor = ScriptedReactor { reactor, _ in
      .run { emit in
        let texts = emit.map { (text: String) in
          log.append(text)
          return text.count
        }
        await texts("a")
        // Nothing has suspended: this is still the action's turn.
        reactor.notes.lines.append("\(reactor.currentState)")
        await Task.yield()
        await texts("bb")
      }
    }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [1, 2])
    #expect(await reactor.lines == ["[1]"])
    #expect(log.entries == ["a", "bb"])
  }

  // MARK: around

  @Test(arguments: [false, true])
  func `code around an effect runs where the effect does, in the same turn`(usesReactor: Bool) async
  {
    let log = Log<String>()
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else {
        log.append("next turn")
        return .empty
      }
      let home = ObjectIdentifier(reactor)
      let stream: MutationStream<Int> =
        usesReactor
        ? .run { emit in
          reactor.notes.lines.append("began")
          log.append("body")
          await emit(1)
          await gate.pass()
          reactor.notes.lines.append("ended")
        }
        : .run { emit in
          log.append("body")
          await emit(1)
          await gate.pass()
        }
      return stream.around { emit, body, _ in
        let isThere = #isolation.map(ObjectIdentifier.init) == home
        log.append(isThere ? "on the reactor" : "elsewhere")
        try await body(emit)
        log.append("after")
      }
    }
    let receipts = await reactor.turn { reactor in [reactor.send(1), reactor.send(2)] }
    await receipts[1].settled
    gate.open()
    await receipts[0].settled
    let place = usesReactor ? "on the reactor" : "elsewhere"
    #expect(log.entries == [place, "body", "next turn", "after"])
    #expect(await reactor.lines == (usesReactor ? ["began", "ended"] : []))
  }

  @Test func `around applies to each effect of a merge, to a concat, not to a value`() async {
    let count = Log<Int>()
    let reactor = ScriptedReactor { _, action in
      let one = MutationStream<Int>.run { emit in await emit(action) }
      let stream: MutationStream<Int> =
        switch action {
        case 1: .merge(one, one, .just(7))
        case 2: .concat(one, one, .just(7))
        default: .just(7)
        }
      return stream.around { emit, body, _ in
        count.append(action)
        try await body(emit)
      }
    }
    for action in 1...3 { await reactor.send(action).settled }
    #expect(count.entries == [1, 1, 2])
    #expect(await reactor.currentState.sorted() == [1, 1, 2, 2, 7, 7, 7])
  }

  @Test func `code around an effect receives its error, and may handle it`() async {
    let seen = Log<Int>()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        throw Failure(number: action)
      }.around { emit, body, _ in
        do { try await body(emit) } catch let failure as Failure {
          seen.append(failure.number)
          if failure.number == 1 { throw failure }
        }
      }
    }
    for action in 1...2 { await reactor.send(action).settled }
    #expect(seen.entries == [1, 2])
    #expect(reactor.reports.problems == ["effectFailed"])
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `code around an effect is cancelled with it`() async {
    let (gate, log) = (Gate(), Log<String>())
    let reactor = ScriptedReactor { _, _ in
      .run { _ in try await gate.wait() }.around { emit, body, _ in
        do { try await body(emit) } catch { log.append("\(error), \(Task.isCancelled)") }
      }
    }
    let receipt = reactor.send(1)
    await gate.reached()
    receipt.cancel()
    await receipt.settled
    #expect(log.entries == ["CancellationError(), true"])
    #expect(reactor.reports.problems == [])
  }

  @Test func `several wrappers are nested, and change what is emitted`() async {
    let reactor = ScriptedReactor { _, _ in
      .run { emit in await emit(1) }
        .around { emit, body, _ in try await body(emit.map { $0 + 1 }) }
        .around { emit, body, _ in
          await emit(0)
          try await body(emit.map { $0 * 10 })
          await emit(9)
        }
    }
    await reactor.send(1).settled
    #expect(await reactor.currentState == [0, 20, 9])
  }

  @Test func `task-local values bound around an effect are those of its body`() async {
    let reactor = ScriptedReactor { reactor, _ in
      .run { emit in
        reactor.note("\(Request.id)")
        await Task.yield()
        reactor.note("\(Request.id)")
      }.around { emit, body, _ in
        try await Request.$id.withValue(5) { try await body(emit) }
      }
    }
    await reactor.send(1).settled
    #expect(await reactor.lines == ["5", "5"])
  }

  // MARK: onEnd

  @Test func `onEnd is called once, with the outcome and the duration`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      let stream: MutationStream<Int> =
        switch action {
        case 1: .run { emit in await emit(1) }
        case 2: .run { _ in throw Failure() }
        case 3: .run { _ in try await gate.wait() }
        case 4: .just(4)
        case 5: .empty
        default: .merge(.run { emit in await emit(6) }, .run { emit in await emit(6) })
        }
      return stream.onEnd(clock: TickingClock()) { outcome, duration in
        // Without `await`: it is on the reactor.
        reactor.notes.lines.append("\(action) \(outcome.word) \(duration)")
      }
    }
    for action in [1, 2, 4, 5, 6] { await reactor.send(action).settled }
    let receipt = reactor.send(3)
    await gate.reached()
    receipt.cancel()
    await receipt.settled
    #expect(
      await reactor.lines == [
        "1 finished 1.0 seconds", "2 failed 1.0 seconds", "4 finished 1.0 seconds",
        "5 finished 1.0 seconds", "6 finished 1.0 seconds", "3 cancelled 1.0 seconds",
      ])
    #expect(await reactor.currentState == [1, 4, 6, 6])
    #expect(reactor.reports.problems == ["effectFailed"])
  }

  @Test func `for an effect off the actor, onEnd is called off the actor`() async {
    let log = Log<String>()
    let reactor = ScriptedReactor { _, _ in
      .run { emit in await emit(1) }.onEnd { outcome, _ in
        log.append("\(outcome.word), \(#isolation == nil)")
      }
    }
    await reactor.send(1).settled
    #expect(log.entries == ["finished, true"])
  }

  @Test func `what is emitted before onEnd is called is in the state by then`() async {
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(2) }
      return .just(1).onEnd { _, _ in reactor.note("\(reactor.currentState)") }
    }
    #expect(await state(of: reactor) == [1, 2])
    #expect(await reactor.lines == ["[1]"])
  }

  // MARK: Together

  @Test func `merged parts inside an operator begin in the turn`() async {
    let gates = [Gate(), Gate()]
    let reactor = ScriptedReactor { reactor, action in
      guard action == 1 else { return .just(2) }
      let parts = gates.indices.map { index in
        MutationStream<Int>.run { emit in
          reactor.note("part \(index)")
          await emit(10 + index)
          await gates[index].pass()
          await emit(20 + index)
        }
      }
      return .concat(.just(0), .merge(parts).onEnd { _, _ in reactor.note("end") }, .just(9))
    }
    let receipts = await reactor.turn { reactor in [reactor.send(1), reactor.send(2)] }
    await receipts[1].settled
    #expect(await reactor.currentState == [0, 10, 11, 2])
    for gate in gates {
      gate.open()
      await reactor.wait { $0.currentState.count > 4 }
    }
    await receipts[0].settled
    #expect(await reactor.currentState.sorted() == [0, 2, 9, 10, 11, 20, 21])
    #expect(await reactor.lines == ["part 0", "part 1", "end"])
  }

  @Test func `a decorated stream can be iterated on its own`() async throws {
    let stream = MutationStream<String>.concat(.just("a"), .run { emit in await emit("bb") })
      .around { emit, body, _ in try await body(emit.map { $0 + "!" }) }
      .map { $0.count }
      .onEnd { _, _ in }
    var found: [Int] = []
    for try await mutation in stream { found.append(mutation) }
    #expect(found == [2, 3])
  }
}

extension EffectOutcome {
  fileprivate var word: String {
    switch self {
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}
