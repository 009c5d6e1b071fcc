import ReactorMachines
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct BufferingTests {
  private let skips = Log<Int>()

  private func last(_ count: Int) -> StateBuffering {
    .last(count) { [skips] in skips.append($0) }
  }

  @Test func `of many states the last three are delivered, and the others counted`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.buffering(last(3)).makeAsyncIterator()
    #expect(await states.next() == [])
    for action in 1...5 { await reactor.send(action).settled }
    #expect(await states.next() == [1, 2, 3])
    #expect(skips.entries == [2])
    #expect(await states.next() == [1, 2, 3, 4])
    #expect(await states.next() == [1, 2, 3, 4, 5])
    #expect(skips.entries == [2])
  }

  @Test func `the first state may be dropped as well`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.buffering(last(1)).makeAsyncIterator()
    for action in 1...3 { await reactor.send(action).settled }
    #expect(await states.next() == [1, 2, 3])
    #expect(skips.entries.reduce(0, +) >= 2)
  }

  @Test func `an observer that reads each state misses none`() async {
    let reactor = ScriptedReactor()
    var states = reactor.state.buffering(last(1)).makeAsyncIterator()
    for action in 0..<100 {
      #expect(await states.next()?.count == action)
      await reactor.send(action).settled
    }
    #expect(skips.entries == [])
  }

  @Test func `an observer that waits is given the next state`() async {
    let reactor = ScriptedReactor()
    let states = Task {
      await reactor.state.buffering(last(2)).first { $0.count == 50 }
    }
    for action in 0..<50 { reactor.send(action) }
    #expect(await states.value?.count == 50)
  }

  @Test func `a dropped state is released`() async {
    let reactor = TokenReactor()
    var states = reactor.state.buffering(last(2)).makeAsyncIterator()
    _ = await states.next()
    for _ in 0..<1000 { await reactor.send(()).settled }
    #expect(Token.living.load() < 10)
    _ = await states.next()
    #expect(skips.entries == [998])
  }

  @Test func `with newest-only observers alone, reduce edits in place`() async {
    let reactor = ArrayReactor()
    var states = reactor.state.buffering(.newest).makeAsyncIterator()
    _ = await states.next()
    for action in 0..<10 { await reactor.send(action).settled }
    #expect(await reactor.addresses.count <= 2)
  }

  @Test func `of a hundred observers, half of them slow, each receives what it buffers`() async {
    let reactor = ScriptedReactor()
    let gate = Gate()
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        var states = reactor.state.buffering(number % 4 < 2 ? .everyState : last(5))
          .makeAsyncIterator()
        group.addTask {
          if number % 2 == 0 { await gate.pass() }
          var count = 0
          while let state = await states.next() {
            count += 1
            if state.count == 200 { break }
          }
          return count
        }
      }
      for action in 0..<200 { reactor.send(action) }
      await gate.reached(by: 50)
      _ = await reactor.state.buffering(.newest).first { $0.count == 200 }
      gate.open()
      for await count in group { #expect(count >= 1 && count <= 201) }
    }
  }

  @Test func `subscribing and leaving ten thousand times leaves nothing behind`() async {
    let reactor = ScriptedReactor()
    for number in 0..<10_000 {
      var states = reactor.state.buffering(number % 2 == 0 ? .everyState : last(3))
        .makeAsyncIterator()
      if number % 100 == 0 { _ = await states.next() }
    }
    await reactor.send(1).settled
    #expect(await reactor.observersLeft == 0)
  }
}

/// A state that can be counted.
private final class Token: Sendable {
  static let living = Counter()

  init() { Self.living.add(1) }
  deinit { Self.living.add(-1) }
}

private final class Counter: Sendable {
  private let value = Guarded(0)
  func add(_ amount: Int) { value.withLock { $0 += amount } }
  func load() -> Int { value.withLock { $0 } }
}

private actor TokenReactor: Reactor {
  typealias Action = Void
  typealias State = Token

  let initialState = Token()
  let pipeline = Pipeline()

  func reduce(state: inout Token, mutation: Void) { state = Token() }
}

/// Remembers where its array was.
private actor ArrayReactor: Reactor {
  typealias Action = Int

  let initialState = Array(repeating: 0, count: 10_000)
  let pipeline = Pipeline()
  private(set) var addresses: Set<UInt> = []

  func reduce(state: inout [Int], mutation: Int) {
    state[mutation] += 1
    state.withUnsafeBufferPointer { _ = addresses.insert(UInt(bitPattern: $0.baseAddress)) }
  }
}

extension ScriptedReactor {
  fileprivate var observersLeft: Int {
    pipeline.core.outlet.contents.withLock { $0.machine.count + $0.elements.count }
  }
}
