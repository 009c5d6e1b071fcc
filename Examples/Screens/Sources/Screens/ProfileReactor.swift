import Reactor

/// The reactor of the screens: a profile, a counter and a list of rows of several kinds.
actor ProfileReactor: Reactor {
  /// What a screen sends.
  enum Action: Sendable { case setName(String), increase, loadMore, closeAdvertisement }

  /// One row of the list; each kind has a cell of its own.
  enum Row: Identifiable, Hashable, Sendable {
    case header(String)
    case advertisement
    case repository(Int, name: String)
    case loadMore

    /// What makes two rows the same row, whatever they show.
    enum ID: Hashable, Sendable { case header, advertisement, repository(Int), loadMore }

    var id: ID {
      switch self {
      case .header: .header
      case .advertisement: .advertisement
      case .repository(let id, _): .repository(id)
      case .loadMore: .loadMore
      }
    }
  }

  /// What a screen shows.
  struct State: Equatable, Sendable {
    var name = ""
    var count = 0
    var repositories: [String] = []
    var showsAdvertisement = true

    /// All rows, made anew from the rest of the state.
    var rows: [Row] {
      [.header("\(repositories.count) repositories")]
        + (showsAdvertisement ? [.advertisement] : [])
        + repositories.enumerated().map { .repository($0.offset, name: $0.element) }
        + [.loadMore]
    }
  }

  let initialState = State()
  let pipeline = Pipeline()

  init() {}

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .setName(let name): state.name = name
    case .increase: state.count += 1
    case .loadMore:
      let count = state.repositories.count
      state.repositories += (count..<count + 20).map { "repository \($0)" }
    case .closeAdvertisement: state.showsAdvertisement = false
    }
  }
}
