import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorHummingbird

/// Answers that are kept for keys of requests cost in proportion to their number.
@Suite(.bounded) struct AnswerGrowthTests {
  @Test(arguments: [16, Int.max])
  func `answers that are kept, and sent once more`(limit: Int) async throws {
    let growth = try await Growth.of(100) { count in
      let book = AnswerBook(ActionOptions(answerLimit: limit, clock: HandClock()))
      let kept = KeptAnswer(result: .success(try ActionAnswer(1)), isFinal: true)
      for number in 0..<count {
        let key = AnswerBook.Key(scope: "", key: "\(number)")
        for _ in 1...2 { _ = try await book.answer(to: key, 1, within: nil) { kept } }
      }
      #expect(book.count <= min(count, limit))
    }
    #expect(growth < Growth.most)
  }
}
