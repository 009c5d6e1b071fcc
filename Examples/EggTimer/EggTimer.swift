import Foundation
import Reactor
import ReactorREPL

actor EggTimer: LanedReactor {
  enum Action { case start(Int), stop }
  enum Mutation { case left(Int), ring }
  struct State {
    var left = 0
    @Pulse var news: String?
  }

  let initialState = State()
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? { .latest("clock") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    guard case .start(let seconds) = action else { return .just(.left(0)) }
    return .run { emit in
      for left in (1...seconds).reversed() {
        await emit(.left(left))
        try await Task.sleep(for: .seconds(1))
      }
      await emit(.ring)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .left(let seconds): state.left = seconds
    case .ring: (state.left, state.news) = (0, "the eggs are done")
    }
  }
}

struct TimerScreen: Screen {
  let reactor = EggTimer()
  let commands = CommandTable<EggTimer.Action>([
    CommandSpec(
      "start", .number("SECONDS", in: 1...3_600), summary: "count down", example: "start 270"
    ) { .start($0) },
    CommandSpec("stop", summary: "stop counting") { .stop },
  ])
  var notices: [NoticePulse<EggTimer.State>] { [.outcome(\.$news)] }
  func prompt(of state: EggTimer.State) -> String { state.left > 0 ? "\(state.left) s > " : "> " }
}

@main enum Program {
  static func main() async {
    exit(await ReactorConsole(history: "egg-timer").run(TimerScreen()))
  }
}
