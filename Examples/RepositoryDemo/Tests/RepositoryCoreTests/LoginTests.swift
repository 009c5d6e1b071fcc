import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import RepositoryCore
import Testing

/// A password in the clear: hashing has tests of its own.
private struct PlainPasswords: PasswordHashing {
  func hash(_ password: String) async throws -> String { "plain:\(password)" }
  func isRight(_ password: String, for hash: String) async -> Bool { hash == "plain:\(password)" }
}

/// A session's reactors, over journals in memory.
private struct Bench: Sendable {
  let accounts: AccountReactor.Registry
  let favourites: FavouritesReactor.Registry
  let shell: ShellReactor

  var login: LoginReactor { shell.screens.login }

  init(_ simulation: Simulation) async throws {
    let journal = try await Journal(.inMemory)
    accounts = AccountReactor.Registry(idle: nil) { user in
      try await journal.open(user) { AccountReactor(user: user, passwords: PlainPasswords()) }
    }
    favourites = FavouritesReactor.Registry(idle: nil) { user in
      try await journal.open(user) { FavouritesReactor(user: user) }
    }
    let screens = Screens(
      list: RepositoriesReactor(StandIn(simulation.clock), clock: simulation.clock),
      login: LoginReactor(session: "one", accounts: accounts) { _ in }, settings: SettingsReactor())
    shell = ShellReactor(screens, favourites: favourites, clock: simulation.clock)
  }

  func logIn(_ password: String = "difference") async {
    _ = try? await login.ask { .logIn(name: "ada", password: password, $0) }
  }

  var starred: [String] {
    get async throws {
      try await favourites.with("ada") { await $0.currentState.favourites.map(\.id.name) }
    }
  }
}

@Suite struct LoginTests {
  @Test func `a name that nobody has becomes whose who comes first`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.logIn()
      #expect(await bench.login.currentState.user == .init(name: "ada", epoch: 1))
      #expect(await bench.login.currentState.generation == 1)
    }
  }

  @Test func `with a wrong password nobody is logged in`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.logIn()
      await bench.login.send(.logOut).settled
      await bench.logIn("analytical")
      #expect(await bench.login.currentState.user == nil)
      #expect(await bench.login.currentState.failure == .wrong)
    }
  }

  @Test(arguments: [("A", "difference"), ("ada", "short"), ("ada; drop", "difference")])
  func `what cannot be right is said before anybody is asked`(
    name: String, password: String
  ) async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await #expect(throws: LoginReactor.Failure.self) {
        try await bench.login.ask { .logIn(name: name, password: password, $0) }
      }
      #expect(await bench.login.currentState.failure != nil)
      #expect(bench.accounts.count == 0)
    }
  }

  @Test func `whoever asks is told what came of their own password`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      let mine = try await bench.login.ask { .logIn(name: "ada", password: "difference", $0) }
      #expect(mine.user == .init(name: "ada", epoch: 1))
      await #expect(throws: LoginReactor.Failure.wrong) {
        try await bench.login.ask { .logIn(name: "ada", password: "analytical", $0) }
      }
      #expect(await bench.login.currentState.user == mine.user)
    }
  }

  @Test func `of two who log in at the same time the one who came last does`() async throws {
    for seed in 1...50 {
      try await simulate(seed: UInt64(seed)) { simulation in
        let bench = try await Bench(simulation)
        let names = ["ada", "bob"]
        let answers = names.map { name in
          Task(executorPreference: simulation.executor) {
            try await bench.login.ask { .logIn(name: name, password: "difference", $0) }
          }
        }
        var users: [LoginReactor.User?] = []
        for answer in answers { users.append(try? await answer.value.user) }
        // Nobody is told of another one's login.
        for (name, user) in zip(names, users) { #expect(user == nil || user?.name == name) }
        let now = await bench.login.currentState.user
        #expect(now != nil)
        #expect(users.contains(now))
      }
    }
  }

  @Test func `logging out makes the cookies of that login worthless, and no others`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.logIn()
      let user = try #require(await bench.login.currentState.user)
      await bench.login.send(.logOut).settled
      let account = try await bench.accounts.with("ada") { await $0.currentState }
      #expect(!account.isGood(user, "one.1"))
      #expect(account.isGood(user, "other.1"))
    }
  }

  @Test func `after more logouts than are remembered everybody is logged out`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.logIn()
      let user = try #require(await bench.login.currentState.user)
      for number in 0...AccountReactor.limit {
        _ = try await bench.accounts["ada"].outcome(of: .logOut(login: "\(number)"))
      }
      let account = try await bench.accounts.with("ada") { await $0.currentState }
      #expect(!account.isGood(user, "never-seen"))
    }
  }

  @Test func `a session that was made anew goes on with a login from before`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      let user = LoginReactor.User(name: "ada", epoch: 1)
      await bench.login.send(.resume(user, generation: 3)).settled
      #expect(await bench.login.currentState.user == user)
      #expect(await bench.login.currentState.generation == 3)
      // A cookie from before this login is not.
      await bench.login.send(.resume(.init(name: "bob", epoch: 1), generation: 2)).settled
      #expect(await bench.login.currentState.user == user)
    }
  }

  @Test func `logging out everywhere makes older cookies worthless`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.logIn()
      await bench.login.send(.logOutEverywhere).settled
      #expect(await bench.login.currentState.user == nil)
      #expect(try await bench.accounts.with("ada") { await $0.currentState.epoch } == 2)
    }
  }
}

