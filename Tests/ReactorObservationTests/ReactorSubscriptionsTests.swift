import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

/// From when to when a binding observes.
@MainActor @Suite(.bounded) struct ReactorSubscriptionsTests {
  private typealias Binding = ReactorBinding<ScriptedReactor>

  @Test func `an observation begins with the call, not later`() {
    let begun = Log<Int>()
    let subscriptions = ReactorSubscriptions()
    subscriptions.observe(Announced { begun.append(0) }) { _ in }
    #expect(begun.count == 1)
  }

  @Test func `a pulse that fires right after the binding is shown`() async {
    let shown = Log<String?>()
    let reactor = ProfileReactor()
    let binding = ReactorBinding<ProfileReactor> { reactor, subscriptions in
      subscriptions.observe(reactor.state.pulses(of: \.$alert)) { shown.append($0) }
    }
    binding.reactor = reactor
    reactor.send(.alert("hello"))
    #expect(await shown.entries(upTo: 1) == ["hello"])
  }

  @Test func `a view that unbinds while it is shown something is shown nothing more`() async {
    let (shown, ended) = (Log<[Int]>(), Log<Int>())
    let (reactor, box) = (ScriptedReactor(), Box())
    box.binding = Binding { [weak box] reactor, subscriptions in
      for _ in 0..<2 {
        subscriptions.observe(Held(base: reactor.state, ended: ended)) { state in
          shown.append(state)
          if state.count == 3 { box?.binding?.reactor = nil }
        }
      }
    }
    box.binding?.reactor = reactor
    for action in 1...100 { reactor.send(action) }
    await reactor.stop().settled
    // Once both observations have released their iterators, nothing more can come.
    _ = await ended.entries(upTo: 2)
    #expect(shown.entries.last?.count == 3)
    #expect(shown.entries.filter { $0.count == 3 }.count == 1)
  }

  @Test func `binding and unbinding ten thousand times retains nothing`() async {
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

/// Reports when an iterator of it is made.
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

/// Reports when an iterator of it is released.
private struct Held<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Failure == Never {
  let base: Base
  let ended: Log<Int>

  final class Mark {
    let ended: Log<Int>
    init(_ ended: Log<Int>) { self.ended = ended }
    deinit { ended.append(0) }
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let mark: Mark

    mutating func next() async -> Base.Element? { await next(isolation: nil) }
    mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? {
      await base.next(isolation: actor)
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), mark: Mark(ended))
  }
}
