import Reactor
import TestLimits
import TestSupport
import Testing

/// ReactorKit's re-entrancy cases, 20 to 22, and the one with more elements that it does not have.
@Suite(.bounded) struct ReactorKitReentrancyTests {
  @Test func `a send from an observer waits its turn`() async {
    let reactor = ScriptedReactor { _, action in .of(action, -action) }
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    reactor.send(1)
    var seen: [[Int]] = []
    while seen.count < 4, let state = await states.next() {
      seen.append(state)
      if state == [1] { reactor.send(2) }
    }
    #expect(seen == [[1], [1, -1], [1, -1, 2], [1, -1, 2, -2]])
  }

  @Test func `a send from reduce waits its turn`() async {
    let depth = Log<Int>()
    let reactor = ScriptedReactor(
      onReduce: { reactor, mutation in
        depth.append(mutation)
        if mutation == 1 { reactor.send(2) }
      },
      script: { _, action in .of(action, -action) })
    reactor.send(1)
    #expect(await reactor.state.first { $0.count == 4 } == [1, -1, 2, -2])
    #expect(depth.entries == [1, -1, 2, -2])
  }

  @Test func `a dismissal, after which an observer presents the next`() async {
    let router = RouterReactor()
    let observer = Task {
      var routes: [String?] = []
      for await route in router.state {
        routes.append(route)
        if route == nil { router.send("next") }
        if route == "next" { break }
      }
      return routes
    }
    #expect(await router.state.first { $0 == "first" } == "first")
    await router.send(nil).settled
    #expect(await observer.value.last == "next")
    #expect(await router.currentState == "next")
  }

  @Test func `more than two elements: all of A, then all of B`() async {
    let reactor = ScriptedReactor(
      onReduce: { reactor, mutation in
        if mutation == 1 { reactor.send(10) }
        if mutation == 10 { reactor.send(20) }
      },
      script: { _, action in .of((0..<5).map { action + $0 }) })
    reactor.send(1)
    let state = await reactor.state.first { $0.count == 15 }
    #expect(state == [1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24])
  }

  @Test func `more than two elements of an effect: all of A, then all of B`() async {
    let reactor = ScriptedReactor(
      onReduce: { reactor, mutation in if mutation == 1 { reactor.send(10) } },
      script: { reactor, action in
        .run { emit in
          reactor.note("\(action)")
          for offset in 0..<5 { await emit(action + offset) }
        }
      })
    reactor.send(1)
    let state = await reactor.state.first { $0.count == 10 }
    #expect(state == [1, 2, 3, 4, 5, 10, 11, 12, 13, 14])
  }
}

private actor RouterReactor: Reactor {
  typealias Action = String?
  typealias Mutation = String?
  typealias State = String?

  let initialState: String? = "first"
  let pipeline = Pipeline()

  func reduce(state: inout String?, mutation: String?) { state = mutation }
}
