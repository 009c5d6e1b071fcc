import Reactor
import ReactorComposition
import ReactorDependencies

struct Shop { var isOpen = true }
struct Closed: ExpectedError {}

enum BrewingTimeKey: ReactorDependencyKey {
  static var defaultValue: Duration { .seconds(180) }
}
extension ReactorDependencies {
  var brewingTime: Duration {
    get { self[BrewingTimeKey.self] }
    set { self[BrewingTimeKey.self] = newValue }
  }
}

/// A part of the bar: a state and its actions, without an actor of its own.
struct Bill: ReactorPart {
  enum Action { case add(String), pay }
  typealias State = [String]

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .add(let tea): state.append(tea)
    case .pay: state = []
    }
  }
}

/// A key of the children: by its number, two orders of the same tea are two keys.
struct Order: Hashable {
  let number: Int
  let tea: String
}

/// A child of the bar: begins when its tea is ordered, and ends when that is served.
actor Pot: Reactor {
  enum Action { case brew }
  typealias Mutation = Bool
  enum Output { case ready }

  let initialState = false
  let pipeline = Pipeline()
  @ReactorDependency(\.brewingTime) private var brewingTime

  func mutate(action: Action) -> MutationStream<Bool> {
    .run { emit in
      try await Task.sleep(for: self.brewingTime)
      await emit(true)
      self.output(.ready)
    }
  }

  func reduce(state: inout Bool, mutation: Bool) { state = mutation }
}

actor TeaBar: Reactor {
  enum Action { case bill(Bill.Action), brew(String) }
  enum Mutation { case bill(Bill.Action), brewing(String), ready(Order) }
  struct State {
    var bill: [String] = [], pots: [Order] = [], served: [String] = []
    var orderCount = 0
  }

  let initialState = State()
  let pipeline: Pipeline
  let pots: ReactorChildren<Order, Pot>
  private let bill = Bill()

  init(_ shop: SharedState<Shop>) {
    let openingHours = ActionStage(for: Action.self) { action in
      if case .bill(.pay) = action { .pass } else { shop.value.isOpen ? .pass : .drop(Closed()) }
    }
    pipeline = Pipeline(through: [openingHours])
    pots = pipeline.children(\.pots) { _, _ in
      let pot = Pot()
      pot.send(.brew)
      return pot
    } output: { order, _ in
      .ready(order)
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .bill(let action):
      bill.mutate(action: action, state: currentState.bill).map(Mutation.bill)
    case .brew(let tea): .just(.brewing(tea))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .bill(let mutation): bill.reduce(state: &state.bill, mutation: mutation)
    case .brewing(let tea):
      state.orderCount += 1
      state.pots.append(Order(number: state.orderCount, tea: tea))
    case .ready(let order):
      state.pots.removeAll { $0 == order }
      state.served.append(order.tea)
    }
  }
}

@main enum Program {
  static func main() async {
    let shop = SharedState(Shop())
    let bar = ReactorDependencies.with {
      $0.brewingTime = .milliseconds(10)
    } make: {
      TeaBar(shop)
    }
    let bill = bar.scope(\.bill) { (action: Bill.Action) in .bill(action) }
    let price = bar.state.derived { $0.bill.count * 4 }  // computed once for all observers
    for word in CommandLine.arguments.dropFirst() {
      switch word {
      case "close", "open": shop.change { $0.isOpen = word == "open" }
      case "pay":
        print("paid:", await price.first { @Sendable _ in true } ?? 0)
        await bill.send(.pay).settled
      default:
        // As one: no state has a tea on the bill that is not on the stove.
        let orders = bar.sendTogether([.bill(.add(word)), .brew(word)])
        if case .droppedByMiddleware? = await orders.last?.outcome { print("closed: no", word) }
      }
    }
    await bar.stop(.drain).settled
    print("served:", await bar.currentState.served.sorted().joined(separator: ", "))
  }
}
