import Reactor
import TestLimits
import TestSupport
import Testing

/// What actions, mutations, errors and lanes carry is no part of a report's text (promise 12).
@Suite(.bounded) struct RedactionTests {
  private static let secret = Secret.text

  private struct Envelope<Command: Sendable>: Sendable { let command: Command }

  private struct Loud: CustomStringConvertible { var description: String { secret } }

  private struct Reflected: CustomReflectable, Sendable {
    var customMirror: Mirror {
      Issue.record("an author's mirror is code of his that nobody asked for")
      return Mirror(self, children: ["password": secret])
    }
  }

  @Test(arguments: Secret.values)
  func `what an action or a mutation carries is not shown`(_ sample: Secret.Sample<any Sendable>) {
    expectSilence(of: sample.value)
  }

  @Test func `a custom mirror of an author is not called`() {
    for carrier in [Reflected(), [Reflected()]] as [any Sendable] { expectSilence(of: carrier) }
  }

  private func expectSilence(of carrier: any Sendable) {
    for problem in problems(with: carrier) {
      let report = ReactorReport(reactor: ScriptedReactor.self, action: carrier, problem: problem)
      #expect(!report.description.contains(Self.secret), "\(report)")
    }
  }

  private func problems(with mutation: any Sendable) -> [ReactorReport.Problem] {
    [.actionRefused, .inboxFull, .mutationDropped(mutation), .emittedTooLate(mutation)]
  }

  @Test(arguments: Secret.errors)
  func `what an error carries is not shown`(_ sample: Secret.Sample<any Error>) {
    let error = sample.value
    for problem in [
      ReactorReport.Problem.effectFailed(error), .droppedByMiddleware(error), .journalFailed(error),
      .journalStalled(error),
      .snapshotFailed(error), .snapshotSkipped(error),
    ] {
      let report = ReactorReport(reactor: ScriptedReactor.self, action: 1, problem: problem)
      #expect(!report.description.contains(Self.secret), "\(report)")
    }
  }

  @Test(arguments: Secret.errors)
  func `what an error carries is in no outcome`(_ sample: Secret.Sample<any Error>) {
    for outcome in [ActionOutcome.failed(sample.value), .droppedByMiddleware(sample.value)] {
      let texts = ["\(outcome)", String(reflecting: outcome)]
      #expect(!texts.joined().contains(Self.secret), "\(texts)")
    }
  }

  @Test func `what a lane's name carries is not shown`() {
    struct OfUser: Hashable { let password: String }
    let key = LaneKey(OfUser(password: Self.secret))
    for problem in [
      ReactorReport.Problem.droppedInLane(key), .supersededInLane(key), .evictedFromLane(key),
    ] {
      let report = ReactorReport(reactor: ScriptedReactor.self, action: 1, problem: problem)
      #expect(!report.description.contains(Self.secret), "\(report)")
    }
  }

  @Test func `a type that declares how it is shown is shown so, wherever it is`() {
    for action in [Loud(), Optional(Loud()) as any Sendable] as [any Sendable] {
      let report = ReactorReport(
        reactor: ScriptedReactor.self, action: action, problem: .actionRefused)
      #expect(report.description.contains("'\(Self.secret)'"))
    }
    let wrapped = ReactorReport(
      reactor: ScriptedReactor.self, action: Envelope(command: Loud()), problem: .actionRefused)
    #expect(!wrapped.description.contains(Self.secret))
  }
}
