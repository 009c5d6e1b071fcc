import Reactor
import ReactorREPL
import ReactorREPLTesting
import ReactorTesting
import TestLimits
import Testing

/// A list whose work takes time on a clock.
private actor Pile: LanedReactor {
  enum Action: Equatable { case put(String), think, fail, clear }
  enum Mutation { case put(String), clear, fail }
  struct State {
    var things: [String] = []
    @Pulse var news: String?
  }
  struct Broken: Error, CustomStringConvertible { var description: String { "it broke" } }

  let initialState = State()
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? { .sequential("pile") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .put(let thing): .just(.put(thing))
    case .clear: .just(.clear)
    case .fail: .run { _ in throw Broken() }
    case .think:
      .run { [clock] emit in
        try await clock.sleep(for: .seconds(10))
        await emit(.put("a thought"))
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .put(let thing):
      state.things.append(thing)
      state.news = "put \(thing)"
    case .clear: state.things = []
    case .fail: break
    }
  }
}

private struct PileScreen: CompletingScreen {
  enum Command: ShellCommand {
    case put(String), think, ponder, fail, count

    static let table = CommandTable<Self>([
      CommandSpec("put", .text("THING", "a thing"), summary: "put", example: "put a cup") {
        .put($0)
      },
      CommandSpec("think", summary: "wait for a thought") { .think },
      CommandSpec("ponder", summary: "think meanwhile") { .ponder },
      CommandSpec("fail", summary: "break") { .fail },
      CommandSpec("count", summary: "count") { .count },
    ])
  }

  let reactor: Pile
  var notices: [NoticePulse<Pile.State>] { [.outcome(\.$news)] }

  func perform(_ command: Command) async -> ScreenStep<Pile> {
    switch command {
    case .put(let thing): .background(reactor.send(.put(thing)))
    case .think: .wait(reactor.send(.think))
    case .ponder: .background(reactor.send(.think))
    case .fail: .background(reactor.send(.fail))
    case .count: .answer("there are \(await reactor.currentState.things.count)")
    }
  }

  func prompt(of state: Pile.State) -> String { "\(state.things.count) > " }

  func rows(of state: Pile.State, columns: Int, height: Int) -> [StyledText] {
    state.things.suffix(height).map { RowBuilder.row($0, columns: columns) }
  }

  func report(of state: Pile.State, after last: Pile.State?) -> [String] {
    state.things == last?.things ?? [] ? [] : ["\(state.things.count) things"]
  }

  func completion(of state: Pile.State) -> CommandCompletion {
    CommandCompletion(commands: commands.withHelpAndQuit.infos)
  }
}

@Suite(.bounded) struct TestConsoleTests {
  private func talk(
    at place: TestConsole.Place = .terminal(), isJSON: Bool = false,
    _ scenario: @escaping @Sendable (TestConsole) async throws -> Void
  ) async throws {
    try await simulate { simulation in
      let screen = PileScreen(reactor: Pile(clock: simulation.clock))
      try await scenario(await TestConsole(screen, in: simulation, at: place, isJSON: isJSON))
    }
  }

  @Test func `keys edit the line`() async throws {
    try await talk { console in
      await console.type("ut a cx\u{7F}ups")
      await console.press(.home)
      await console.type("p")
      await console.press(.end)
      await console.press(.left)
      await console.press(.delete)
      #expect(console.line == "put a cup")
      await console.press(.control("w"))
      await console.press(.control("y"))
      await console.press(.enter)
      #expect(console.rows.first == "a cup")
      #expect(console.prompt == "1 > ")
      #expect(console.line == "")
    }
  }

  @Test func `earlier lines are found, and the line that is typed is kept`() async throws {
    try await talk { console in
      await console.type("put a\nput b\nput c")
      await console.press(.up)
      #expect(console.line == "put b")
      await console.press(.up)
      await console.press(.up)
      #expect(console.line == "put a")
      await console.press(.down)
      await console.press(.down)
      #expect(console.line == "put c")
    }
  }

  @Test func `tab completes a word, or lists what it could be`() async throws {
    try await talk { console in
      await console.type("th\t")
      #expect(console.line == "think ")
      #expect(console.candidates == [])
      await console.press(.control("u"))
      await console.type("p\t")
      #expect(console.line == "p")
      #expect(console.candidates == ["put", "ponder"])
    }
  }

