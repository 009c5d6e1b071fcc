import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// Case 52 of the peers' acceptance cases, and what selecting means beyond it.
@Suite(.bounded) struct SelectionTests {
  @Test func `a selection skips equal neighbours: 1, 2, 1, 1 gives 1, 2, 1`() async {
    let reactor = ProfileReactor()
    let names = Task.immediate { await reactor.state.select(\.name).prefix(4).collected() }
    for name in ["1", "2", "1", "1"] { await reactor.send(.setName(name)).settled }
    await reactor.stop().settled
    #expect(await names.value == ["", "1", "2", "1"])
  }

  @Test func `changes of other values do not matter`() async {
    let reactor = ProfileReactor()
    var names = reactor.state.select(\.name).makeAsyncIterator()
    #expect(await names.next() == "")
    reactor.send(.setAge(7))
    reactor.send(.setName("Ada"))
    #expect(await names.next() == "Ada")
  }

  @Test func `a derived value can be selected`() async {
    let reactor = ProfileReactor()
    var initials = reactor.state.select { $0.name.first }.makeAsyncIterator()
    #expect(await initials.next() == .some(nil))
    for name in ["Ada", "Ann", "Bob"] { reactor.send(.setName(name)) }
    #expect(await initials.next() == "A")
    #expect(await initials.next() == "B")
  }

  @Test func `several values can be selected, left out where all are equal`() async {
    let reactor = ProfileReactor()
    var pairs = reactor.state.select(\.name, \.age).makeAsyncIterator()
    #expect(await pairs.next().map { "\($0)" } == #"("", 0)"#)
    reactor.send(.touch)
    reactor.send(.setAge(1))
    reactor.send(.setName("Ada"))
    #expect(await pairs.next().map { "\($0)" } == #"("", 1)"#)
    #expect(await pairs.next().map { "\($0)" } == #"("Ada", 1)"#)
  }

  @Test func `a selection can deliver old and new together`() async {
    let reactor = ProfileReactor()
    var changes = reactor.state.select(\.age).changes.makeAsyncIterator()
    #expect(await changes.next() == StateChange(old: nil, new: 0))
    reactor.send(.setAge(1))
    reactor.send(.setAge(5))
    #expect(await changes.next() == StateChange(old: 0, new: 1))
    #expect(await changes.next() == StateChange(old: 1, new: 5))
  }

  @Test func `the buffer is the observer's choice`() async {
    let reactor = ProfileReactor()
    var ages = reactor.state.buffering(.newest).select(\.age).makeAsyncIterator()
    #expect(await ages.next() == 0)
    for age in 1...9 { await reactor.send(.setAge(age)).settled }
    #expect(await ages.next() == 9)
  }

  @Test func `a selection ends with its reactor`() async {
    let reactor = ProfileReactor()
    let ages = Task.immediate { await reactor.state.select(\.age).collected() }
    await reactor.send(.setAge(1)).settled
    await reactor.stop().settled
    #expect(await ages.value == [0, 1])
  }

  @Test func `two reactors' states can be merged into one stream`() async {
    let (first, second) = (ProfileReactor(), ProfileReactor())
    var both = combineLatest(first.state.select(\.age), second.state.select(\.age))
      .makeAsyncIterator()
    #expect(await both.next().map { "\($0)" } == "(0, 0)")
    first.send(.setAge(1))
    #expect(await both.next().map { "\($0)" } == "(1, 0)")
    second.send(.setAge(2))
    #expect(await both.next().map { "\($0)" } == "(1, 2)")
  }
}
