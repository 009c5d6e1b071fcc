import Reactor
import ReactorObservation
import TestSupport
import Testing

/// Views that change their reactor at awkward moments.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ReactorBindingCornerTests {
  private typealias Binding = ReactorBinding<ScriptedReactor>

  @Test func `an observation begins with the call, not a while later`() {
    let begun = Log<Int>()
    let subscriptions = ReactorSubscriptions()
    subscriptions.observe(Announced { begun.append(0) }) { _ in }
    #expect(begun.count == 1)
  }

  @Test func `what fires right after the binding is shown`() async {
    let shown = Log<String?>()
    let reactor = ProfileReactor()
    let binding = ReactorBinding<ProfileReactor> { reactor, subscriptions in
      subscriptions.observe(reactor.state.pulses(of: \.$alert)) { shown.append($0) }
    }
    binding.reactor = reactor
    reactor.send(.alert("hello"))
    #expect(await shown.entries(upTo: 1) == ["hello"])
  }

  @Test func `a reactor assigned while another is bound takes over`() async {
    let shown = Log<[Int]>()
    let (first, second) = (ScriptedReactor(), ScriptedReactor())
    await second.send(2).settled
    let box = Box()
    box.binding = Binding { [weak box] reactor, subscriptions in
      if reactor === first { box?.binding?.reactor = second }
      subscriptions.observe(reactor.state) { shown.append($0) }
    }
    box.binding?.reactor = first
    #expect(box.binding?.reactor === second)
    #expect(await shown.entries(upTo: 1) == [[2]])
    await first.send(1).settled
    await second.send(3).settled
    #expect(await shown.entries(upTo: 2) == [[2], [2, 3]])
  }

  @Test func `a view that unbinds while it is shown something is shown nothing more`() async {
    let (shown, reactor, box) = (Log<[Int]>(), ScriptedReactor(), Box())
    box.binding = Binding { [weak box] reactor, subscriptions in
      for _ in 0..<2 {
        subscriptions.observe(reactor.state) { state in
          shown.append(state)
          if state.count == 3 { box?.binding?.reactor = nil }
        }
      }
    }
    box.binding?.reactor = reactor
    for action in 1...100 { reactor.send(action) }
    await reactor.stop().settled
    _ = await reactor.state.all()
    while shown.entries.last?.count != 3 { await Task.yield() }
    let count = shown.count
    for _ in 0..<100 { await Task.yield() }
    #expect(shown.count == count)
    #expect(shown.entries.filter { $0.count == 3 }.count == 1)
  }

  @Test func `binding and unbinding ten thousand times leaves nothing behind`() async {
    let reactor = ScriptedReactor()
    let (shown, ended) = (Log<[Int]>(), Log<Int>())
    let binding = Binding { reactor, subscriptions in
      subscriptions.observe(reactor.state) { shown.append($0) }
      subscriptions.observe(reactor.state.buffering(.newest)) { shown.append($0) }
      subscriptions.task {
        try? await Gate().wait()
        ended.append(0)
      }
    }
    for _ in 0..<10_000 { binding.reactor = reactor }
    binding.reactor = nil
    _ = await ended.entries(upTo: 10_000)
    await reactor.send(1).settled
    #expect(shown.entries == [])
  }

  private final class Box { var binding: Binding? }
}

/// Says when somebody begins to iterate it.
private struct Announced: AsyncSequence, Sendable {
  let begun: @Sendable () -> Void

  struct Iterator: AsyncIteratorProtocol {
    mutating func next() async -> Int? { nil }
    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? { nil }
  }

  func makeAsyncIterator() -> Iterator {
    begun()
    return Iterator()
  }
}
