import Reactor
import TestLimits
import TestSupport
import Testing

/// An error ends one effect and is reported with its action; nothing vanishes.
@Suite(.bounded) struct ErrorsTests {
  @Test func `an error ends its effect, what it emitted remains, the reactor goes on`() async {
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        if action == 2 { throw Failure(number: action) }
        await emit(action * 10)
      }
    }
    for action in 1...3 { await reactor.send(action).settled }
    #expect(await reactor.currentState == [1, 10, 2, 3, 30])
  }

  @Test func `an error is reported once, with the action and the error`() async throws {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { _ in
        await gate.pass()
        throw Failure(number: action * 10)
      }
    }
    let receipt = reactor.send(7)
    gate.open()
    await receipt.settled
    #expect(reactor.reports.count == 1)
    let report = try #require(reactor.reports.entries.first)
    #expect(report.action as? Int == 7)
    #expect(report.reactor is ScriptedReactor.Type)
    guard case .effectFailed(let error) = report.problem else {
      Issue.record("not a failed effect: \(report)")
      return
    }
    #expect(error as? Failure == Failure(number: 70))
  }

  @Test(arguments: [true, false])
  func `an error before the first suspension is reported too`(_ usesSelf: Bool) async {
    let reactor = ScriptedReactor { reactor, action in
      guard usesSelf else { return .run { _ in throw Failure() } }
      return .run { _ in
        reactor.assertIsolated()
        throw Failure()
      }
    }
    await reactor.send(1).settled
    #expect(reactor.reports.problems == ["effectFailed"])
    #expect(reactor.reports.entries.first?.action as? Int == 1)
  }

  @Test(arguments: [true, false])
  func `CancellationError is not reported`(_ usesSelf: Bool) async {
    let reactor = ScriptedReactor { reactor, action in
      guard usesSelf else { return .run { _ in throw CancellationError() } }
      return .run { _ in
        reactor.assertIsolated()
        throw CancellationError()
      }
    }
    await reactor.send(1).settled
    #expect(reactor.reports.count == 0)
  }

  @Test func `an error of a cancelled effect is not reported`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in
      .run { _ in
        await gate.pass()
        throw Failure()
      }
    }
    let receipt = reactor.send(1)
    await gate.reached()
    receipt.cancel()
    gate.open()
    await receipt.settled
    #expect(reactor.reports.count == 0)
  }

  @Test func `an error in one part of a merge leaves the others alone`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in
      .merge(
        .run { _ in throw Failure(number: 1) },
        .run { emit in
          await gate.pass()
          await emit(2)
        },
        .run { _ in throw Failure(number: 3) })
    }
    let receipt = reactor.send(1)
    gate.open()
    await receipt.settled
    #expect(await reactor.currentState == [2])
    #expect(reactor.reports.problems == ["effectFailed", "effectFailed"])
  }

  @Test func `a late emission is ignored and reported with action and mutation`() async throws {
    let gate = Gate()
    let isOver = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        Task {
          await gate.pass()
          await emit(action + 1)
          isOver.open()
        }
      }
    }
    await reactor.send(1).settled
    gate.open()
    await isOver.pass()
    #expect(await reactor.currentState == [1])
    #expect(reactor.reports.problems == ["emittedTooLate"])
    let report = try #require(reactor.reports.entries.first)
    #expect(report.action as? Int == 1)
    guard case .emittedTooLate(let mutation) = report.problem else { return }
    #expect(mutation as? Int == 2)
  }

  @Test func `with transform(mutation:), a late emission is ignored and reported`() async {
    let gate = Gate()
    let isOver = Gate()
    let reactor = MutationHookedReactor(hook: MutationHookedReactor.passing) { _, action in
      .run { emit in
        Task {
          await gate.pass()
          await emit(action + 1)
          isOver.open()
        }
        await emit(action)
      }
    }
    await reactor.send(1).settled
    gate.open()
    await isOver.pass()
    #expect(await reactor.currentState == [1])
    #expect(reactor.reports.problems == ["emittedTooLate"])
  }

  @Test func `a refused action is reported with the action`() async {
    let reactor = ScriptedReactor()
    reactor.stop()
    #expect(reactor.send(3).isRefused)
    #expect(reactor.reports.problems == ["actionRefused"])
    #expect(reactor.reports.entries.first?.action as? Int == 3)
  }

  @Test func `an action that a hook still holds at the end is reported`() async {
    let gate = Gate()
    let reactor = ActionHookedReactor { _, action in
      Erased(
        action.map { action in
          await gate.pass()
          return action
        })
    }
    let receipts = [reactor.send(1), reactor.send(2)]
    await gate.reached()
    reactor.stop()
    // Again: no longer waiting for what the hook holds.
    await reactor.stop().settled
    gate.open()
    for receipt in receipts { await receipt.settled }
    let dropped = await reactor.reports.entries(upTo: 2)
    #expect(reactor.reports.problems == ["actionDropped", "actionDropped"])
    #expect(Set(dropped.map { $0.action as? Int }) == [1, 2])
    #expect(await reactor.currentState == [])
  }

  @Test func `an emitter that outlived its effect can be called from another actor`() async {
    let kept = Log<MutationEmitter<Int>>()
    var reactor: ScriptedReactor? = ScriptedReactor { reactor, _ in
      .run { emit in
        reactor.assertIsolated()
        kept.append(emit)
      }
    }
    await reactor?.send(0).settled
    let released = reactor?.released
    reactor = nil
    await released?.pass()
    // A call now, from any actor, has no effect.
    for _ in 0..<100 { await Neighbour().call(kept.entries[0]) }
  }
}

private actor Neighbour {
  func call(_ emit: MutationEmitter<Int>) async { await emit(1) }
}
