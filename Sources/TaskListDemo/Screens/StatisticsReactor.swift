import Reactor
import TaskStore

/// The numbers of open and done tasks by section, updated live.
actor StatisticsReactor: LanedReactor, MutationTransforming {
  enum Action: Sendable, Equatable { case refresh }

  enum Mutation: Sendable, Equatable {
    case show(TaskPage)
    case fail(String)
  }

  /// The state that a screen shows.
  struct State: Sendable, Equatable {
    var sections: [TaskSection] = []
    /// The revision of the database that this shows.
    var revision: Int64 = -1
    /// Whether the sections have not been read yet.
    var isLoading = true
    /// Reports why the sections could not be read; fires once for each.
    @Pulse var failure: String?

    var openCount: Int { sections.reduce(0) { $0 + $1.openCount } }
    var doneCount: Int { sections.reduce(0) { $0 + $1.doneCount } }
  }

  let initialState = State()
  let pipeline = Pipeline()
  let service: any TaskService

  init(service: any TaskService) { self.service = service }

  func lane(for action: Action) -> Lane? { .latest("refresh") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    .run { emit in await emit(self.count()) }
  }

  /// Changes by other screens and programs are counted as well.
  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(service.events().compactMap { [weak self] _ in await self?.count() })
  }

  func reduce(state: inout State, mutation: Mutation) {
    state.isLoading = false
    switch mutation {
    case .show(let page):
      // A page that was read earlier may arrive later.
      guard page.revision >= state.revision else { return }
      (state.sections, state.revision) = (page.sections, page.revision)
    case .fail(let reason): state.failure = reason
    }
  }

  private func count() async -> Mutation {
    do throws(TaskError) {
      return .show(try await service.page(TaskQuery(), from: 0, limit: 0))
    } catch {
      return .fail(error.description)
    }
  }
}
