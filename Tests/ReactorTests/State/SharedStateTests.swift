import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct SharedStateTests {
  @Test func `what one reactor changes, the others read at once`() {
    let shared = SharedState([1])
    #expect(
      shared.change {
        $0.append(2); return $0.count
      } == 2)
    #expect(shared.value == [1, 2])
  }

  @Test func `an observer has the value first, and then every change in order`() async {
    let shared = SharedState(0)
    var values = shared.state.makeAsyncIterator()
    #expect(await values.next() == 0)
    for value in 1...5 { shared.change { $0 = value } }
    for value in 1...5 { #expect(await values.next() == value) }
    let next = Task.immediate { await shared.state.first { $0 == 6 } }
    shared.change { $0 = 6 }
    #expect(await next.value == 6)
  }

  @Test func `observers of the newest, or of a part, work as with any state`() async {
    let shared = SharedState((name: "a", age: 1))
    var names = shared.state.select(\.name).makeAsyncIterator()
    var newest = shared.state.buffering(.newest).makeAsyncIterator()
    #expect(await names.next() == "a")
    #expect(await newest.next()?.age == 1)
    shared.change { $0.age = 2 }
    shared.change { $0.age = 3 }
    shared.change { $0.name = "b" }
    #expect(await names.next() == "b")
    #expect(await newest.next()?.age == 3)
  }

  @Test func `a change that throws is shown as far as it was made`() async {
    let shared = SharedState(0)
    var values = shared.state.makeAsyncIterator()
    _ = await values.next()
    #expect(throws: Failure(number: 7)) {
      try shared.change { value throws(Failure) in
        value = 1
        throw Failure(number: 7)
      }
    }
    #expect(shared.value == 1)
    #expect(await values.next() == 1)
  }

  @Test func `reactors that merge it have it in their states`() async {
    let session = SharedState("nobody")
    let screens = [Screen(session), Screen(session)]
    for screen in screens { await screen.send(.look).settled }
    session.change { $0 = "ann" }
    for screen in screens {
      #expect(await screen.state.first { $0.user == "ann" }?.looks == 1)
    }
    await screens[0].send(.logOut).settled
    #expect(session.value == "nobody")
    #expect(await screens[1].state.first { $0.user == "nobody" } != nil)
  }

  @Test func `from eight threads no change is lost, and all see the same order`() async {
    let shared = SharedState(0)
    let observers = (0..<4).map { _ in shared.state.makeAsyncIterator() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { shared.change { $0 += 1 } } }
      }
    }
    #expect(shared.value == 8_000)
    for var observer in observers {
      for value in 0...8_000 where await observer.next() != value {
        Issue.record("an observer missed \(value)")
        break
      }
    }
  }

  @Test func `a shared state that is no longer referenced is released`() async {
    weak var released: SharedState<Int>?
    do {
      let shared = SharedState(1)
      released = shared
      var values = shared.state.makeAsyncIterator()
      _ = await values.next()
    }
    #expect(released == nil)
  }
}

private actor Screen: Reactor {
  enum Action { case look, logOut }
  enum Mutation { case looked, setUser(String) }
  struct State { var user = "", looks = 0 }

  let initialState = State()
  let pipeline = Pipeline()
  private let session: SharedState<String>

  init(_ session: SharedState<String>) { self.session = session }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(session.state.map { .setUser($0) })
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .look: return .just(.looked)
    case .logOut:
      session.change { $0 = "nobody" }
      return .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .looked: state.looks += 1
    case .setUser(let user): state.user = user
    }
  }
}
