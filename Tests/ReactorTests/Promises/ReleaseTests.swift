import Reactor
import TestLimits
import TestSupport
import Testing

/// What the release of a reactor leaves: nothing behind, and to its observers every state.
@Suite(.bounded) struct ReleaseTests {
  @Test func `the state of when an iterator is made is delivered after the release`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    #expect(await reactor?.currentState == [])
    var states = reactor?.state.makeAsyncIterator()
    let released = reactor?.released
    reactor = nil
    await released?.pass()
    #expect(await states?.next() == [])
    #expect(await states?.next() == nil)
  }

  @Test func `an observer of the newest receives the last state after the release`() async {
    var reactor: ScriptedReactor? = ScriptedReactor()
    var states = reactor?.state.buffering(.newest).makeAsyncIterator()
    #expect(await states?.next() == [])
    await reactor?.send(1).settled
    let released = reactor?.released
    reactor = nil
    await released?.pass()
    #expect(await states?.next() == [1])
    #expect(await states?.next() == nil)
  }

  @Test func `a release with an effect in flight leaves no action or mutation behind`() async {
    let freed = Gate()
    var reactor: PayloadReactor? = PayloadReactor()
    reactor?.send(Payload(freed))
    // The effect ignores its cancellation; only the books could hold the action.
    _ = await reactor?.currentState
    reactor = nil
    await freed.pass()
  }

  @Test func `stop in deinit is harmless`() async {
    let released = Gate()
    var reactor: SelfStopping? = SelfStopping(released)
    await reactor?.send(1).settled
    reactor = nil
    await released.pass()
    let unused = Gate()
    reactor = SelfStopping(unused)
    reactor = nil
    await unused.pass()
  }
}

private final class Payload: Sendable {
  private let freed: Gate
  init(_ freed: Gate) { self.freed = freed }
  deinit { freed.open() }
}

private actor PayloadReactor: Reactor {
  typealias Action = Payload
  typealias Mutation = Never
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Payload) -> MutationStream<Never> {
    .run { _ in try await Gate().wait() }
  }

  func reduce(state: inout Int, mutation: Never) {}
}

private actor SelfStopping: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  let released: Gate

  init(_ released: Gate) { self.released = released }

  deinit {
    stop()
    released.open()
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
