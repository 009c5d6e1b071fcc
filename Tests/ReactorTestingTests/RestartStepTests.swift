import Reactor
import ReactorTesting
import Testing
import TestLimits

/// A restart in a test of a reactor: the state it begins with is a step.
@Suite(.bounded) struct RestartStepTests {
  private func search(
    _ body: @escaping @Sendable (ReactorTest<SearchReactor>) async -> Void
  ) async throws {
    try await ReactorTestingTests.search { test in
      await test.send(.set("s")) { $0.query = "s" }
      await body(test)
      await test.finish()
    }
  }

  @Test func `the state after a restart is received`() async throws {
    try await search { test in
      await test.reactor.restart(from: .init(query: "again"))
      await test.receiveRestart { $0.query = "again" }
      await test.send(.set("t")) { $0.query = "t" }
    }
  }

  @Test func `a restart that changes nothing need not be received`() async throws {
    try await search { test in
      await test.reactor.restart()
      await test.send(.set("t")) { $0.query = "t" }
      await test.reactor.restart()
      await test.receiveRestart()
    }
  }

  @Test func `another state than expected`() async {
    let texts = await texts {
      try await search { test in
        await test.reactor.restart(from: .init(query: "again"))
        await test.receiveRestart { $0.query = "t" }
      }
    }
    #expect(
      texts == [
        """
        the state differs from the expected one; expected (-), actual (+):

          SearchReactor.State(
        -   query: "t",
        +   query: "again",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  @Test func `a restart that was not received, before another step`() async {
    let texts = await texts {
      try await search { test in
        await test.reactor.restart(from: .init(query: "again"))
        test.reactor.send(.set("t"))
        await test.receive { $0.query = "t" }
      }
    }
    #expect(
      texts == [
        """
        the reactor began again after send(set("s")), with another state, and that was not received before \
        receive; use receiveRestart:

          SearchReactor.State(
        -   query: "s",
        +   query: "again",
            isLoading: false,
            results: []
          )
        """
      ])
  }

  @Test func `a change before the restart that was not received`() async {
    let texts = await texts {
      try await search { test in
        test.reactor.send(.set("t"))
        await test.reactor.restart(from: .init())
        await test.receiveRestart { $0.query = "" }
      }
    }
    #expect(texts.count == 1)
    #expect(
      texts.first?.hasPrefix(
        #"mutation 'setQuery("t")' came after send(set("s")), and was not received before "#
          + "receiveRestart; receive it:") == true)
  }

  @Test func `no restart`() async {
    let texts = await texts { try await search { await $0.receiveRestart() } }
    #expect(
      texts == [
        "the reactor has not begun again; restart it before, or remove this receiveRestart"
      ])
  }
}
