import AsyncAlgorithms
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Cancelling where a hook is between an action and its turn.
@Suite(.bounded) struct HookedCancellationTests {
  @Test func `cancelling ends both effects if a hook makes two actions of one`() async {
    let gate = Gate()
    let reactor = ActionHookedReactor { _, action in
      Erased(action.flatMap { action in [action, action + 1].async })
    } _: { _, action in
      .run { emit in
        await gate.pass()
        await emit(action)
      }
    }
    let receipt = reactor.send(1)
    await gate.reached(by: 2)
    receipt.cancel()
    gate.open()
    await receipt.settled
    await reactor.stop().settled
    #expect(await reactor.currentState == [])
  }

  @Test func `an action from elsewhere is not taken for the one that the hook has`() async {
    let gate = Gate()
    let reactor = ActionHookedReactor { _, action in
      Erased(Prefixing(base: action, gate: gate))
    }
    let receipt = reactor.send(1)
    await gate.reached()
    receipt.cancel()
    gate.open()
    await receipt.settled
    // What is inside a hook is past recalling, and nothing else is taken for it.
    await reactor.stop().settled
    #expect(await reactor.currentState == [100, 1])
  }

  @Test func `an action that the hook cancels is never taken`() async {
    let receipts = Guarded<[ActionReceipt<MutationHookedReactor>]>([])
    let taken = Log<Int>()
    let reactor = MutationHookedReactor.make { _, action in
      taken.append(action)
      return .just(action)
    } inHook: { _, number in
      if number == 2 { receipts.withLock { $0[4] }.cancel() }
    }
    let all = await reactor.turn { reactor in
      let all = reactor.sendAll(0..<10)
      receipts.withLock { $0 = all }
      return all
    }
    for receipt in all { await receipt.settled }
    #expect(taken.entries == [0, 1, 2, 3, 5, 6, 7, 8, 9])
    #expect(await reactor.currentState == taken.entries)
  }

  @Test func `an action that cancels itself in mutate leads to no mutation`()
    async
  {
    let receipts = Guarded<[ActionReceipt<MutationHookedReactor>]>([])
    let reactor = MutationHookedReactor.make { _, action in
      if action > 2 { receipts.withLock { $0[action] }.cancel() }
      return switch action {
      case 3: .of(3, 3)
      case 4: .run { emit in await emit(4) }
      default: .just(action)
      }
    } inHook: { _, _ in
    }
    let all = await reactor.turn { reactor in
      let all = reactor.sendAll(0...5)
      receipts.withLock { $0 = all }
      return all
    }
    for receipt in all { await receipt.settled }
    #expect(await reactor.currentState == [0, 1, 2])
  }
}

/// Says 100 before every element; takes the element from its base first, as `merge` may.
private struct Prefixing<Base: AsyncSequence>: AsyncSequence
where Base.Element == Int, Base.Failure == Never {
  typealias Failure = Never
  let base: Base
  let gate: Gate

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), gate: gate) }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let gate: Gate
    var held: Int?

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      if let element = held.take() { return element }
      held = await base.next(isolation: actor)
      guard held != nil else { return nil }
      await gate.pass()
      return 100
    }
  }
}
