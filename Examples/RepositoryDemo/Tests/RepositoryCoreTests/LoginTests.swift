import Reactor
import ReactorComposition
import ReactorTesting
import RepositoryCore
import Testing

@Suite(.timeLimit(.minutes(2))) struct LoginTests {
  @Test func `an unknown name becomes an account only if a new one is requested`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn(isNew: false)
      #expect(await bench.login.currentState.failure == .unknown)
      #expect(await bench.login.currentState.name == "ada")
      await bench.logIn()
      #expect(await bench.login.currentState.name == "")
      #expect(await bench.login.currentState.user == .init(name: "ada", epoch: 1))
      #expect(await bench.login.currentState.generation == 1)
    }
  }

  @Test func `a wrong password logs no user in`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      await bench.login.send(.logOut).settled
      for (isNew, failure) in [(false, LoginReactor.Failure.wrong), (true, .taken)] {
        await bench.logIn("analytical", isNew: isNew)
        #expect(await bench.login.currentState.user == nil)
        #expect(await bench.login.currentState.failure == failure)
      }
    }
  }

  @Test(arguments: [("A", "difference"), ("ada", "short"), ("ada; drop", "difference")])
  func `an invalid name or password is refused before any account is read`(
    name: String, password: String
  ) async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await #expect(throws: LoginReactor.Failure.self) {
        try await bench.login.ask { .logIn(name: name, password: password, $0) }
      }
      #expect(await bench.login.currentState.failure != nil)
      #expect(bench.accounts.count == 0)
    }
  }

  @Test func `an ask of the login gets the result for its own password`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      let mine = try await bench.login.ask {
        .logIn(name: "ada", password: "difference", isNew: true, $0)
      }
      #expect(mine.user == .init(name: "ada", epoch: 1))
      await #expect(throws: LoginReactor.Failure.wrong) {
        try await bench.login.ask { .logIn(name: "ada", password: "analytical", $0) }
      }
      #expect(await bench.login.currentState.user == mine.user)
    }
  }

  @Test func `of two concurrent logins the last one is in effect`() async throws {
    for seed in 1...50 {
      try await simulate(seed: UInt64(seed)) { simulation in
        let bench = try await SessionBench(simulation)
        let names = ["ada", "bob"]
        let answers = names.map { name in
          Task(executorPreference: simulation.executor) {
            try await bench.login.ask {
              .logIn(name: name, password: "difference", isNew: true, $0)
            }
          }
        }
        var users: [LoginReactor.User?] = []
        for answer in answers { users.append(try? await answer.value.user) }
        // No ask gets the result of another one's login.
        for (name, user) in zip(names, users) { #expect(user == nil || user?.name == name) }
        let now = await bench.login.currentState.user
        #expect(now != nil)
        #expect(users.contains(now))
      }
    }
  }

  @Test func `logging out invalidates the cookies of that login, and no others`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      let user = try #require(await bench.login.currentState.user)
      await bench.login.send(.logOut).settled
      let account = try await bench.accounts.with("ada") { await $0.currentState }
      #expect(!account.isGood(user, "one.1"))
      #expect(account.isGood(user, "other.1"))
    }
  }

  @Test func `more logouts than the account keeps log every session out`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      let user = try #require(await bench.login.currentState.user)
      for number in 0...AccountReactor.limit {
        _ = try await bench.accounts["ada"].outcome(of: .logOut(login: "\(number)"))
      }
      let account = try await bench.accounts.with("ada") { await $0.currentState }
      #expect(!account.isGood(user, "never-seen"))
    }
  }

  @Test func `a session that is created again keeps an earlier login`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      let user = LoginReactor.User(name: "ada", epoch: 1)
      await bench.login.send(.resume(user, generation: 3)).settled
      #expect(await bench.login.currentState.user == user)
      #expect(await bench.login.currentState.generation == 3)
      // A cookie from before this login is ignored.
      await bench.login.send(.resume(.init(name: "bob", epoch: 1), generation: 2)).settled
      #expect(await bench.login.currentState.user == user)
    }
  }

  @Test func `logging out everywhere invalidates older cookies`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      await bench.login.send(.logOutEverywhere).settled
      #expect(await bench.login.currentState.user == nil)
      #expect(try await bench.accounts.with("ada") { await $0.currentState.epoch } == 2)
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct PasswordTests {
  @Test func `a hash matches its password alone, and differs each time`() async throws {
    let scrypt = Scrypt(rounds: 16)
    let hash = try await scrypt.hash("difference")
    #expect(await scrypt.isRight("difference", for: hash))
    #expect(await !scrypt.isRight("analytical", for: hash))
    #expect(await !scrypt.isRight("difference", for: "damaged"))
    #expect(try await scrypt.hash("difference") != hash)
    #expect(!hash.contains("difference"))
  }
}
