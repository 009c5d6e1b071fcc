import OpenCombine
import Reactor

// The samples of the page *Publishers and observables*.

/// A user.
package struct User: Equatable, Sendable {
  package var name: String

  package init(name: String) { self.name = name }
}

/// A service that is written with publishers.
package protocol UserService: Sendable {
  /// One user, or an error.
  func user(_ id: Int) -> AnyPublisher<User, any Error>
  /// The user at each change, from elsewhere.
  var changes: AnyPublisher<User, Never> { get }
}

/// Loads a user.
package actor UserReactor: Reactor {
  /// What a view sends.
  package enum Action: Sendable { case load(Int), rename(String) }
  /// What changes.
  package enum Mutation: Sendable { case loaded(User), failed(String) }

  /// What a view shows.
  package struct State: Equatable, Sendable {
    package var user: User?
    package var error: String?
  }

  package let initialState = State()
  package let pipeline = Pipeline()
  private let service: any UserService

  package init(service: any UserService) { self.service = service }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .load(let id):
      .run { emit in
        do {
          for try await user in self.service.user(id).throwingElements() {
            await emit(.loaded(user))
          }
        } catch {
          await emit(.failed("\(error)"))
        }
      }
    case .rename(let name): .just(.loaded(User(name: name)))
    }
  }

  package func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(service.changes.elements().map { Mutation.loaded($0) })
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .loaded(let user): state = State(user: user)
    case .failed(let error): state.error = error
    }
  }
}

/// A view that is written with publishers.
@MainActor
package final class UserView {
  package let names = PassthroughSubject<String, Never>()
  private var cancellables: Set<AnyCancellable> = []
  private var renaming: ActionFeed?

  package init() {}

  /// Shows the user of a reactor.
  package func bind(_ reactor: UserReactor, shown: @escaping @Sendable (String) -> Void) {
    renaming = reactor.send(contentsOf: names.elements().map { .rename($0) })
    reactor.state.select(\.user).publisher
      .compactMap { @Sendable in $0?.name }
      .sink { @Sendable in shown($0) }
      .store(in: &cancellables)
  }
}

/// Renames the user as messages arrive, until they end or fail.
package func follow(
  _ messages: AsyncThrowingStream<String, any Error>, with reactor: UserReactor
) async {
  let feed = reactor.send(contentsOf: messages.map { .rename($0) }) { _ in .rename("offline") }
  if case .failed(let error) = await feed.end { print(error) }
}

/// Renames the user as a publisher says, until it ends or the task is cancelled.
package func follow(_ names: some Publisher<String, Never>, with reactor: UserReactor) async {
  for await name in names.elements() { reactor.send(.rename(name)) }
}
