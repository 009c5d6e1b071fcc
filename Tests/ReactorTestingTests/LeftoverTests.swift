import Reactor
import ReactorTesting
import Testing
import TestLimits

/// What a test of a reactor has left unasserted, and what that says.
@Suite(.bounded) struct LeftoverTests {
  // MARK: What was not received

  @Test func `a mutation that was not received`() async {
    let texts = await searchFailures { test in
      await test.send(.later)
      await test.advance(by: .seconds(1))
    }
    #expect(
      texts == [
        """
        mutation 'setLoading(true)' came after advance(by: 1.0 seconds), and was not received before \
        finish(); receive it:

          SearchReactor.State(
            query: "",
        -   isLoading: false,
        +   isLoading: true,
            results: []
          )
        """
      ])
  }

  @Test func `an output that was not received`() async {
    #expect(
      await searchFailures { await $0.send(.say) } == [
        "output 'found(7)' came after send(say), and was not received before finish(); "
          + "use receiveOutput"
      ])
  }

  @Test func `a report that was not received`() async {
    #expect(
      await searchFailures { await $0.send(.fail) } == [
        "it was reported after send(fail), and was not received before finish(); "
          + "use receiveReport: SearchReactor#n: the effect of action 0 'fail' failed: Oops"
      ])
  }

  @Test func `mutations before the first step`() async {
    let texts = await searchFailures { test in
      test.reactor.send(.set("s"))
      await test.send(.nothing)
    }
    #expect(
      texts == [
        """
        mutation 'setQuery("s")' came at the start, and was not received before send(nothing); receive \
        it:

          SearchReactor.State(
        -   query: "",
        +   query: "s",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  @Test func `what a relaxed test skips is not a failure, and is shown on request`() async throws {
    let body: @Sendable (ReactorTest<SearchReactor>) async -> Void = { test in
      await test.send(.say)
      await test.finish()
    }
    #expect(try await reports { try await search(.relaxed, body) } == [])
    #expect(
      try await reports { try await search(.relaxed(showsSkipped: true), body) } == [
        "output 'found(7)' came after send(say), and was not received before finish(); "
          + "use receiveOutput"
      ])
    try await search(.relaxed(showsSkipped: true), body)
  }

  @Test func `a relaxed test does not receive a mutation that it has skipped`() async {
    let texts = await searchFailures(.relaxed) { test in
      await test.send(.type("s"))
      await test.advance(by: .seconds(1))
      await test.receive(.setResults(["s!"]))
      await test.receive(.setLoading(true))
    }
    #expect(
      texts == [
        "nothing more has changed the state, and nothing sleeps on the simulation's clock; "
          + "give the reactor that clock, or remove this receive"
      ])
  }

  @Test func `mutations skipped by receive are shown on request`() async throws {
    let texts = try await reports {
      try await search(.relaxed(showsSkipped: true)) { test in
        test.reactor.send(.set("a"))
        test.reactor.send(.set("b"))
        await test.receive(.setQuery("b"))
      }
    }
    #expect(
      texts == [
        """
        mutation 'setQuery("a")' came at the start, and was not received before receive; receive it:

          SearchReactor.State(
        -   query: "",
        +   query: "a",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  // MARK: What has not ended

  @Test func `an effect that still runs`() async {
    #expect(
      await searchFailures { await $0.send(.wait) } == [
        "the work of 'wait' has not ended; advance the clock, cancel it, or stop the "
          + "reactor before finish()"
      ])
  }

  @Test func `an action that waits in a lane`() async {
    #expect(
      await searchFailures { await $0.send(.type("s")) { $0.query = "s" } } == [
        #"the work of 'find("s")' has not ended; advance the clock, cancel it, or stop the "#
          + #"reactor "#
          + "before finish()"
      ])
  }
}
