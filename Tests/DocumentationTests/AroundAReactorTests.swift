import AsyncAlgorithms
import Reactor
import ReactorDependencies
import ReactorObservation
import TestLimits
import TestSupport
import Testing

// The samples of the page Around a reactor, copied by hand.

private struct Session: Sendable { var user: String? }

private struct Catalog: Sendable {
  var stock: [String]

  init(items: [String] = ["milk", "bread"]) { stock = items }

  func items() async throws -> [String] { stock }
  func index() async throws {}
}

private enum CatalogKey: ReactorDependencyKey {
  static var defaultValue: Catalog { Catalog() }
}
extension ReactorDependencies {
  fileprivate var catalog: Catalog {
    get { self[CatalogKey.self] }
    set { self[CatalogKey.self] = newValue }
  }
}

private enum LocaleKey: ReactorDependencyKey {
  static var defaultValue: String { "en" }
  static var allowsDefaultInTests: Bool { true }
}

private actor ItemList: Reactor {
  enum Action: Equatable { case load, select(Int), delete(Int), index }
  enum Mutation { case loaded([String]), selected(Int), deleted(Int), setUser(String?) }
  struct State {
    var items: [String] = []
    var selected: Int?
    var user: String?
  }

  let initialState = State()
  let pipeline = Pipeline(first: .load)
  private let session: SharedState<Session>
  @ReactorDependency(\.catalog) private var catalog

  init(_ session: SharedState<Session>) { self.session = session }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(session.state.select(\.user).map { .setUser($0) })
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .load: .run { emit in await emit(.loaded(try await self.catalog.items())) }.named("load")
    case .select(let row): .just(.selected(row))
    case .delete(let row): .just(.deleted(row))
    case .index: .run { [catalog] _ in try await catalog.index() }.priority(.background)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .loaded(let items): state.items = items
    case .selected(let row): state.selected = row
    case .deleted(let row): state.items.remove(at: row)
    case .setUser(let user): state.user = user
    }
  }
}

extension ItemList {
  fileprivate static func withDefaults(
    _ session: SharedState<Session> = SharedState(Session())
  ) -> ItemList {
    let list = ReactorDependencies.with {
      $0.allowsDefaultsInTests = true
    } make: {
      ItemList(session)
    }
    return list
  }

  /// Returns once it has loaded by itself: another load would be beside that, in no order.
  fileprivate nonisolated func hasLoaded() async {
    _ = await state.first { !$0.items.isEmpty }
  }
}

private actor Counter: MainActorReactor {
  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

@MainActor private func title(of counter: Counter) -> String { "Count: \(counter.stateNow)" }

private struct Chessboard: Sendable { var width = 8 }

private struct GameState { var boards = [Chessboard()] }

@Suite(.bounded) struct AroundAReactorTests {
  @Test func `a list is given a catalogue, and loads it by itself`() async {
    let session = SharedState(Session())
    let list = ReactorDependencies.with {
      $0.catalog = Catalog(items: ["tea"])
    } make: {
      ItemList(session)
    }
    let loaded = await list.state.first { !$0.items.isEmpty }
    #expect(loaded?.items == ["tea"])
    for receipt in list.sendTogether([.select(0), .index, .delete(0)]) { await receipt.settled }
    #expect(await list.currentState.items == [])
    #expect(await list.currentState.selected == 0)
  }

  @Test func `a key declares that its default is for tests`() {
    #expect(ReactorDependencies.current[LocaleKey.self] == "en")
  }

  @Test func `several actions are shown as one change`() async {
    let list = ItemList.withDefaults()
    await list.hasLoaded()
    list.sendTogether([.select(0), .delete(1)])
    await list.stop().settled
    #expect(await list.currentState.items == ["milk"])
    #expect(await list.currentState.selected == 0)
  }

  @Test func `its effect is replaced by its name`() async {
    let list = ItemList.withDefaults()
    await list.hasLoaded()
    #expect(await list.mutate(action: .load).effectNames == ["load"])

    let real = await list.replaceEffect("load", with: .just(.loaded(["a", "b"])))
    await list.send(.load).settled
    #expect(await list.currentState.items == ["a", "b"])
    real.remove()
    await list.send(.load).settled
    #expect(await list.currentState.items == ["milk", "bread"])
  }

  @Test func `a stage decides what may be deleted, as long as it is added`() async {
    let session = SharedState(Session())
    let list = ItemList.withDefaults(session)
    await list.hasLoaded()
    let guarding = await list.addStage { list, action, mutate in
      if case .delete = action, list.currentState.user == nil { return .empty }
      return mutate(action)
    }
    await list.send(.delete(0)).settled
    #expect(await list.currentState.items == ["milk", "bread"])

    session.change { $0.user = "ann" }
    let greeting = session.value.user.map { "Hello, \($0)" }
    #expect(greeting == "Hello, ann")
    _ = await list.state.first { $0.user == "ann" }
    await list.send(.delete(0)).settled
    #expect(await list.currentState.items == ["bread"])

    session.change { $0.user = nil }
    _ = await list.state.first { $0.user == nil }
    guarding.remove()
    await list.send(.delete(0)).settled
    #expect(await list.currentState.items == [])
  }

  @Test @MainActor func `a counter on the main actor is read at once`() async {
    let counter = Counter()
    await counter.send(2).settled
    #expect(title(of: counter) == "Count: 2")
  }

  @Test func `a stream keeps its last hundred prices`() async {
    let ticker = EventBroadcaster<Int>()
    var drawn: [Int] = []
    func draw(_ price: Int, skipped: Int) {
      drawn.append(price)
      #expect(skipped == 50)
    }
    let prices = ticker.stream().buffering(last: 100)
    for price in 0..<150 { ticker.send(price) }
    ticker.finish()
    for await price in prices { draw(price, skipped: prices.droppedCount) }
    #expect(drawn == Array(50..<150))
  }

  @Test func `a screen that subscribes again shows what is new`() async {
    let profile = ProfileReactor()
    var seen: UInt64 = 0
    var shown: [String?] = []
    func show(_ alert: String?) { shown.append(alert) }
    for text in ["one", "two"] {
      await profile.send(.alert(text)).settled
      for await alert in profile.state.pulses(of: \.$alert, after: seen) {
        seen = alert.ticket
        show(alert.wrappedValue)
        break
      }
    }
    #expect(shown == ["one", "two"])
  }

  @Test func `a large part is a value`() {
    var state = GameState()
    let before = state
    state.boards[0].width = 9
    let width = state.boards.withUnsafeBufferPointer { $0[0].width }
    #expect(before.boards[0].width == 8)
    #expect(width == 9)
  }
}
