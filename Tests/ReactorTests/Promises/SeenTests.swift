import Reactor
import TestLimits
import TestSupport
import Testing

/// What an observer of one reactor receives (promise 14).
@Suite(.bounded) struct SeenTests {
  private let log = StepLog()

  @Test func `an action that is reduced at once has its steps in order`() async {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    await reactor.send(7).settled
    #expect(
      log.words == ["started", "0 taken", "0 begun", "0 reduced 1 '7'", "0 finished"])
  }

  @Test func `a transition has both states`() async throws {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    for number in 1...3 { await reactor.send(number).settled }
    let states = log.steps.compactMap { step -> [[Int]]? in
      guard case .reduced(let transition) = step.kind else { return nil }
      return [transition.old, transition.new].compactMap { $0 as? [Int] }
    }
    #expect(states == [[[], [1]], [[1], [1, 2]], [[1, 2], [1, 2, 3]]])
  }

  @Test func `the previous state is stored only for observers that need it`() async {
    struct Careless: ReactorObserver {
      let log = Log<Bool>()
      var needs: ObserverNeeds { .everything.subtracting(.oldStates) }
      func observe(_ step: ReactorStep) {
        if case .reduced(let transition) = step.kind { log.append(transition.old == nil) }
      }
    }
    let careless = Careless()
    let reactor = ScriptedReactor()
    reactor.addObserver(careless)
    await reactor.send(1).settled
    #expect(careless.log.entries == [true])
  }

  @Test func `an effect begins and ends once, with what it emits in between`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        try await gate.wait()
        await emit(action + 1)
      }
    }
    reactor.addObserver(log)
    let receipt = reactor.send(1)
    await log.waitFor("0 reduced 1 '1'")
    gate.open()
    await receipt.settled
    #expect(
      log.words == [
        "started", "0 taken", "0 begun", "0 effect 1 begun", "0 reduced 1 '1'",
        "0 reduced 2 '2'", "0 effect 1 finished", "0 finished",
      ])
  }

  @Test func `an effect that fails has its error in the step`() async {
    let reactor = ScriptedReactor { _, _ in .run { _ in throw Failure(number: 3) } }
    reactor.addObserver(log)
    await reactor.send(1).settled
    #expect(
      log.words(of: 0) == [
        "taken", "begun", "effect 1 begun", "reported effectFailed", "effect 1 failed: Failure",
        "failed",
      ])
  }

  @Test func `an effect that is cancelled has a step of that`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    reactor.addObserver(log)
    let receipt = reactor.send(1)
    await log.waitFor("0 effect 1 begun")
    receipt.cancel()
    gate.open()
    await receipt.settled
    #expect(log.words(of: 0).suffix(2) == ["effect 1 cancelled", "cancelled"])
  }

  @Test func `parallel parts of an effect have numbers of their own`() async {
    let reactor = ScriptedReactor { _, action in
      .merge(.run { emit in await emit(1) }, .run { emit in await emit(2) })
    }
    reactor.addObserver(log)
    await reactor.send(0).settled
    let words = log.words(of: 0)
    #expect(words.first == "taken")
    #expect(words.last == "finished")
    #expect(
      Set(words).isSuperset(of: [
        "effect 1 begun", "effect 1 finished", "effect 2 begun", "effect 2 finished",
      ]))
  }

  @Test func `an action that was cancelled before its turn has an end and no beginning`() async {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    let receipt = await reactor.turn { reactor in
      let receipt = reactor.send(1)
      receipt.cancel()
      return receipt
    }
    await receipt.settled
    #expect(log.words(of: 0) == ["taken", "cancelled"])
  }

  @Test func `a stop and a restart are steps`() async {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    await reactor.send(1).settled
    await reactor.stop().settled
    await reactor.restart(from: [9])
    await reactor.send(2).settled
    #expect(
      log.words == [
        "started", "0 taken", "0 begun", "0 reduced 1 '1'", "0 finished", "stopping", "stopped",
        "started", "1 taken", "1 begun", "1 reduced 2 '2'", "1 finished",
      ])
  }

  @Test func `an effect that the reactor's end cuts off is reported as cut off`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    reactor.addObserver(log)
    let receipt = reactor.send(1)
    await log.waitFor("0 effect 1 begun")
    let stop = reactor.stop()
    gate.open()
    await stop.settled
    await receipt.settled
    #expect(log.words(of: 0).suffix(2) == ["effect 1 cancelled", "cut off"])
  }

  @Test func `a released reactor has a last step`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    reactor?.addObserver(log)
    await reactor?.send(1).settled
    reactor = nil
    await log.waitFor("released")
    #expect(log.words.last == "released")
  }

  @Test func `an action that is refused is reported`() async {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    await reactor.send(1).settled
    await reactor.stop().settled
    reactor.send(2)
    #expect(log.words.last == "reported actionRefused")
  }

  @Test func `a taken action has its waiting time, and how many are behind it`() async throws {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    await reactor.turn { reactor in
      for number in 0..<3 { reactor.send(number) }
    }
    await reactor.send(3).settled
    let taken = log.steps.compactMap { step -> (Duration?, Int)? in
      if case .taken(let waited, let behind) = step.kind { (waited, behind) } else { nil }
    }
    #expect(taken.count == 4)
    #expect(taken.allSatisfy { ($0.0 ?? .seconds(-1)) >= .zero })
    #expect(taken[0].1 >= 2)
    #expect(taken[3].1 == 0)
  }
}