  @Test func `what is typed while no line is read is read later`() async throws {
    try await talk { console in
      await console.type("think\nput a cup\n")
      #expect(!console.isReading)
      #expect(console.rows == [])
      await console.advance(by: .seconds(10))
      #expect(console.isReading)
      #expect(console.rows.prefix(2) == ["a thought", "a cup"])
    }
  }

  @Test func `ctrl-C cancels a command that waits, and drops what was typed ahead`() async throws {
    try await talk { console in
      await console.type("think\nput a cup\n")
      await console.press(.ctrlC)
      #expect(console.errors == ["warning: cancelled 'think'"])
      #expect(console.isReading)
      await console.advance(by: .seconds(20))
      #expect(console.rows == [])
    }
  }

  @Test func `ctrl-C drops a line`() async throws {
    try await talk { console in
      await console.type("ponder\nput a\u{3}")
      #expect(console.line == "")
      #expect(console.errors == [])
      await console.press(.ctrlC)
      #expect(console.errors == ["warning: cancelled 'ponder'"])
    }
  }

  @Test func `a paste is text until Enter, and then each of its lines`() async throws {
    try await talk { console in
      await console.paste("put a\nput b\n")
      #expect(console.rows == [])
      #expect(console.line == "put a\nput b\n")
      await console.press(.enter)
      #expect(console.rows.prefix(2) == ["a", "b"])
      #expect(console.picture == "0 > put a\nput a\n1 > put b\n2 > \na\nb\nput b")
    }
  }

  @Test func `quitting waits for work, and says so`() async throws {
    try await talk { console in
      await console.type("ponder\n")
      await console.press(.ctrlD)
      #expect(console.exitStatus == nil)
      await console.advance(by: .seconds(1))
      #expect(console.said == ["waiting for what was begun; quit again to leave at once"])
      await console.advance(by: .seconds(10))
      #expect(console.exitStatus == 0)
    }
  }

  @Test func `an effect that fails is printed once`() async throws {
    try await talk { console in
      await console.type("fail\n")
      #expect(console.errors == ["error: the work failed: it broke"])
    }
  }

  @Test func `a pipe prints reports, answers and failures, and its exit status is 1`() async throws
  {
    try await talk(at: .pipe) { console in
      await console.type("put a cup\nfail\ncount\nprut\nput a pl")
      await console.type("ate")
      await console.end()
      #expect(
        console.said == [
          "1 things", "error: the work failed: it broke", "there are 1",
          "error: unknown command 'prut'; did you mean 'put'? ('help' lists all)", "2 things",
        ])
      #expect(console.errors.count == 2)
      #expect(console.exitStatus == 1)
    }
  }

  @Test func `a pipe that is all done ends with 0`() async throws {
    try await talk(at: .pipe, isJSON: true) { console in
      await console.type("put a cup\nput a plate\ncount\n")
      await console.end()
      #expect(console.said.last == "{\"answer\":\"there are 2\"}")
      #expect(console.exitStatus == 0)
    }
  }

  @Test func `a smaller window has fewer rows`() async throws {
    try await talk { console in
      for number in 1...30 { await console.type("put \(number)\n") }
      #expect(console.rows.count == 18)
      await console.resize(columns: 40, rows: 10)
      #expect(console.rows.count == 6)
      #expect(console.rows.dropLast().last == "30")
      await console.resize(columns: 40, rows: 5)
      #expect(console.rows == [])
    }
  }

  @Test func `a terminal that cannot paint prints messages as lines`() async throws {
    try await talk(at: .terminal(canPaint: false)) { console in
      await console.type("put a cup\n")
      #expect(console.rows == [])
      #expect(console.said == ["put a cup"])
    }
  }

  @Test func `any order of the console's work leads to the same`() async throws {
    try await simulate(seeds: 0..<30) { simulation in
      let screen = PileScreen(reactor: Pile(clock: simulation.clock))
      let console = await TestConsole(screen, in: simulation)
      await console.type("put a\nthink\nput b\ncount\n")
      await console.advance(by: .seconds(10))
      #expect(console.rows == ["a", "a thought", "b", "there are 3"])
      await console.type("quit\n")
      await console.advance(by: .seconds(1))
      #expect(console.exitStatus == 0)
    }
  }

  @Test func `two consoles are open at once`() async throws {
    try await simulate { simulation in
      let pile = Pile(clock: simulation.clock)
      let one = await TestConsole(PileScreen(reactor: pile), in: simulation)
      let other = await TestConsole(PileScreen(reactor: pile), in: simulation)
      await one.type("put a cup\n")
      await other.settle()
      #expect(other.rows.first == "a cup")
    }
  }
}
