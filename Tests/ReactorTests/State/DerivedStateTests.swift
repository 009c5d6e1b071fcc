import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct DerivedStateTests {
  @Test func `a derived value is computed once per state, for any number of observers`() async {
    let reactor = ScriptedReactor()
    let asked = Log<[Int]>()
    let sums = reactor.state.derived { state in
      asked.append(state)
      return state.reduce(0, +)
    }
    let observers = (0..<10).map { _ in
      Task {
        for await sum in sums where sum == 10 { return }
      }
    }
    var one = sums.makeAsyncIterator()
    #expect(await one.next() == 0)
    for number in 1...4 { await reactor.send(number).settled }
    for observer in observers { await observer.value }
    while let sum = await one.next(), sum != 10 {}
    #expect(asked.entries == [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]])
  }

  @Test func `a value equal to the one before is left out`() async {
    let reactor = ScriptedReactor()
    var signs = reactor.state.derived { $0.last ?? 0 > 2 }.makeAsyncIterator()
    #expect(await signs.next() == false)
    for number in 1...4 { await reactor.send(number).settled }
    #expect(await signs.next() == true)
    await reactor.stop().settled
    #expect(await signs.next() == nil)
  }

  @Test func `a derivation is shared by map, by observers of the newest, by many reactors`() async {
    let (one, two) = (ScriptedReactor(), ScriptedReactor())
    let asked = Log<Int>()
    let sums = combining(one.state, two.state).derived { one, two in
      asked.append(0)
      return one.count + two.count
    }
    let doubled = sums.derived { $0 * 2 }
    var plain = sums.makeAsyncIterator()
    var newest = sums.buffering(.newest).makeAsyncIterator()
    var twice = doubled.makeAsyncIterator()
    #expect(await plain.next() == 0)
    #expect(await newest.next() == 0)
    #expect(await twice.next() == 0)
    await one.send(1).settled
    #expect(await plain.next() == 1)
    #expect(await newest.next() == 1)
    #expect(await twice.next() == 2)
    #expect(asked.count == 2)
  }

  @Test func `a derived stream does not retain the reactor, and ends with it`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    guard let counts = reactor?.state.derived({ $0.count }) else { return }
    var iterator = counts.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    reactor = nil
    await released?.pass()
    #expect(await iterator.next() == nil)
    #expect(await counts.collected() == [0])
  }

  @Test func `observers that come and go are served by one observation`() async {
    let reactor = ScriptedReactor()
    let counts = reactor.state.derived { $0.count }
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<8 {
        tasks.addTask {
          for round in 0..<TestCounts.rounds(200) {
            var last = -1
            for await count in counts {
              #expect(count > last)
              last = count
              if count > round { break }
              reactor.send(1)
            }
          }
        }
      }
    }
  }
}
