import Observation
import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

private actor TwoListsReactor: Reactor {
  struct List: Equatable {
    var titles: [String] = []
    var name = ""
  }

  enum ListAction { case add(String), rename(String) }
  enum Action { case left(ListAction), right(ListAction) }

  struct State: Equatable {
    var left = List()
    var right = List()
  }

  let initialState = State()
  let pipeline = Pipeline()

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .left(let action): change(&state.left, action)
    case .right(let action): change(&state.right, action)
    }
  }

  private func change(_ list: inout List, _ action: ListAction) {
    switch action {
    case .add(let title): list.titles.append(title)
    case .rename(let name): list.name = name
    }
  }
}

@MainActor @Suite(.bounded) struct ObservedScopeTests {
  private typealias Mirror = ObservedScope<
    TwoListsReactor, TwoListsReactor.ListAction, TwoListsReactor.List
  >

  private let reactor = TwoListsReactor()

  private func left() async -> Mirror {
    await ObservedScope(
      reactor.scope(\.left) { (action: TwoListsReactor.ListAction) in .left(action) })
  }

  /// Waits until a mirror shows what is wanted.
  private func until(_ mirror: Mirror, _ isWanted: (Mirror) -> Bool) async {
    while !isWanted(mirror) {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = mirror.state
        } onChange: {
          Task { @MainActor in continuation.resume() }
        }
      }
    }
  }

  @Test func `it begins with the part, and shows the part's changes`() async {
    await reactor.send(.left(.add("milk"))).settled
    let left = await left()
    #expect(left.titles == ["milk"])
    reactor.send(.left(.add("bread")))
    await until(left) { $0.titles.count == 2 }
    #expect(left.state.titles == ["milk", "bread"])
  }

  @Test func `it sends actions of the part`() async {
    let left = await left()
    await left.send(.add("milk")).settled
    #expect(await reactor.currentState.left.titles == ["milk"])
    #expect(await reactor.currentState.right == TwoListsReactor.List())
  }

  @Test func `an observer of a property is not notified of other parts`() async {
    let left = await left()
    let changes = Log<String>()
    withObservationTracking {
      _ = left.titles
    } onChange: {
      changes.append("titles")
    }
    await reactor.send(.right(.add("milk"))).settled
    await reactor.send(.left(.rename("food"))).settled
    await until(left) { $0.name == "food" }
    #expect(changes.entries == [])
    reactor.send(.left(.add("milk")))
    _ = await changes.entries(upTo: 1)
  }

  @Test func `a value that is written is shown at once, and sent`() async {
    let left = await left()
    let receipt = left.set(\.name, to: "food") { .rename($0) }
    #expect(left.name == "food")
    await receipt.settled
    #expect(await reactor.currentState.left.name == "food")
    left.property(\.name) { .rename($0) }.value = "drinks"
    #expect(left.name == "drinks")
  }

  @Test func `a mirror of a whole reactor makes one of a part`() async {
    let whole = await ObservedReactor(reactor)
    await whole.send(.right(.add("milk"))).settled
    while whole.right.titles.isEmpty { await whole.change { $0.right } }
    let right = whole.scope(\.right) { .right($0) } as Mirror
    #expect(right.titles == ["milk"])
    await right.send(.add("bread")).settled
    await until(right) { $0.titles.count == 2 }
  }

  @Test func `a scope is bound as a reactor is`() async {
    typealias Scope = ReactorScope<
      TwoListsReactor, TwoListsReactor.ListAction, TwoListsReactor.List
    >
    let shown = Log<[String]>()
    let binding = ReactorBinding<Scope> { scope, subscriptions in
      subscriptions.observe(scope.select(\.titles)) { shown.append($0) }
    }
    binding.reactor = reactor.scope(\.left) { (action: TwoListsReactor.ListAction) in .left(action)
    }
    _ = await shown.entries(upTo: 1)
    await binding.reactor?.send(.add("milk")).settled
    #expect(await shown.entries(upTo: 2) == [[], ["milk"]])
    binding.reactor = nil
    #expect(!binding.isBound)
  }
}
