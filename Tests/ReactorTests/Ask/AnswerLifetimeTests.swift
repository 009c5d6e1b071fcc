import Reactor
import TestLimits
import TestSupport
import Testing

/// How long an answer lives.
@Suite(.bounded) struct AnswerLifetimeTests {
  @Test func `copies of the reply do not keep the answer`() async throws {
    let lender = Lender()
    weak var loan: Loan?
    do {
      let answer = try await lender.ask { .lend($0) }
      loan = answer
      #expect(loan != nil)
    }
    #expect(loan == nil)
    #expect(lender.kept.count == 1)
  }
}

private final class Loan: Sendable {}

private actor Lender: Reactor {
  enum Action: Sendable { case lend(Reply<Loan>) }
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  nonisolated let kept = Log<Reply<Loan>>()

  func mutate(action: Action) -> MutationStream<Int> {
    let reply =
      switch action {
      case .lend(let reply): reply
      }
    kept.append(reply)
    return .run { _ in
      await Task.yield()
      reply(Loan())
    }
  }

  func reduce(state: inout Int, mutation: Int) {}
}
