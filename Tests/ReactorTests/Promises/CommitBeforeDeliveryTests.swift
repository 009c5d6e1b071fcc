import Reactor
import TestLimits
import TestSupport
import Testing

/// A state is readable before any observer has it.
@Suite(.bounded) struct CommitBeforeDeliveryTests {
  @Test func `code that has received a state reads that state, or a later one`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.makeAsyncIterator()
    for action in 1...1000 { reactor.send(action) }
    while let state = await states.next(), state.count < 1000 {
      #expect(await reactor.currentState.count >= state.count)
    }
  }

  @Test func `many observers, on other threads, never receive more than can be read`() async {
    let reactor = ScriptedReactor()
    let ready = Log<Int>()
    await withTaskGroup(of: Void.self) { group in
      for observer in 0..<8 {
        group.addTask {
          for await state in reactor.state {
            if state.isEmpty { ready.append(observer) }
            #expect(await reactor.currentState.count >= state.count)
            if state.count == 200 { return }
          }
        }
      }
      _ = await ready.entries(upTo: 8)
      for action in 1...200 { reactor.send(action) }
    }
  }

  @Test func `while a mutation is reduced, no observer has received its state`() async {
    let seen = Log<[Int]>()
    let early = Log<Int>()
    let reactor = ScriptedReactor(
      onReduce: { _, mutation in
        if seen.entries.contains(where: { $0.contains(mutation) }) { early.append(mutation) }
      }, script: ScriptedReactor.echo)
    let observer = Task {
      for await state in reactor.state {
        seen.append(state)
        if state.count == 100 { return }
      }
    }
    _ = await seen.entries(upTo: 1)
    for action in 1...100 { reactor.send(action) }
    await observer.value
    #expect(early.entries.isEmpty)
    #expect(seen.count == 101)
  }
}
