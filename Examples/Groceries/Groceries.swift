import Foundation
import Reactor
import ReactorREPL

actor Groceries: Reactor {
  enum Action { case add(String), buy(Int), remind(Int), wait(Int) }
  enum Mutation { case added(String), bought(Int), rang }
  struct State {
    var things: [String] = []
    @Pulse var news: String?
  }
  struct NotOnTheList: ExpectedError, CustomStringConvertible {
    let number: Int
    var description: String { "there is no \(number) on the list; try 'buy 1'" }
  }

  let initialState = State()
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let thing): return .just(.added(thing))
    case .buy(let number):
      guard currentState.things.indices.contains(number - 1) else {
        return .run { _ in throw NotOnTheList(number: number) }
      }
      return .just(.bought(number - 1))
    case .remind(let minutes):
      send(.wait(minutes))  // an action of its own: the next line does not wait for it
      return .empty
    case .wait(let minutes):
      return .run { [clock] emit in
        try await clock.sleep(for: .seconds(60 * minutes))
        await emit(.rang)
      }
      .cancelledByDrain()
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let thing): state.things.append(thing)
    case .bought(let index): state.things.remove(at: index)
    case .rang: state.news = "time to go: \(state.things.joined(separator: ", "))"
    }
  }
}

struct GroceryScreen: Screen {
  let reactor: Groceries
  let commands = CommandTable<Groceries.Action>([
    CommandSpec("add", .text("THING", "a thing"), summary: "add a thing", example: "add milk") {
      .add($0)
    },
    CommandSpec("buy", .number(in: 1...99), summary: "remove a thing", example: "buy 1") {
      .buy($0)
    },
    CommandSpec(
      "remind", .number("MINUTES", in: 1...99), summary: "say when to go", example: "remind 5"
    ) { .remind($0) },
  ])
  var notices: [NoticePulse<Groceries.State>] { [.outcome(\.$news)] }

  func prompt(of state: Groceries.State) -> String { "\(state.things.count) > " }

  func rows(of state: Groceries.State, columns: Int, height: Int) -> [StyledText] {
    state.things.enumerated().prefix(height).map { index, thing in
      RowBuilder.row("\(index + 1) \(thing)", columns: columns)
    }
  }
}

@main enum Program {
  static func main() async {
    exit(await ReactorConsole().run(GroceryScreen(reactor: Groceries())))
  }
}
