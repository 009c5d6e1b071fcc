package import Reactor

/// Who uses this session, if it is known.
package actor LoginReactor: LanedReactor {
  package struct User: Sendable, Hashable {
    package var name: String
    /// The account's, when it was logged in to.
    package var epoch: Int

    package init(name: String, epoch: Int) { (self.name, self.epoch) = (name, epoch) }
  }

  package enum Action: Sendable, Equatable {
    case logIn(name: String, password: String)
    /// Others wait for this one.
    case loggedIn(User)
    case logOut
    /// Here and wherever else this user is logged in.
    case logOutEverywhere
    /// Somebody has; this session goes, too, if it is that user's.
    case loggedOutEverywhere(User)
  }

  package enum Mutation: Sendable, Equatable {
    case began
    case failed(Failure)
    case setUser(User?)
  }

  package enum Failure: Sendable, Equatable {
    case name, password, wrong, busy
  }

  package struct State: Sendable, Equatable {
    package var user: User?
    package var isWorking = false
    package var failure: Failure?
    /// Counts who has been logged in and out: a cookie from before is not good any more.
    package var generation: Int

    package init(user: User? = nil, generation: Int = 0) {
      (self.user, self.generation) = (user, generation)
    }
  }

  nonisolated package let initialState: State
  nonisolated package let pipeline = Pipeline()
  private let accounts: AccountReactor.Registry
  private let everywhere: @Sendable (User) -> Void

  /// - Parameters:
  ///   - user: Who a cookie says it is.
  ///   - generation: The cookie's.
  ///   - accounts: The accounts.
  ///   - everywhere: Tells the other sessions of that user.
  package init(
    user: User? = nil, generation: Int = 0, accounts: AccountReactor.Registry,
    everywhere: @escaping @Sendable (User) -> Void
  ) {
    (self.accounts, self.everywhere) = (accounts, everywhere)
    initialState = State(user: user, generation: generation)
  }

  package func lane(for action: Action) -> Lane? {
    if case .logIn = action { .leading("login") } else { nil }
  }

  package func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .logIn(let name, let password):
      if let failure = Self.check(name, password) { return .just(.failed(failure)) }
      return .run { [accounts] emit in
        await emit(.began)
        do {
          let epoch = try await accounts[name].ask { .logIn(password: password, $0) }
          self.send(.loggedIn(User(name: name, epoch: epoch)))
        } catch AccountReactor.Refusal.wrongPassword {
          await emit(.failed(.wrong))
        } catch {
          await emit(.failed(.busy))
        }
      }
    case .loggedIn(let user): return .just(.setUser(user))
    case .logOut: return .just(.setUser(nil))
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
    case .failed(let failure): (state.isWorking, state.failure) = (false, failure)
    case .setUser(let user):
      (state.isWorking, state.failure) = (false, nil)
      if state.user != user { state.generation += 1 }
      state.user = user
    }
  }

  /// What is wrong with them before anybody is asked.
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
