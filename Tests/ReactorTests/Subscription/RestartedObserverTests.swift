import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// An observer of the newest state that has asked when the reactor is stopped and begins again.
@Suite(.bounded) struct RestartedObserverTests {
  @Test func `an answer that arrives after a restart is not given to earlier subscribers`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    let before = reactor.pipeline.core.outlet
    let subscription = StateSubscription(before, of: reactor.pipeline.core, .newest)
    _ = await reactor.state.first { _ in true }
    await reactor.restart(from: [7])
    // It asked before the end; the reactor comes to its question now.
    await reactor.pipeline.core.offerCurrentState(to: subscription)
    #expect(await subscription.next() == [1])
    #expect(await subscription.next() == nil)
  }

  @Test func `a subscriber that has the last state does not wait for the next run's`() async {
    let reactor = ScriptedReactor()
    _ = await reactor.currentState
    let before = reactor.pipeline.core.outlet
    let subscription = StateSubscription(before, of: reactor.pipeline.core, .newest)
    #expect(await subscription.next() == [])
    await reactor.restart()
    _ = await reactor.state.first { _ in true }
    await reactor.pipeline.core.offerCurrentState(to: subscription)
    #expect(await subscription.next() == nil)
    let hasDemand = reactor.pipeline.core.outlet.hasDemand.load(ordering: .relaxed)
    #expect(!hasDemand)
  }

  @Test func `observers come and go while the reactor is restarted repeatedly`() async {
    let reactor = ScriptedReactor()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask(priority: .background) {
          for _ in 0..<50 {
            let observer = Task {
              var last = 0
              for await state in reactor.state.buffering(.newest) {
                #expect(state.count >= last)
                last = state.count
              }
            }
            await Task.yield()
            observer.cancel()
            await observer.value
          }
        }
      }
      for action in 0..<200 {
        await reactor.send(action).settled
        await reactor.restart()
      }
    }
    #expect(await reactor.currentState.count == 200)
    #expect(reactor.pipeline.core.outlet.isUnneeded)
  }
}
