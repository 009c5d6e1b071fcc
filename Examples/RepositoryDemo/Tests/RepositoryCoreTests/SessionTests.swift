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
      login: LoginReactor(accounts: accounts) { _ in }, settings: SettingsReactor())
    shell = ShellReactor(screens, favourites: favourites, clock: simulation.clock)
  }

  func logIn(_ password: String = "difference") async {
    await login.sendTracked(.logIn(name: "ada", password: password)).settled
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
      await bench.login.send(.logIn(name: name, password: password)).settled
      #expect(await bench.login.currentState.failure != nil)
      #expect(bench.accounts.count == 0)
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
