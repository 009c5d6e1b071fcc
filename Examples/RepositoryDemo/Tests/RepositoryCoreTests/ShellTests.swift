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
      let toast = await bench.shell.currentState.toast
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
        #expect(await bench.shell.currentState.toast == toast)
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
      let toast = await bench.shell.currentState.toast
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
      #expect(await bench.shell.currentState.toast?.text == "two is no favourite any more.")
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
      let toast = await bench.shell.currentState.toast
      #expect(toast?.text == "That is too long ago to be taken back.")
      await bench.shell.send(.undo(3)).settled
      #expect(try await !bench.starred.contains("number-3"))
    }
  }

  @Test func `notices are shown one after the other`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.shell.screens.settings.send(.setNotices(true)).settled
      await simulation.advance(by: .seconds(5))
      for text in ["one", "two"] { bench.shell.send(.notice(text)) }
      for text in ["one", "two"] {
        await simulation.settle()
        #expect(await bench.shell.currentState.toast?.text == text)
        await simulation.advance(by: .seconds(4))
      }
      #expect(await bench.shell.currentState.toast == nil)
    }
  }

  @Test func `an answer is shown before a notice`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.shell.screens.settings.send(.setNotices(true)).settled
      await simulation.advance(by: .seconds(5))
      bench.shell.send(.notice("one"))
      await simulation.advance(by: .seconds(1))
      bench.shell.send(.say(.init("two")))
      await simulation.settle()
      #expect(await bench.shell.currentState.toast?.text == "two")
      await simulation.advance(by: .seconds(4))
      #expect(await bench.shell.currentState.toast == nil)
    }
  }

  @Test func `a newer answer replaces the older at once`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      for text in ["one", "two", "three"] {
        bench.shell.send(.say(.init(text)))
        await simulation.settle()
        #expect(await bench.shell.currentState.toast?.text == text)
        await simulation.advance(by: .seconds(1))
      }
      await simulation.advance(by: .seconds(3))
      #expect(await bench.shell.currentState.toast == nil)
    }
  }

  @Test func `a session without a subscription gets no notices`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      bench.shell.send(.notice("one"))
      await simulation.settle()
      #expect(await bench.shell.currentState.toast == nil)
    }
  }

  @Test func `a change of the settings is acknowledged`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.shell.send(.setReachable(true)).settled  // it has started to observe the settings
      await bench.shell.screens.settings.send(.setTheme(.dark)).settled
      await simulation.settle()
      #expect(await bench.shell.currentState.toast?.text == "The colours are saved.")
    }
  }

  @Test func `the advertisement hides itself after a visit`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.shell.send(.visit(.settings)).settled
      #expect(await bench.shell.currentState.showsAdvertisement)
      await bench.shell.send(.visit(.catalogue)).settled
      #expect(await !bench.shell.currentState.showsAdvertisement)
    }
  }

  @Test func `starting over leads to the state of a first visit`() async throws {
    try await simulate { simulation in
      let shell = try await SessionBench(simulation).shell
      let list = shell.screens.list
      list.send(.search("swift"))
      await simulation.advance(by: .seconds(1))
      #expect(await list.currentState.rows == StandIn.page("swift", 1).items)
      await shell.send(.visit(.catalogue)).settled
      shell.send(.startOver)
      await simulation.settle()
      #expect(await list.currentState.showsPlaceholders)
      #expect(await shell.currentState.showsAdvertisement)
      await simulation.advance(by: .seconds(1))
      #expect(await list.currentState.rows == StandIn.page("", 1).items)
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
