import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// How an action ended, and why an ask has no answer, compared with what a test expects.
@Suite(.bounded) struct OutcomeEqualityTests {
  private struct Unequatable: Error { let number: Int }
  private enum Refusal: Error { case soldOut, closed }

  /// Each case, with payloads that differ; no two of them are equal.
  private static let outcomes: [ActionOutcome] = [
    .finished, .failed(Refusal.soldOut), .failed(Refusal.closed), .failed(Failure(number: 1)),
    .failed(Unequatable(number: 1)), .failed(Unequatable(number: 2)), .cancelled,
    .dropped("disk"), .dropped("net"), .superseded("disk"), .evicted("disk"),
    .droppedByMiddleware(Refusal.soldOut), .refused(.stopped), .refused(.inboxFull),
    .refused(.laneFull("disk")), .refused(.laneFull("net")), .neverBegun, .reactorEnded, .open,
    .forgotten, .released, .timedOut(.seconds(1)), .timedOut(.seconds(2)), .cycle([]),
    .cycle([step]),
  ]

  private static let step = WaitingAction(
    reactor: ScriptedReactor().identity, actionNumber: ActionNumber(rawValue: 1), actionName: "a")

  @Test func `an outcome is equal to itself, and to no other`() {
    for (index, one) in Self.outcomes.enumerated() {
      for (other, second) in Self.outcomes.enumerated() {
        #expect((one == second) == (index == other), "\(one), \(second)")
      }
    }
  }

  @Test func `an ask's error is equal to itself, and to no other`() {
    let errors = Self.outcomes.map { AskError(Self.step.reactor, 3, $0) }
    for (index, one) in errors.enumerated() {
      for (other, second) in errors.enumerated() {
        #expect((one == second) == (index == other), "\(one), \(second)")
      }
    }
  }

  @Test func `an effect's outcome is equal to itself, and to no other`() {
    let outcomes: [EffectOutcome] = [
      .finished, .cancelled, .failed(Refusal.soldOut), .failed(Refusal.closed),
    ]
    for index in outcomes.indices {
      for other in outcomes.indices {
        #expect((outcomes[index] == outcomes[other]) == (index == other))
      }
    }
  }

  @Test func `errors that are equal and of two types are not equal`() {
    struct Other: Error, Equatable { let number: Int }
    #expect(ActionOutcome.failed(Failure(number: 1)) != .failed(Other(number: 1)))
  }

  @Test func `an ask that fails inside an effect is compared with its reason`() {
    let one = AskError(Self.step.reactor, 3, .timedOut(.seconds(1)))
    let other = AskError(Self.step.reactor, 3, .released)
    #expect(ActionOutcome.failed(one) == .failed(one))
    #expect(ActionOutcome.failed(one) != .failed(other))
  }

  @Test func `an action's outcome is compared in one line`() async {
    let reactor = ScriptedReactor { _, action in
      .run { _ in throw Failure(number: action) }
    }
    #expect(await reactor.outcome(of: 1) == .failed(Failure(number: 1)))
    await reactor.stop().settled
    #expect(await reactor.outcome(of: 2) == .refused(.stopped))
  }
}
