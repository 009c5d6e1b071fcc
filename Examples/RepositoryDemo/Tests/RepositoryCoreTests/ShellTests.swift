import Reactor
import ReactorComposition
import ReactorTesting
import RepositoryCore
import Testing

@Suite(.timeLimit(.minutes(2))) struct ShellTests {
  @Test func `a star without a login is pending, and is given after the login`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.shell.send(.favour(one("a/one")))
      await simulation.settle()
      #expect(await bench.shell.currentState.waitsForLogin == [one("a/one").id])

      await bench.logIn()
      await simulation.settle()
      #expect(await bench.shell.currentState.waitsForLogin == [])
      #expect(try await bench.starred == ["one"])
      let toast = await bench.shell.currentState.answer
      #expect(toast == .init("Added one.", undo: .init(.remove(one("a/one").id), of: "ada")))
    }
  }

  @Test func `two stars given at once count as two`() async throws {
    try await simulate(seeds: 1...50) { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      let receipts = ["a/one", "a/two"].map { bench.shell.send(.favour(one($0))) }
      for receipt in receipts { await receipt.settled }
      try #require(try await Set(bench.starred) == ["one", "two"])
    }
  }

  @Test func `every pending star is given after the login`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      for name in ["a/one", "a/two", "a/one"] { bench.shell.send(.favour(one(name))) }
      await simulation.settle()
      #expect(await bench.shell.currentState.waitsForLogin.map(\.name) == ["one", "two"])
      await bench.logIn()
      await simulation.settle()
      #expect(try await Set(bench.starred) == ["one", "two"])
      #expect(await bench.shell.currentState.waitsForLogin == [])
    }
  }

  @Test func `more stars than can be pending are refused, not forgotten`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      let receipts = (0..<41).map { bench.shell.send(.favour(one("a/number-\($0)"))) }
      await simulation.settle()
      #expect(receipts.map { $0.refusal != nil } == (0..<41).map { $0 == 40 })
    }
  }

  @Test func `a star that changes nothing is not reported as a change`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      let starred = FavouritesReactor.Favourite(one("a/one"), since: day)
      let (again, none) = ("one is a favourite already.", "one is no favourite any more.")
      let steps: [(ShellReactor.Action, ShellReactor.Toast)] = [
        (
          .favour(one("a/one")),
          .init("Added one.", undo: .init(.remove(one("a/one").id), of: "ada"))
        ),
        (.favour(one("a/one")), .init(again)),
        (
          .unfavour(one("a/one").id),
          .init("Removed one.", undo: .init(.putBack(starred), of: "ada"))
        ),
        (.unfavour(one("a/one").id), .init(none)),
      ]
      for (action, toast) in steps {
        await bench.shell.send(action).settled
        await simulation.settle()
        #expect(await bench.shell.currentState.answer == toast)
      }
    }
  }

  @Test func `a star beyond the limit is refused with the reason`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      for number in 0..<FavouritesReactor.limit {
        _ = try await bench.favourites["ada"].outcome(of: .add(one("a/number-\(number)")))
      }
      await bench.shell.send(.favour(one("a/one"))).settled
      await simulation.settle()
      let toast = await bench.shell.currentState.answer
      #expect(toast == .init("There is room for 500 favourites. Remove one first."))
      #expect(try await !bench.starred.contains("one"))
    }
  }

  @Test func `a pending star without a login is forgotten`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.shell.send(.favour(one("a/one")))
      await simulation.advance(by: .seconds(600))
      #expect(await bench.shell.currentState.waitsForLogin == [])
      await bench.logIn()
      #expect(try await bench.starred == [])
    }
  }

  @Test func `the last change can be undone`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      await bench.shell.send(.favour(one("a/one"))).settled
      await bench.shell.send(.undoLast).settled
      #expect(try await bench.starred == [])
    }
  }

  @Test func `an undo reverts what its answer named, whatever came after it`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      for name in ["a/one", "a/two", "a/three"] {
        await bench.shell.send(.favour(one(name))).settled
        await simulation.settle()
      }
      await bench.shell.send(.undo(2)).settled
      #expect(try await bench.starred == ["three", "one"])
      await bench.shell.send(.unfavour(one("a/one").id)).settled
      await simulation.settle()
      let number = await bench.shell.currentState.answers
      await bench.shell.send(.favour(one("a/two"))).settled
      await bench.shell.send(.undo(number)).settled
      #expect(try await Set(bench.starred) == ["one", "two", "three"])
    }
  }

  @Test func `an undo that is sent twice reverts one change`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      for name in ["a/one", "a/two"] {
        await bench.shell.send(.favour(one(name))).settled
        await simulation.settle()
      }
      for _ in 1...2 { await bench.shell.send(.undo(2)).settled }
      await simulation.settle()
      #expect(try await bench.starred == ["one"])
      #expect(await bench.shell.currentState.answer?.text == "two is no favourite any more.")
    }
  }

  @Test func `the newest of all changes can be undone by name`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      for number in 1...ShellReactor.State.undoLimit + 1 {
        await bench.shell.send(.favour(one("a/number-\(number)"))).settled
        await simulation.settle()
      }
      await bench.shell.send(.undo(1)).settled
      await simulation.settle()
      #expect(try await bench.starred.count == ShellReactor.State.undoLimit + 1)
      let toast = await bench.shell.currentState.answer
      #expect(toast?.text == "That is too long ago to be taken back.")
      await bench.shell.send(.undo(3)).settled
      #expect(try await !bench.starred.contains("number-3"))
    }
  }

  @Test func `a newer answer replaces the older at once`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      for text in ["one", "two", "three"] {
        bench.shell.send(.say(.init(text)))
        await simulation.settle()
        #expect(await bench.shell.currentState.answer?.text == text)
        await simulation.advance(by: .seconds(1))
      }
      await simulation.advance(by: .seconds(3))
      #expect(await bench.shell.currentState.answer == nil)
    }
  }

  @Test func `a change of the settings is acknowledged`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.shell.send(.setReachable(true)).settled  // it has started to observe the settings
      await bench.shell.screens.settings.send(.setTheme(.dark)).settled
      await simulation.settle()
      #expect(await bench.shell.currentState.answer?.text == "The colours are saved.")
    }
  }

  @Test func `starting over leads to the state of a first visit`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      let (shell, lists) = (bench.shell, bench.lists)
      await bench.logIn()
      let visitor = Visitor(user: "ada", generation: 1)
      await bench.broadcast(.visitor(visitor))
      lists.send(.list(.everything, .search("swift")))
      await simulation.advance(by: .seconds(1))
      #expect(
        await lists.currentState.everything.repositories == StandIn.page("swift", 1).items)
      await bench.broadcast(.opened(.advertisement))
      await bench.broadcast(.announcement(Announcement(id: 1, text: "one")))
      await simulation.settle()
      #expect(await lists.currentState.announcements.count == 1)

      shell.send(.startOver)
      await simulation.settle()
      let state = await lists.currentState
      #expect(state.everything.showsPlaceholders)
      #expect(state.hasAdvertisement)
      #expect(state.announcements == [])
      // The visitor is still logged in.
      #expect(state.visitor == visitor)
      await simulation.advance(by: .seconds(1))
      #expect(await lists.currentState.everything.repositories == StandIn.page("", 1).items)
    }
  }

  @Test func `at the end nothing is waited for`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.shell.send(.say(.init("one")))
      bench.shell.send(.favour(one("a/one")))
      await simulation.settle()
      await bench.shell.send(.close).settled
      await bench.shell.stop(.drain).settled
      #expect(await bench.shell.currentState.isClosing)
    }
  }
}
