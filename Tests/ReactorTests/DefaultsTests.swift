import Reactor
import Testing

/// What an author need not write.
@Suite(.timeLimit(.minutes(1))) struct DefaultsTests {
  @Test func `where Mutation is Action, the action is its own mutation`() async {
    let reactor = EchoReactor()
    await reactor.send(3).settled
    #expect(await reactor.currentState == 3)
  }

  @Test func `where it is not, mutate leads to nothing`() async {
    let reactor = SilentReactor()
    await reactor.send("a").settled
    #expect(await reactor.currentState == 0)
  }

  @Test func `where Mutation is Never, reduce is not needed`() async {
    let reactor = NeverReactor()
    await reactor.send(1).settled
    #expect(await reactor.currentState == 0)
  }
}

private actor EchoReactor: Reactor {
  typealias Action = Int
  typealias State = Int
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

private actor SilentReactor: Reactor {
  typealias Action = String
  typealias Mutation = Int
  typealias State = Int
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

private actor NeverReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Never
  typealias State = Int
  let initialState = 0
  let pipeline = Pipeline()
}
