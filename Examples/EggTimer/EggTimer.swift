import Foundation
import Reactor
import ReactorREPL

actor EggTimer: LanedReactor {
  enum Action { case start(Int), count(Int), stop }
  enum Mutation { case left(Int), ring }
  struct State {
    var left = 0
    @Pulse var news: String?
  }

  let initialState = State()
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? {
    if case .start = action { nil } else { .latest("clock") }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .start(let seconds):
      send(.count(seconds))  // long work is an action of its own: the next line waits for this one
      return .empty
    case .count(let seconds):
      return .run { emit in
        for left in (1...seconds).reversed() {
          await emit(.left(left))
          try await Task.sleep(for: .seconds(1))
        }
        await emit(.ring)
      }
    case .stop: return .just(.left(0))
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

  // For a pipe, which receives no notices.
  func report(of state: EggTimer.State, after last: EggTimer.State?) -> [String] {
    guard let last, state.$news.isNewer(than: last.$news) else { return [] }
    return [state.news].compactMap(\.self)
  }
}

@main enum Program {
  @MainActor static func main() async throws {
    StandardDescriptors.reserve()  // on the main thread, before there are others
    let screen = TimerScreen()
    switch CommandLine.arguments.dropFirst() {
    case []: exit(await ReactorConsole(history: "egg-timer").run(screen))
    case ["--help"], ["-h"]:
      let commands = try screen.commands.withHelpAndQuit.help(about: nil)
      Outlet.standard().print("EggTimer counts down. Its commands, one a line:\n\n\(commands)")
    default:
      Outlet.standard().printFailure("EggTimer takes no arguments; type 'help' when it runs")
      exit(64)
    }
  }
}