@Suite struct ShellTests {
  @Test func `a star without a login waits for one, and is given then`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      bench.shell.send(.favour(one("a/one")))
      await simulation.settle()
      #expect(await bench.shell.currentState.waitsForLogin == one("a/one").id)

      await bench.logIn()
      await simulation.settle()
      #expect(await bench.shell.currentState.waitsForLogin == nil)
      #expect(try await bench.starred == ["one"])
      #expect(await bench.shell.currentState.toast == .init("Added one.", canUndo: true))
    }
  }

  @Test func `a star that was not followed by a login is forgotten`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      bench.shell.send(.favour(one("a/one")))
      await simulation.advance(by: .seconds(600))
      #expect(await bench.shell.currentState.waitsForLogin == nil)
      await bench.logIn()
      #expect(try await bench.starred == [])
    }
  }

  @Test func `what was done can be taken back`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.logIn()
      await bench.shell.send(.favour(one("a/one"))).settled
      await bench.shell.send(.undo).settled
      #expect(try await bench.starred == [])
    }
  }

  @Test func `notices come one after the other`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      bench.shell.send(.notice("one"))
      bench.shell.send(.say(.init("two")))
      for text in ["one", "two"] {
        await simulation.settle()
        #expect(await bench.shell.currentState.toast?.text == text)
        await simulation.advance(by: .seconds(4))
      }
      #expect(await bench.shell.currentState.toast == nil)
    }
  }

  @Test func `whoever wants no notices gets none`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.shell.screens.settings.send(.setNotices(false)).settled
      await simulation.advance(by: .seconds(5))
      bench.shell.send(.notice("one"))
      await simulation.settle()
      #expect(await bench.shell.currentState.toast == nil)
    }
  }

  @Test func `what the settings acknowledge is said`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.shell.send(.setReachable(true)).settled  // it has begun to listen
      await bench.shell.screens.settings.send(.setTheme(.dark)).settled
      await simulation.settle()
      #expect(await bench.shell.currentState.toast?.text == "The colours are saved.")
    }
  }

  @Test func `the advertisement hides itself after a visit`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      await bench.shell.send(.visit(.settings)).settled
      #expect(await bench.shell.currentState.showsAdvertisement)
      await bench.shell.send(.visit(.catalogue)).settled
      #expect(await !bench.shell.currentState.showsAdvertisement)
    }
  }

  @Test func `at the end nothing is waited for`() async throws {
    try await simulate { simulation in
      let bench = try await Bench(simulation)
      bench.shell.send(.say(.init("one")))
      bench.shell.send(.favour(one("a/one")))
      await simulation.settle()
      await bench.shell.send(.close).settled
      await bench.shell.stop(.drain).settled
      #expect(await bench.shell.currentState.isClosing)
    }
  }
}

@Suite struct PasswordTests {
  @Test func `a hash fits its password alone, and is another one each time`() async throws {
    let scrypt = Scrypt(rounds: 16)
    let hash = try await scrypt.hash("difference")
    #expect(await scrypt.isRight("difference", for: hash))
    #expect(await !scrypt.isRight("analytical", for: hash))
    #expect(await !scrypt.isRight("difference", for: "damaged"))
    #expect(try await scrypt.hash("difference") != hash)
    #expect(!hash.contains("difference"))
  }
}
