import Foundation
import Reactor
import ReactorComposition
import ReactorJournal
import ReactorTesting
import RepositoryCore

/// The date of all favourites.
let day = Date(timeIntervalSince1970: 86_400)

/// Stores passwords in plain text: hashing has tests of its own.
private struct PlainPasswords: PasswordHashing {
  func hash(_ password: String) async throws -> String { "plain:\(password)" }
  func isRight(_ password: String, for hash: String) async -> Bool { hash == "plain:\(password)" }
}

/// The reactors of one session, with journals in memory.
struct SessionBench: Sendable {
  let accounts: AccountReactor.Registry
  let favourites: FavouritesReactor.Registry
  let shell: ShellReactor
  let github: StandIn
  private let simulation: Simulation

  var login: LoginReactor { shell.screens.login }
  var lists: ListsReactor { shell.screens.lists }
  var router: RouterReactor { shell.screens.router }

  init(_ simulation: Simulation) async throws {
    let journal = try await Journal(.inMemory)
    accounts = AccountReactor.Registry(idle: nil) { user in
      try await journal.open(user) { AccountReactor(user: user, passwords: PlainPasswords()) }
    }
    favourites = FavouritesReactor.Registry(idle: nil) { user in
      try await journal.open(user) { FavouritesReactor(user: user) { day } }
    }
    let login = LoginReactor(session: "one", accounts: accounts) { _ in }
    let github = StandIn(simulation.clock)
    shell = ShellReactor.launched(
      Screens(github, login: login, clock: simulation.clock), favourites: favourites,
      clock: simulation.clock)
    (self.github, self.simulation) = (github, simulation)
  }

  /// Broadcasts an action to the screens of the session, and lets them do what needs no time.
  func broadcast(_ action: AppAction) async {
    shell.screens.app.send(action)
    await simulation.settle()
  }

  func logIn(_ password: String = "difference", isNew: Bool = true) async {
    _ = try? await login.ask { .logIn(name: "ada", password: password, isNew: isNew, $0) }
  }

  var starred: [String] {
    get async throws {
      try await favourites.with("ada") { await $0.currentState.favourites.map(\.id.name) }
    }
  }
}
