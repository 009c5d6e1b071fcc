import Reactor
import ReactorTesting
import Testing
import TestLimits

/// Tests of reactors that were not finished.
@Suite(.bounded) struct FinishingTests {
  @Test func `a test that was not finished fails at the line where it began`() async {
    let line = #line + 3
    let issues = await issues {
      try await simulate { simulation in
        let test = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
        await test.send(.say)
        await test.receiveOutput(.found(7))
      }
    }
    #expect(
      issues == [
        RecordedIssue(
          text: "this test of SearchReactor was not finished after send(say), so what was left "
            + "was not checked; end it with 'await test.finish()'", line: line)
      ])
  }

  @Test func `a test without a step fails, too`() async {
    #expect(
      await texts { try await search { _ in } } == [
        "this test of SearchReactor was not finished, so what was left was not checked; "
          + "end it with 'await test.finish()'"
      ])
  }

  @Test func `a test that went on after it was finished fails, too`() async {
    let texts = await texts {
      try await search { test in
        await test.finish()
        await test.advance(by: .seconds(1))
      }
    }
    #expect(
      texts == [
        "this test of SearchReactor was not finished after advance(by: 1.0 seconds), so "
          + "what was left was not checked; end it with 'await test.finish()'"
      ])
  }

  @Test func `what came after it was finished is checked`() async {
    let texts = await texts {
      try await search { test in
        await test.send(.nothing)
        await test.finish()
        test.reactor.send(.say)
      }
    }
    #expect(
      texts == [
        "output 'found(7)' came after send(nothing), and was not received before the "
          + "scenario's end; use receiveOutput"
      ])
  }

  @Test func `each of several has to be finished`() async {
    let texts = await texts {
      try await simulate { simulation in
        let first = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
        let second = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
        await first.send(.nothing)
        await second.finish()
      }
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("was not finished after send(nothing)") == true)
  }

  @Test func `a relaxed test need not be finished`() async throws {
    try await search(.relaxed) { await $0.send(.say) }
  }

  @Test func `a scenario that has thrown reports nothing more`() async {
    let texts = await texts {
      try await search { test in
        await test.send(.say)
        throw Oops()
      }
    }
    #expect(texts == ["Oops()"])
  }

  @Test func `a scenario that was stuck reports nothing more`() async {
    let texts = await texts {
      try await search { test in await test.reactor.send(.wait).settled }
    }
    #expect(
      texts == [
        "the scenario waits, and nothing in it can run before the clock is advanced: "
          + "1 asleep, the first for 60.0 seconds; call advance(by:)"
      ])
  }

  @Test func `a scenario that was cancelled reports nothing more`() async {
    let texts = await texts {
      try await search { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    #expect(texts == [])
  }
}
