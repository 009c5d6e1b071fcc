package import Reactor
package import ReactorComposition
import ReactorJournal

/// One user's account: a hash of the password, never the password.
///
/// An unused name belongs to the first user to request a new account with it.
package actor AccountReactor: JournaledReactor, LanedReactor {
  package typealias Registry = ReactorRegistry<String, AccountReactor>

  package enum Action: Sendable {
    /// The reply is the epoch for which a cookie is valid.
    case logIn(password: String, isNew: Bool, Reply<Int>)
    /// Invalidates the cookies of one login.
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
    /// The epoch of valid cookies.
    package var epoch = 1
    /// The ended logins of this epoch; `nil` in journals from before logins could end separately.
    var ended: [String]?

    /// Whether a cookie's user is still logged in.
    package func isGood(_ user: LoginReactor.User, _ login: String) -> Bool {
      user.epoch == epoch && ended?.contains(login) != true
    }
  }

  /// How many ended logins are stored; after that, all logins of the epoch end.
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

  /// One login at a time, and few may wait: guesses of passwords get slow answers, and then none.
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
