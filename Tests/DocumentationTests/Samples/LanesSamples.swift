import Reactor

// Short samples of the page Lanes: compiled, and not run.

private enum LanesSamples {
  actor NotesReactor: LanedReactor {
    enum Action { case search(String), save, rename(String), toggle(Int), clear }

    let initialState = 0
    let pipeline = Pipeline()
    let clock = ContinuousClock()

    func lane(for action: Action) -> Lane? {
      switch action {
      case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
      case .save, .rename: .sequential("disk")
      case .toggle(let id): .leading(id)
      default: nil
      }
    }

    func reduce(state: inout Int, mutation: Action) {}
  }
}
