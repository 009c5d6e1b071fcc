import Reactor
import TestLimits
import TestSupport
import Testing

/// An action stream whose source a test drives, and that notes when it is released.
private struct Source: Sendable {
  let actions: AsyncThrowingStream<Int, any Error>
  let input: AsyncThrowingStream<Int, any Error>.Continuation
  let ended = Gate()

  init() {
    (actions, input) = AsyncThrowingStream<Int, any Error>.makeStream()
    let ended = ended
    input.onTermination = { _ in ended.open() }
  }
}

@Suite(.bounded) struct ActionFeedTests {
  private let reactor = ScriptedReactor()
  private let source = Source()

  /// A stream that cannot fail, from the same source.
  private func numbers() -> (AsyncStream<Int>, AsyncStream<Int>.Continuation) {
    AsyncStream<Int>.makeStream()
  }

  @Test func `every element becomes an action, in order`() async {
    let (numbers, input) = numbers()
    let feed = reactor.send(contentsOf: numbers)
    for number in 1...100 { input.yield(number) }
    input.finish()
    guard case .finished = await feed.end else { return #expect(Bool(false), "another end") }
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == Array(1...100))
  }

  @Test func `elements before the task begins are sent as well`() async {
    let (numbers, input) = numbers()
    input.yield(1)
    let feed = reactor.send(contentsOf: numbers)
    input.yield(2)
    #expect(await reactor.state.first { $0.count == 2 } == [1, 2])
    feed.cancel()
  }

  @Test func `an error becomes the last action, and is the end`() async {
    let feed = reactor.send(contentsOf: source.actions) { ($0 as? Failure)?.number }
    source.input.yield(1)
    source.input.finish(throwing: Failure(number: 7))
    guard case .failed(let error) = await feed.end else {
      return #expect(Bool(false), "another end")
    }
    #expect(error as? Failure == Failure(number: 7))
    #expect(await reactor.state.first { $0.count == 2 } == [1, 7])
    #expect(reactor.reports.problems == [])
  }

  @Test func `an error that no action is made of is the end all the same`() async {
    let feed = reactor.send(contentsOf: source.actions) { _ in nil }
    source.input.finish(throwing: Failure())
    guard case .failed = await feed.end else { return #expect(Bool(false), "another end") }
    await reactor.stop().settled
    #expect(await reactor.currentState == [])
  }

  @Test func `a stop of the reactor ends the feed and its sequence`() async {
    let feed = reactor.send(contentsOf: source.actions) { _ in nil }
    source.input.yield(1)
    _ = await reactor.state.first { $0 == [1] }
    await reactor.stop().settled
    guard case .reactorEnded = await feed.end else { return #expect(Bool(false), "another end") }
    try? await source.ended.wait()
    #expect(reactor.reports.problems == [])
  }

  @Test func `a feed does not retain the reactor, and ends with it`() async {
    let source = source
    var reactor: ScriptedReactor? = ScriptedReactor()
    let released = reactor?.released
    let feed = reactor?.send(contentsOf: source.actions) { _ in nil }
    source.input.yield(1)
    _ = await reactor?.state.first { $0 == [1] }
    reactor = nil
    try? await released?.wait()
    guard case .reactorEnded = await feed?.end else {
      return #expect(Bool(false), "another end")
    }
    try? await source.ended.wait()
  }

  @Test func `a feed that is released sends nothing more`() async {
    var feed: ActionFeed? = reactor.send(contentsOf: source.actions) { _ in nil }
    source.input.yield(1)
    _ = await reactor.state.first { $0 == [1] }
    withExtendedLifetime(feed) {}
    feed = nil
    try? await source.ended.wait()
    source.input.yield(2)
    await reactor.send(3).settled
    #expect(await reactor.currentState == [1, 3])
  }

  @Test func `a feed that is cancelled says so, and a later end does not change it`() async {
    let feed = reactor.send(contentsOf: source.actions) { _ in nil }
    feed.cancel()
    guard case .cancelled = await feed.end else { return #expect(Bool(false), "another end") }
    await reactor.stop().settled
    guard case .cancelled = await feed.end else { return #expect(Bool(false), "another end") }
  }

  @Test func `a task that is cancelled while it waits for the end leaves the feed running`() async {
    let (numbers, input) = numbers()
    let feed = reactor.send(contentsOf: numbers)
    let waiting = Task { await feed.end }
    waiting.cancel()
    guard case .cancelled = await waiting.value else {
      return #expect(Bool(false), "another end")
    }
    input.yield(1)
    #expect(await reactor.state.first { $0 == [1] } != nil)
    input.finish()
    guard case .finished = await feed.end else { return #expect(Bool(false), "another end") }
  }

  @Test func `a feed waits for capacity of the inbox`() async {
    let reactor = LimitedReactor()
    let (numbers, input) = numbers()
    let feed = reactor.send(contentsOf: numbers)
    for number in 1...50 { input.yield(number) }
    input.finish()
    guard case .finished = await feed.end else { return #expect(Bool(false), "another end") }
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == (1...50).reduce(0, +))
  }
}

/// Adds up; its inbox has a place for one action.
private actor LimitedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline(inboxLimit: 1, suspendsSenders: true)

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
