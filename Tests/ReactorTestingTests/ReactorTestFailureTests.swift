import Reactor
import ReactorTesting
import Testing
import TestLimits

/// What fails a test of a reactor, and what it says.
@Suite(.bounded) struct ReactorTestFailureTests {
  // MARK: States

  @Test func `a change that was not expected`() async {
    #expect(
      await searchFailures { await $0.send(.set("s")) } == [
        """
        the state changed unexpectedly; state the change in a closure:

          SearchReactor.State(
        -   query: "",
        +   query: "s",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  @Test func `another change than expected`() async {
    #expect(
      await searchFailures { await $0.send(.set("s")) { $0.query = "t" } } == [
        """
        the state differs from the expected one; expected (-), actual (+):

          SearchReactor.State(
        -   query: "t",
        +   query: "s",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  @Test func `a change that did not happen`() async {
    #expect(
      await searchFailures { await $0.send(.nothing) { $0.query = "t" } } == [
        """
        the state differs from the expected one; expected (-), actual (+):

          SearchReactor.State(
        -   query: "t",
        +   query: "",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  @Test func `a closure that throws`() async {
    #expect(
      await searchFailures { await $0.send(.nothing) { _ in throw Oops() } } == [
        "the expected change threw: Oops()"
      ])
  }

  @Test func `a relaxed test fails where an assertion is wrong`() async {
    #expect(
      await searchFailures(.relaxed) { await $0.send(.set("s")) { $0.query = "t" } } == [
        """
        the state differs from the expected one; expected (-), actual (+):

          SearchReactor.State(
        -   query: "t",
        +   query: "s",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  // MARK: What was to be received

  @Test func `another mutation than expected`() async {
    let texts = await searchFailures { test in
      await test.send(.later)
      await test.advance(by: .seconds(1))
      await test.receive(.setLoading(false)) { $0.isLoading = true }
    }
    #expect(
      texts == [
        """
        another mutation came than expected:

        - SearchReactor.Mutation.setLoading(false)
        + SearchReactor.Mutation.setLoading(true)
        """
      ])
  }

  @Test func `nothing more to receive`() async {
    #expect(
      await searchFailures { await $0.receive { $0.isLoading = true } } == [
        "nothing more has changed the state, and nothing sleeps on the simulation's clock; "
          + "give the reactor that clock, or remove this receive"
      ])
  }

  @Test func `nothing to receive before the clock is advanced`() async {
    let texts = await searchFailures { test in
      await test.send(.type("s")) { $0.query = "s" }
      await test.receive { $0.isLoading = true }
    }
    #expect(
      texts.first
        == "nothing more has changed the state; advance the clock, or remove this receive")
  }

  @Test func `a reactor on another clock`() async {
    let texts = await texts {
      try await simulate { simulation in
        let reactor = SearchReactor(clock: StillClock())
        let test = await ReactorTest(reactor, in: simulation)
        await test.send(.type("s")) { $0.query = "s" }
        await test.advance(by: .milliseconds(300))
        await test.finish()
      }
    }
    #expect(
      texts == [
        "the work of 'find(\"s\")' has not ended, and nothing sleeps on the simulation's clock; "
          + "give the reactor that clock, cancel it, or stop the reactor before finish()"
      ])
  }

  @Test func `another output than expected, and none`() async {
    let texts = await searchFailures { test in
      await test.send(.say)
      await test.receiveOutput(.found(8))
      await test.receiveOutput(.found(9))
    }
    #expect(
      texts == [
        """
        another output came than expected:

        - SearchReactor.Output.found(8)
        + SearchReactor.Output.found(7)
        """,
        "no output followed; remove this receiveOutput",
      ])
  }

  @Test func `another report than expected, and none`() async {
    let texts = await searchFailures { test in
      await test.send(.fail)
      await test.receiveReport { $0.isRoutine }
      await test.receiveReport()
    }
    #expect(
      texts == [
        "another report came than expected: "
          + "SearchReactor#n: the effect of action 0 'fail' failed: Oops",
        "nothing more was reported; remove this receiveReport",
      ])
  }

  // MARK: Where, and in which order

  @Test func `it fails at the line that caused it`() async {
    let line = #line + 3
    let issues = await issues {
      try await search { test in
        await test.send(.say)
        await test.finish()
      }
    }
    #expect(issues.map(\.line) == [line])
  }

  @Test func `a failure names the seed`() async {
    let texts = await searchFailures(seed: 7) { await $0.receiveReport() }
    #expect(
      texts == [
        """
        nothing more was reported; remove this receiveReport

        This is the order of seed 7; among several, REACTOR_SEED=7 runs it alone.
        """
      ])
  }
}

/// A clock on which time never passes.
private struct StillClock: Clock {
  let now = ContinuousClock.now

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
    try Task.checkCancellation()
  }
}
