package import Reactor
package import ReactorComposition
import ReactorJournal

/// One user's account: a hash of the password, never the password.
///
/// A name that nobody has yet becomes whose who asks for a new account by it first.
package actor AccountReactor: JournaledReactor, LanedReactor {
  package typealias Registry = ReactorRegistry<String, AccountReactor>

  package enum Action: Sendable {
    /// Answered with the epoch that a cookie is good for.
    case logIn(password: String, isNew: Bool, Reply<Int>)
    /// The cookies of one login are worth nothing any more.
    case logOut(login: String)
    case logOutEverywhere
  }

  package enum Mutation: Sendable, Equatable, Codable {
    case opened(hash: String)
    case loggedOut(login: String)
    case loggedOutEverywhere
  }

  package struct State: Sendable, Equatable, Codable {
    var hash: String?
    /// Which cookies are good: those of this number.
    package var epoch = 1
    /// The logins of this epoch that are over; `nil` in what was kept before there were any.
    var ended: [String]?

    /// Whether somebody is still logged in who has logged in as this one.
    package func isGood(_ user: LoginReactor.User, _ login: String) -> Bool {
      user.epoch == epoch && ended?.contains(login) != true
    }
  }

  /// How many logins are known to be over; then all of them are.
  package static let limit = 200

  package enum Refusal: ExpectedError { case wrongPassword, noAccount }

  package static let journalName = "account"
  package static let journalVersion = 1
  package static let initialState = State()
  nonisolated package let pipeline: Pipeline
  private let passwords: any PasswordHashing

  package init(user: String, passwords: any PasswordHashing) {
    self.passwords = passwords
    pipeline = Pipeline(named: user)
  }

  /// One at a time, and few who wait: whoever guesses passwords gets slow answers, then none.
  package func lane(for action: Action) -> Lane? {
    if case .logIn = action {
      .sequential("door", waitingLimit: 5)
    } else {
      nil
    }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .logOutEverywhere: return .just(.loggedOutEverywhere)
    case .logOut(let login): return .just(.loggedOut(login: login))
    case .logIn(let password, let isNew, let reply):
      return .run { [passwords] emit in
        if let hash = self.currentState.hash {
          guard await passwords.isRight(password, for: hash) else { throw Refusal.wrongPassword }
        } else {
          guard isNew else { throw Refusal.noAccount }
          await emit(.opened(hash: try await passwords.hash(password)))
          try await emit.durable()
        }
        reply(self.currentState.epoch)
      }
    }
  }

  package static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .opened(let hash): state.hash = hash
    case .loggedOut(let login) where (state.ended?.count ?? 0) < limit:
      state.ended = (state.ended ?? []) + [login]
    case .loggedOut, .loggedOutEverywhere: (state.epoch, state.ended) = (state.epoch + 1, nil)
    }
  }
}
