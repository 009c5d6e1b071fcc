import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// How actions ended, asked for once they have.
@Suite(.bounded) struct LateOutcomeTests {
  @Test func `an outcome can be read late, again and again`() async {
    let reactor = LanedReactor(script: { _, _ in .run { _ in throw Failure() } }) { _, _ in nil }
    let receipts = (0..<16).map { _ in reactor.send(1) }
    for receipt in receipts { await receipt.settled }
    for _ in 0..<3 {
      for receipt in receipts { #expect(await receipt.outcome.text == "failed") }
    }
    await reactor.send(1).settled
    #expect(await receipts[0].outcome.text == "forgotten")
    #expect(await receipts[1].outcome.text == "failed")
  }

  @Test func `an error is released once its outcome is forgotten`() async {
    let reactor = LanedReactor(script: { _, _ in .run { _ in throw Heavy() } }) { _, _ in nil }
    await reactor.send(1).settled
    weak var error: Heavy?
    if case .failed(let known as Heavy) = reactor.pipeline.core.ledger.end(of: 0) { error = known }
    #expect(error != nil)
    for _ in 0..<16 { await reactor.send(1).settled }
    #expect(error == nil)
  }

  private struct Failure: Error {}
  /// Expected, so that no report keeps it.
  private final class Heavy: ExpectedError {}
}
