package import Foundation
package import Reactor
package import ReactorComposition
import ReactorJournal

/// The repositories that one user has starred: journaled, and shown by every screen of that user.
package actor FavouritesReactor: JournaledReactor, UndoableReactor {
  package typealias Registry = ReactorRegistry<String, FavouritesReactor>

  package enum Action: Sendable, Equatable {
    case add(Repository)
    case remove(RepositoryID)
    /// Restores a removed favourite at its position.
    case putBack(Favourite)

    /// The repository that the action concerns.
    package var id: RepositoryID {
      switch self {
      case .add(let repository): repository.id
      case .remove(let id): id
      case .putBack(let favourite): favourite.id
      }
    }
  }

  package enum Mutation: Sendable, Equatable, Codable {
    case added(Favourite)
    case removed(RepositoryID)
  }

  package struct Favourite: Sendable, Hashable, Codable, Identifiable {
    package var repository: Repository
    package var since: Date
    package var id: RepositoryID { repository.id }

    package init(_ repository: Repository, since: Date) {
      (self.repository, self.since) = (repository, since)
    }
  }

  package struct State: Sendable, Equatable, Codable {
    /// The newest first.
    package var favourites: [Favourite] = []
    /// The number of changes so far, which tells an older state from a newer one; `nil` in journals
    /// from before it was counted.
    package var changes: Int?

    package init() {}

    package func contains(_ id: RepositoryID) -> Bool { favourites.contains { $0.id == id } }
  }

  /// Why an action changes nothing.
  package enum Refusal: ExpectedError, Equatable { case isThere, isNotThere, isFull }

  /// More than a user would read; it limits what one user can make the service store.
  package static let limit = 500

  package static let journalName = "favourites"
  package static let journalVersion = 1
  package static let initialState = State()
  nonisolated package let pipeline: Pipeline
  private let now: @Sendable () -> Date

  package init(user: String, now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
    pipeline = Pipeline(named: user, inboxLimit: 100)
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let repository): return add(Favourite(repository, since: now()))
    case .putBack(let favourite): return add(favourite)
    case .remove(let id):
      return currentState.contains(id) ? .just(.removed(id)) : refuse(.isNotThere)
    }
  }

  private func add(_ favourite: Favourite) -> MutationStream<Mutation> {
    if currentState.contains(favourite.id) { return refuse(.isThere) }
    if currentState.favourites.count >= Self.limit { return refuse(.isFull) }
    return .just(.added(favourite))
  }

  private func refuse(_ refusal: Refusal) -> MutationStream<Mutation> {
    .run { _ in throw refusal }
  }

  package static func reduce(state: inout State, mutation: Mutation) {
    state.changes = (state.changes ?? 0) + 1
    switch mutation {
    case .added(let one):
      let place = state.favourites.firstIndex { $0.since <= one.since } ?? state.favourites.endIndex
      state.favourites.insert(one, at: place)
    case .removed(let id): state.favourites.removeAll { $0.id == id }
    }
  }

  package static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
    switch mutation {
    case .added(let one): .removed(one.id)
    case .removed(let id): before.favourites.first { $0.id == id }.map { .added($0) }
    }
  }
}
