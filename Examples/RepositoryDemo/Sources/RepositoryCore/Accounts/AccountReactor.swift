package import Reactor
import ReactorJournal

/// One user's account: a hash of the password, never the password.
///
/// A name that nobody has yet becomes whose who logs in by it first.
package actor AccountReactor: JournaledReactor, LanedReactor {
  package typealias Registry = ReactorRegistry<String, AccountReactor>

  package enum Action: Sendable {
    /// Answered with the epoch that a cookie is good for.
    case logIn(password: String, Reply<Int>)
    case logOutEverywhere
  }

  package enum Mutation: Sendable, Equatable, Codable {
    case opened(hash: String)
    case loggedOutEverywhere
  }

  package struct State: Sendable, Equatable, Codable {
    var hash: String?
    /// Which cookies are good: those of this number.
    package var epoch = 1
  }

  package enum Refusal: ExpectedError { case wrongPassword }

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
      .sequential("door", waiting: .atMost(5, whenFull: .refuse))
    } else {
      nil
    }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .logOutEverywhere: return .just(.loggedOutEverywhere)
    case .logIn(let password, let reply):
      return .run { [passwords] emit in
        if let hash = self.currentState.hash {
          guard await passwords.isRight(password, for: hash) else { throw Refusal.wrongPassword }
        } else {
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
    case .loggedOutEverywhere: state.epoch += 1
    }
  }
}
