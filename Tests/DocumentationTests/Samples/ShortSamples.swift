import Reactor
import ReactorComposition

// Loops that go on, and other short blocks of the pages Coming from SwiftFlux, Getting started,
// chapter 1 of the tutorial and Around a reactor: compiled, and not run.

private enum ShortSamples {
  actor Todos: Reactor {
    typealias Action = String

    let initialState: [String] = []
    let pipeline = Pipeline()

    func reduce(state: inout [String], mutation: String) { state.append(mutation) }
  }

  actor Counter: Reactor {
    typealias Action = Int

    let initialState = 0
    let pipeline = Pipeline()

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  actor CounterReactor: Reactor {
    enum Action { case increase, decrease }

    let initialState = 0
    let pipeline = Pipeline()

    func reduce(state: inout Int, mutation: Action) {
      switch mutation {
      case .increase: state += 1
      case .decrease: state -= 1
      }
    }
  }

  static func readLines() async {
    let counter = CounterReactor()

    let watching = Task.detached {
      for await state in counter.state { print(state) }
    }

    reading: while let line = readLine() {
      switch line {
      case "+": counter.send(.increase)
      case "-": counter.send(.decrease)
      case "quit": break reading
      default: print("+, - or quit")
      }
    }

    await counter.stop().settled
    await watching.value
  }

  static func watch(_ todos: Todos, _ counter: Counter) async {
    for await titles in todos.state { print(titles) }

    for await (titles, count) in combining(todos.state, counter.state) {
      print(titles.count, count)
    }
  }

  actor List: Reactor {
    enum Action { case select(Int), delete(Int) }

    let initialState = 0
    let pipeline = Pipeline()

    func reduce(state: inout Int, mutation: Action) {}

    static func together(_ list: List) {
      list.sendTogether([.select(0), .delete(1)])
    }
  }

  actor SearchReactor: Reactor {
    enum Action { case search(String), clear }
    struct State { var results: [String] = [] }

    let initialState = State()
    let pipeline = Pipeline()
    private let find: @Sendable (String) async throws -> [String]

    init(find: @escaping @Sendable (String) async throws -> [String]) { self.find = find }

    func reduce(state: inout State, mutation: Action) {}
  }

  static func start() async {
    let search = SearchReactor(find: { text in ["\(text)!"] })

    search.send(.clear)
    await search.send(.search("swift")).settled
    print(await search.currentState.results)

    let watching = Task {
      for await state in search.state { print(state) }
    }

    await search.stop().settled
    await watching.value
  }
}
