import Reactor
import Testing
import TestLimits

/// What is written under a base protocol that says what an action is, and named nowhere.
@Suite(.bounded) struct BaseProtocolTests {
  @Test func `a lane under a base protocol is used`() async {
    let shop = EnvelopedShop()
    let first = shop.send(.init(content: .pay(1)))
    let second = shop.send(.init(content: .pay(2)))
    await second.settled
    await shop.open()
    await first.settled
    #expect(await shop.currentState.paid == [1])
  }

  @Test func `hooks under a base protocol are called`() async {
    let shop = EnvelopedShop()
    await shop.open()
    await shop.send(.init(content: .pay(1))).settled
    #expect(await shop.hooked == ["action", "mutation", "state"])
  }

  @Test func `a mutate that the base has for all is called where a mutation is an action`() async {
    let reactor = Doubled()
    await reactor.send(1).settled
    #expect(await reactor.currentState == 2)
  }

  @Test func `a mutate in an extension is called where a mutation is an action`() async {
    let reactor = Extended()
    await reactor.send(1).settled
    #expect(await reactor.currentState == 2)
  }

  @Test func `a mutate that is a requirement is called`() async {
    let reactor = Insisting()
    await reactor.send(1).settled
    #expect(await reactor.currentState == 2)
  }

  @Test func `through the base, such a mutate is called as well`() async {
    func total<R: Reactor<Int, Int>>(of reactor: R) async -> Int {
      await reactor.send(1).settled
      return await reactor.currentState
    }
    #expect(await total(of: Doubled()) == 2)
    #expect(await total(of: Extended()) == 2)
    #expect(await total(of: Insisting()) == 2)
  }
}

private struct Envelope<Content: Sendable>: Sendable { var content: Content }
private struct Traced<Content: Sendable>: Sendable { var content: Content }

private protocol Enveloped: Reactor
where Action == Envelope<Command>, Mutation == Traced<Change> {
  associatedtype Command: Sendable
  associatedtype Change: Sendable
}

private actor EnvelopedShop: Enveloped {
  enum Command { case pay(Int) }
  enum Change { case paid(Int) }
  struct State { var paid: [Int] = [] }

  let initialState = State()
  let pipeline = Pipeline()
  private(set) var hooked: [String] = []
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for one in waiting { one.resume() }
    waiting = []
  }

  private func opened() async {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  func lane(for action: Action) -> Lane? { .leading("pay") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action.content {
    case .pay(let amount):
      .run { emit in
        await self.opened()
        await emit(Traced(content: .paid(amount)))
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation.content {
    case .paid(let amount): state.paid.append(amount)
    }
  }

  func transform(action: Actions) -> some AsyncSequence<Action, Never> {
    hooked.append("action")
    return action.map { $0 }
  }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    hooked.append("mutation")
    return mutation.map { $0 }
  }

  func transform(state: States) -> some AsyncSequence<State, Never> {
    hooked.append("state")
    return state.map { $0 }
  }
}
