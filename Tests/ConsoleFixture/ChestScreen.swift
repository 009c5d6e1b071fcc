import Reactor
import ReactorREPL

/// A chest whose hook holds each action until there is a line on descriptor 3.
actor Chest: Reactor {
  enum Action { case lock }
  typealias Mutation = Action
  struct State { var isLocked = false }

  let initialState = State()
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Action, Never> {
    action.filter { _ in
      await Shelf.lineOnDescriptor3()
      return true
    }
  }

  func reduce(state: inout State, mutation: Mutation) { state.isLocked = true }
}

struct ChestScreen: Screen {
  let reactor = Chest()
  let commands = CommandTable<Chest.Action>([
    CommandSpec("lock", summary: "lock the chest") { .lock }
  ])

  func perform(_ command: Chest.Action) async -> ScreenStep<Chest> {
    .background(reactor.send(command))
  }

  func prompt(of state: Chest.State) -> String { "0 > " }
}
