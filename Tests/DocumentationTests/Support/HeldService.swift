import Reactor
import ReactorRuntime
import TestSupport

/// A service that answers each question when the test lets it.
///
/// Holds: `gates` and `failures`, each guarded by its own lock.
final class HeldService: Sendable {
  /// What has been asked, in order.
  let questions = Log<String>()
  private let gates = Guarded<[String: Gate]>([:])
  private let failures: Guarded<Int>

  /// - Parameter failures: How many questions fail at once before the first is answered.
  init(failing failures: Int = 0) { self.failures = Guarded(failures) }

  /// Waits until the test releases the answer, which is the question.
  func get(_ question: String) async throws -> String {
    questions.append(question)
    let number = failures.withLock { failures in
      failures -= 1
      return failures
    }
    if number >= 0 { throw Failure(number: number) }
    try await gate(question).wait()
    return question
  }

  /// Waits until so many questions have been asked; effects that overlap ask in any order.
  func asked(_ count: Int) async -> [String] { await questions.entries(upTo: count).sorted() }

  /// Lets these questions be answered, those still to come as well.
  func answer(_ questions: String...) {
    for question in questions { gate(question).open() }
  }

  private func gate(_ question: String) -> Gate {
    gates.withLock { gates in
      if let gate = gates[question] { return gate }
      let gate = Gate()
      gates[question] = gate
      return gate
    }
  }
}
