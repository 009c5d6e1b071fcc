import Reactor
import TestLimits
import TestSupport
import Testing

/// Every observer gets the current state first, then every later one, once and in order.
@Suite(.bounded) struct EveryStateTests {
  @Test func `an observer gets the initial state first, then every state`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [])
    reactor.send(1)
    reactor.send(2)
    #expect(await states.next() == [1])
    #expect(await states.next() == [1, 2])
  }

  @Test func `a late observer gets the current state first`() async {
    let reactor = ScriptedReactor()
    reactor.send(1)
    await reactor.send(2).settled
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == [1, 2])
    reactor.send(3)
    #expect(await states.next() == [1, 2, 3])
  }

  @Test func `observation begins where the iterator is made`() async {
    let reactor = ScriptedReactor()
    await reactor.send(1).settled
    var states = reactor.state.makeAsyncIterator()
    await reactor.send(2).settled
    await reactor.send(3).settled
    #expect(await states.next() == [1])
    #expect(await states.next() == [1, 2])
    #expect(await states.next() == [1, 2, 3])
  }

  @Test func `a late observer does not disturb one that is behind`() async {
    let reactor = ScriptedReactor()
    var early = reactor.state.makeAsyncIterator()
    #expect(await early.next() == [])
    await reactor.send(1).settled
    var late = reactor.state.makeAsyncIterator()
    await reactor.send(2).settled
    #expect(await late.next() == [1])
    #expect(await early.next() == [1])
    #expect(await early.next() == [1, 2])
    #expect(await late.next() == [1, 2])
  }

  @Test func `every state is delivered, a repeated one too`() async {
    let reactor = RepeatingReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next() == 0)
    reactor.send(1)
    reactor.send(1)
    reactor.send(0)
    for expected in [1, 1, 0] { #expect(await states.next() == expected) }
  }

  @Test func `a slow observer does not hold up reduce`() async {
    let reactor = ScriptedReactor()
    var slow = reactor.state.makeAsyncIterator()
    #expect(await slow.next() == [])
    for action in 1...1000 { reactor.send(action) }
    await reactor.send(1001).settled
    #expect(await reactor.currentState.count == 1001)
    for count in 1...1001 { #expect(await slow.next()?.count == count) }
  }

  @Test func `an observer of the newest skips to it`() async {
    let reactor = ScriptedReactor()
    var newest = reactor.state.buffering(.newest).makeAsyncIterator()
    #expect(await newest.next() == [])
    reactor.send(1)
    reactor.send(2)
    await reactor.send(3).settled
    #expect(await newest.next() == [1, 2, 3])
    let next = Task { await reactor.state.buffering(.newest).first { $0.count == 4 } }
    reactor.send(4)
    #expect(await newest.next() == [1, 2, 3, 4])
    #expect(await next.value == [1, 2, 3, 4])
  }

  @Test func `an observer of the newest waits where there is nothing newer`() async {
    let reactor = ScriptedReactor()
    let seen = Log<[Int]>()
    let observer = Task {
      for await state in reactor.state.buffering(.newest) {
        seen.append(state)
        if state.count == 3 { return }
      }
    }
    _ = await seen.entries(upTo: 1)
    for count in 1...3 {
      await reactor.send(count).settled
      _ = await seen.entries(upTo: count + 1)
    }
    await observer.value
    #expect(seen.entries == [[], [1], [1, 2], [1, 2, 3]])
  }

  @Test func `an observer of the newest and one of every state do not disturb each other`() async {
    let reactor = ScriptedReactor()
    var every = reactor.state.makeAsyncIterator()
    var newest = reactor.state.buffering(.newest).makeAsyncIterator()
    #expect(await newest.next() == [])
    reactor.send(1)
    await reactor.send(2).settled
    #expect(await newest.next() == [1, 2])
    for expected in [[], [1], [1, 2]] { #expect(await every.next() == expected) }
  }

  @Test func `behind transform(state:), an observer of the newest skips too`() async {
    let shaped = Log<[Int]>()
    let reactor = StateHookedReactor { _, state in
      Erased(state.map { state in (state, shaped.append(state)).0 })
    }
    var newest = reactor.state.buffering(.newest).makeAsyncIterator()
    #expect(await newest.next() == [])
    var every = reactor.state.makeAsyncIterator()
    for action in 1...3 { reactor.send(action) }
    while await every.next() != [1, 2, 3] {}
    #expect(await newest.next() == [1, 2, 3])
    #expect(shaped.count == 4)
  }

  @Test func `an observer that is cancelled sees the end`() async {
    let reactor = ScriptedReactor()
    let seen = Log<[Int]>()
    let observer = Task {
      for await state in reactor.state { seen.append(state) }
      return true
    }
    _ = await seen.entries(upTo: 1)
    observer.cancel()
    #expect(await observer.value)
    await reactor.send(1).settled
    #expect(seen.count == 1)
  }

  @Test func `100 observers see versions that never go back`() async {
    let reactor = ScriptedReactor()
    let ready = Log<Int>()
    let results = await withTaskGroup(of: [Int].self) { group in
      for observer in 0..<100 {
        group.addTask {
          var counts: [Int] = []
          for await state in reactor.state {
            if counts.isEmpty { ready.append(observer) }
            counts.append(state.count)
            if state.count == 50 { break }
          }
          return counts
        }
      }
      _ = await ready.entries(upTo: 100)
      for action in 0..<50 { reactor.send(action) }
      var results: [[Int]] = []
      for await counts in group { results.append(counts) }
      return results
    }
    #expect(results.count == 100)
    #expect(results.allSatisfy { $0 == Array(0...50) })
  }

  @Test func `releasing a value of a state may end an observation of it`() async {
    let reactor = OwningReactor()
    var states = reactor.state.makeAsyncIterator()
    #expect(await states.next()?.number == 0)
    let first = Task { for await _ in reactor.state {} }
    reactor.send(.own(first))
    for number in 1...3 { reactor.send(.number(number)) }
    while let state = await states.next(), state.number < 3 {}
    await first.value
  }
}

/// Reduces by replacing the state, so that states may repeat.
private actor RepeatingReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

private actor OwningReactor: Reactor {
  final class Owner: Sendable {
    let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }

  struct State {
    var number = 0
    var owner: Owner?
  }

  enum Action {
    case own(Task<Void, Never>)
    case number(Int)
  }

  typealias Mutation = Action
  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .own(let task): state.owner = Owner(task)
    case .number(let number):
      state.number = number
      state.owner = nil
    }
  }
}
