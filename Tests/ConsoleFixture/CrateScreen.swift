import Reactor
import ReactorREPL

/// A crate whose states are long reports, with work that cannot be cancelled.
actor Crate: Reactor {
  enum Action {
    case fill
    /// An effect sleeps for an hour, unless it is cancelled.
    case doze
    /// An effect waits for a line on descriptor 3, also if it is cancelled.
    case stay
  }

  enum Mutation { case put }

  struct State { var cups = 0 }

  let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .fill: .run { emit in for _ in 0..<500 { await emit(.put) } }
    case .doze:
      .run { emit in
        await emit(.put)
        try await Task.sleep(for: .seconds(3_600))
      }
    case .stay:
      .run { emit in
        await emit(.put)
        await Shelf.lineOnDescriptor3()
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) { state.cups += 1 }
}

struct CrateScreen: Screen {
  enum Command: ShellCommand {
    case doze, stay, fill, pass

    static let table = CommandTable<Self>([
      CommandSpec("doze", summary: "sleep for an hour") { .doze },
      CommandSpec("stay", summary: "wait for a signal, and cancel nothing") { .stay },
      CommandSpec("fill", summary: "put many cups, and say how many") { .fill },
      CommandSpec("pass", summary: "put many cups, and open another crate") { .pass },
    ])
  }

  let reactor = Crate()

  func perform(_ command: Command) async throws -> ScreenStep<Crate> {
    switch command {
    case .doze: return .background(reactor.send(.doze))
    case .stay: return .wait(reactor.send(.stay))
    case .fill:
      await reactor.send(.fill).settled
      return .answer("there are \(await reactor.currentState.cups)")
    case .pass:
      await reactor.send(.fill).settled
      return .open(CrateScreen())
    }
  }

  func prompt(of state: Crate.State) -> String { "\(state.cups) > " }

  func rows(of state: Crate.State, columns: Int, height: Int) -> [StyledText] {
    [RowBuilder.row("\(state.cups) cups", columns: columns)]
  }

  /// The lines of all states do not fit into the buffer of a pipe.
  func report(of state: Crate.State, after last: Crate.State?) -> [String] {
    ["\(state.cups) cups" + String(repeating: ".", count: 2_000)]
  }
}
