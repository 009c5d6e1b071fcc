import Reactor
import TestLimits
import TestSupport
import Testing

/// `mutate`, `reduce`, the hooks and effect bodies run on the reactor, whichever its executor.
@Suite(.bounded) struct IsolationTests {
  @Test func `mutate, reduce and effect bodies run on the reactor`() async {
    let gate = Gate()
    let ran = Log<String>()
    let reactor = ScriptedReactor(
      onReduce: { reactor, _ in
        reactor.assertIsolated()
        ran.append("reduce")
      },
      script: { reactor, action in
        reactor.assertIsolated()
        ran.append("mutate")
        return .run { emit in
          reactor.assertIsolated()
          await gate.pass()
          reactor.assertIsolated()
          ran.append("effect")
          await emit(action)
          reactor.assertIsolated()
        }
      })
    let receipt = reactor.send(1)
    gate.open()
    await receipt.settled
    #expect(ran.entries == ["mutate", "effect", "reduce"])
  }

  @Test func `an effect uses what is not Sendable without await`() async {
    let gate = Gate()
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        reactor.notes.lines.append("before")
        await gate.pass()
        reactor.notes.lines.append("after")
        await emit(action)
      }
    }
    let receipt = reactor.send(1)
    gate.open()
    await receipt.settled
    #expect(await reactor.lines == ["before", "after"])
  }

  @Test func `each hook is called on the reactor, once`() async {
    let called = Log<String>()
    let action = ActionHookedReactor { reactor, elements in
      reactor.assertIsolated()
      called.append("action")
      return Erased(elements)
    }
    let mutation = MutationHookedReactor { reactor, elements in
      reactor.assertIsolated()
      called.append("mutation")
      return Erased(elements)
    }
    let state = StateHookedReactor { reactor, elements in
      reactor.assertIsolated()
      called.append("state")
      return Erased(elements)
    }
    for number in 1...2 {
      await action.send(number).settled
      await mutation.send(number).settled
      await state.send(number).settled
    }
    #expect(called.entries == ["action", "mutation", "state"])
  }

  @Test func `two effects' emissions never overlap in reduce`() async {
    // `notes` is unguarded: a data race here is the thread sanitizer's to find, a lost line ours.
    let reactor = ScriptedReactor(
      onReduce: { reactor, mutation in reactor.notes.lines.append("\(mutation)") },
      script: { _, action in
        .run { emit in
          await withTaskGroup { group in
            for number in 0..<10 { group.addTask { await emit(action * 10 + number) } }
          }
        }
      })
    var receipts: [ActionReceipt<ScriptedReactor>] = []
    for action in 0..<50 { receipts.append(reactor.send(action)) }
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.lines.count == 500)
    #expect(await reactor.currentState.sorted() == Array(0..<500))
  }

  @Test func `a reactor runs on the main actor's executor`() async {
    let reactor = MainReactor()
    reactor.send(10)
    await reactor.send(20).settled
    #expect(await reactor.currentState == [10, 11, 20, 22])
  }

  @Test @MainActor func `on the main actor, what was sent is reduced at the first await`() async {
    let reactor = MainReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    reactor.send(10)
    #expect(await states.next() == [10])
    #expect(await states.next() == [10, 11])
  }

  @Test func `a reactor runs on an executor of its own`() async {
    let executor = ManualExecutor()
    let reactor = CustomExecutorReactor(executor)
    let isOver = Gate()
    async let work: Void = executor.run { isOver.isOpen }
    reactor.send(10)
    await reactor.send(20).settled
    #expect(await reactor.currentState == [10, 11, 20, 22])
    #expect(executor.runs > 0)
    isOver.open()
    await reactor.assertIsolatedHere()
    await work
  }
}

extension CustomExecutorReactor {
  /// One more job, so that the code that runs them checks again.
  fileprivate func assertIsolatedHere() { assertIsolated() }
}
