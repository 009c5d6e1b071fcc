package import Reactor
import ReactorComposition

/// The login of one session.
package actor LoginReactor: LanedReactor {
  package struct User: Sendable, Hashable {
    package var name: String
    /// The epoch of the account at the login.
    package var epoch: Int

    package init(name: String, epoch: Int) { (self.name, self.epoch) = (name, epoch) }
  }

  package enum Action: Sendable, Equatable {
    /// The reply is the state after the login, or an error.
    ///
    /// A name without an account gets one if `isNew` is true.
    case logIn(name: String, password: String, isNew: Bool = false, Reply<State>)
    /// Other reactors wait for this action.
    case loggedIn(User)
    /// Restores a login from a cookie.
    case resume(User, generation: Int)
    case logOut
    /// Logs this user out of all sessions.
    case logOutEverywhere
    /// A user has logged out everywhere; this session logs out as well if it belongs to that user.
    case loggedOutEverywhere(User)
  }

  package enum Mutation: Sendable, Equatable {
    case began
    case failed(Failure, name: String)
    case setUser(User?)
    case resumed(User, generation: Int)
  }

  package enum Failure: ExpectedError, Equatable, CaseIterable {
    case name, password, wrong, unknown, taken, busy
  }

  package struct State: Sendable, Equatable {
    package var user: User?
    package var isWorking = false
    package var failure: Failure?
    /// The name of a failed login, to be shown again.
    package var name = ""
    /// Counts logins and logouts: cookies of an earlier generation are invalid.
    package var generation: Int

    package init(user: User? = nil, generation: Int = 0) {
      (self.user, self.generation) = (user, generation)
    }
  }

  nonisolated package let initialState: State
  nonisolated package let pipeline = Pipeline()
  private let session: String
  private let accounts: AccountReactor.Registry
  private let everywhere: @Sendable (User) -> Void

  /// - Parameters:
  ///   - session: The session's identifier.
  ///   - user: The user in the cookie.
  ///   - generation: The generation in the cookie.
  ///   - accounts: The accounts.
  ///   - everywhere: Notifies the other sessions of that user.
  package init(
    session: String = "", user: User? = nil, generation: Int = 0,
    accounts: AccountReactor.Registry, everywhere: @escaping @Sendable (User) -> Void
  ) {
    (self.session, self.accounts, self.everywhere) = (session, accounts, everywhere)
    initialState = State(user: user, generation: generation)
  }

  package func lane(for action: Action) -> Lane? {
    if case .logIn = action { .latest("login") } else { nil }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .logIn(let name, let password, let isNew, let reply):
      return logIn(name, password, isNew, reply)
    case .loggedIn(let user): return .just(.setUser(user))
    case .resume(let user, let generation):
      return currentState.generation < generation
        ? .just(.resumed(user, generation: generation)) : .empty
    case .logOut:
      guard let user = currentState.user else { return .just(.setUser(nil)) }
      let login = "\(session).\(currentState.generation)"
      return .run { [accounts] emit in
        await emit(.setUser(nil))
        _ = try await accounts[user.name].outcome(of: .logOut(login: login))
      }
    case .logOutEverywhere:
      guard let user = currentState.user else { return .empty }
      return .run { [accounts, everywhere] emit in
        if try await accounts[user.name].outcome(of: .logOutEverywhere).isFinished {
          await emit(.setUser(nil))
          everywhere(user)
        }
      }
    case .loggedOutEverywhere(let user):
      guard let mine = currentState.user, mine.name == user.name, mine.epoch <= user.epoch else {
        return .empty
      }
      return .just(.setUser(nil))
    }
  }

  package func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .began: (state.isWorking, state.failure) = (true, nil)
    case .failed(let failure, let name):
      (state.isWorking, state.failure, state.name) = (false, failure, name)
    case .setUser(let user):
      (state.isWorking, state.failure, state.name) = (false, nil, "")
      if state.user != user { state.generation += 1 }
      state.user = user
    case .resumed(let user, let generation):
      (state.user, state.generation, state.failure) = (user, generation, nil)
    }
  }

  private func logIn(
    _ name: String, _ password: String, _ isNew: Bool, _ reply: Reply<State>
  ) -> MutationStream<Mutation> {
    .run { [accounts] emit in
      do {
        if let failure = Self.check(name, password) { throw failure }
        await emit(.began)
        let epoch = try await accounts[name].ask {
          .logIn(password: password, isNew: isNew, $0)
        }
        let user = User(name: name, epoch: epoch)
        await self.send(.loggedIn(user)).settled
        let state = self.currentState
        // Unless another login or logout happened in between.
        if state.user == user { reply(state) }
      } catch {
        let failure =
          switch error {
          case let failure as Failure: failure
          case AccountReactor.Refusal.wrongPassword: isNew ? Failure.taken : .wrong
          case AccountReactor.Refusal.noAccount: Failure.unknown
          default: Failure.busy
          }
        await emit(.failed(failure, name: String(name.prefix(30))))
        throw failure
      }
    }
  }

  /// Validates a name and a password before the account is used.
  static func check(_ name: String, _ password: String) -> Failure? {
    let isName =
      (2...30).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
    if !isName { return .name }
    return (8...200).contains(password.utf8.count) ? nil : .password
  }
}

extension LoginReactor: AppScreen {
  package static func action(for action: AppAction) -> Action? {
    switch action {
    case .loggedOutEverywhere(let user): .loggedOutEverywhere(user)
    case .launched, .visitor, .opened, .pressed, .favourite, .unfavourite, .favouriteEnded,
      .announcement, .reachable, .closing:
      nil
    }
  }
}
