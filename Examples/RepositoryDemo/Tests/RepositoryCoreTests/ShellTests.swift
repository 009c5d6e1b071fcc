import Reactor
import ReactorTesting
import RepositoryCore
import Testing

@Suite struct ShellTests {
  @Test func `a star without a login waits for one, and is given then`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
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
      let bench = try await SessionBench(simulation)
      bench.shell.send(.favour(one("a/one")))
      await simulation.advance(by: .seconds(600))
      #expect(await bench.shell.currentState.waitsForLogin == nil)
      await bench.logIn()
      #expect(try await bench.starred == [])
    }
  }

  @Test func `what was done can be taken back`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.logIn()
      await bench.shell.send(.favour(one("a/one"))).settled
      await bench.shell.send(.undo).settled
      #expect(try await bench.starred == [])
    }
  }

  @Test func `notices come one after the other`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
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
      let bench = try await SessionBench(simulation)
      await bench.shell.screens.settings.send(.setNotices(false)).settled
      await simulation.advance(by: .seconds(5))
      bench.shell.send(.notice("one"))
      await simulation.settle()
      #expect(await bench.shell.currentState.toast == nil)
    }
  }

  @Test func `what the settings acknowledge is said`() async throws {
    try await simulate { simulation in
      let bench = try await SessionBench(simulation)
      await bench.shell.send(.setReachable(true)).settled  // it has begun to listen
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
