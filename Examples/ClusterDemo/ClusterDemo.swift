import Foundation
import Reactor
import ReactorComposition
import ReactorDistribution
import ReactorJournal
import ReactorREPL

/// One counter for all hosts.
actor CounterReactor: Reactor, JournaledReactor {
  enum Action: Codable { case add(Int, Reply<Int>) }
  typealias Mutation = Int
  typealias State = Int

  static let journalName = "counter"
  static let journalVersion = 1
  static let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add(let number, let reply):
      // The reply is sent when the mutation that this turn returns is durable, so the value is
      // correct. No other action runs in between, since this turn never suspends.
      reply(currentState + number)
      return .just(number)
    }
  }

  static func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// The state of one host's screen: the count, and the result of each command.
actor Desk: Reactor {
  enum Action { case add(Int), show(Int) }
  enum Mutation { case shown(Int), done(String), failed(String) }
  struct State {
    var count: Int?
    @Pulse var news: String?
    @Pulse var failure: String?
  }

  let initialState = State()
  let pipeline = Pipeline()
  private let counter: ClusteredReactor<CounterReactor>

  init(_ counter: ClusteredReactor<CounterReactor>) { self.counter = counter }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .show(let count): .just(.shown(count))
    case .add(let number):
      .run { [counter] emit in
        let sign = number < 0 ? "-" : "+"
        do {
          let count = try await counter.ask { .add(number, $0) }
          await emit(.done("\(sign) makes it \(count)"))
        } catch {
          await emit(.failed("\(sign) was not done: \(error)"))
        }
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .shown(let count): state.count = count
    case .done(let news): state.news = news
    case .failed(let failure): state.failure = failure
    }
  }
}

struct DeskScreen: Screen {
  let reactor: Desk
  let outlet: Outlet
  let commands = CommandTable<Desk.Action>([
    CommandSpec("+", .number(in: 1...1_000, absent: 1), summary: "add N (1)", example: "+ 5") {
      .add($0)
    },
    CommandSpec("-", .number(in: 1...1_000, absent: 1), summary: "take N (1)", example: "- 5") {
      .add(-$0)
    },
  ])

  func begin() async { outlet.printMessage("+ or - and Return; quit ends this host in order") }

  func prompt(of state: Desk.State) -> String { "\(state.count.map { "\($0) " } ?? "")> " }

  var notices: [NoticePulse<Desk.State>] { [.outcome(\.$news), .failure(\.$failure)] }

  // Used in a pipe, where notices are not printed.
  func report(of state: Desk.State, after last: Desk.State?) -> [String] {
    var lines: [String] = []
    if let count = state.count, count != last?.count { lines.append("the count is \(count)") }
    if let last, state.$news.isNewer(than: last.$news), let news = state.news { lines.append(news) }
    return lines
  }
}

/// The same counter, used from several terminals; see `make cluster`.
@main
struct ClusterDemo {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else {
      Outlet.standard().printFailure("type 'ClusterDemo DATABASE ADDRESS', or 'make cluster'")
      exit(2)
    }
    let cluster = try await ReactorCluster(.postgres(words[1]), address: words[2])
    let counter = cluster.registry(of: CounterReactor.self) { _ in CounterReactor() }["1"]
    let desk = Desk(counter)
    let watching = Task {
      for try await count in counter.state { desk.send(.show(count)) }
    }
    let console = ReactorConsole(history: "reactor-cluster")
    let status = await console.run(DeskScreen(reactor: desk, outlet: console.outlet))
    watching.cancel()
    await cluster.drain()
    exit(status)
  }
}
