import Reactor
import TestLimits
import TestSupport
import Testing

/// What actions, mutations, errors and lanes carry is no part of a report's text (promise 12).
@Suite(.bounded) struct RedactionTests {
  private static let secret = "hunter2"

  private enum LogIn: Error {
    case logIn(user: String, password: String)
    case unlabelled(String)
    indirect case again(LogIn)
  }

  private struct Credentials: Error { let password: String }

  private final class Session: Sendable { let token = secret }

  private struct Envelope<Command: Sendable>: Sendable { let command: Command }

  private struct Loud: CustomStringConvertible { var description: String { secret } }

  private struct Reflected: CustomReflectable, Sendable {
    var customMirror: Mirror {
      Issue.record("an author's mirror is code of his that nobody asked for")
      return Mirror(self, children: ["password": secret])
    }
  }

  private static let carriers: [any Sendable] = [
    LogIn.logIn(user: "ada", password: secret),
    LogIn.unlabelled(secret),
    LogIn.again(.unlabelled(secret)),
    Optional(LogIn.unlabelled(secret)) as any Sendable,
    Optional(Optional(Credentials(password: secret))) as any Sendable,
    Credentials(password: secret),
    Session(),
    Envelope(command: LogIn.unlabelled(secret)),
    Envelope(command: secret),
    [LogIn.unlabelled(secret)],
    [secret],
    ["password": secret],
    Set([secret]),
    (secret, 1),
    secret...secret,
    Result<String, Credentials>.success(secret),
    Reflected(),
    [Reflected()],
  ]

  @Test(arguments: carriers.indices)
  func `what an action or a mutation carries is not shown`(_ index: Int) {
    let carrier = Self.carriers[index]
    for problem in problems(with: carrier) {
      let report = ReactorReport(reactor: ScriptedReactor.self, action: carrier, problem: problem)
      #expect(!report.description.contains(Self.secret))
    }
  }

  private func problems(with mutation: any Sendable) -> [ReactorReport.Problem] {
    [.actionRefused, .inboxFull, .mutationDropped(mutation), .emittedTooLate(mutation)]
  }

  @Test func `what an error carries is not shown`() {
    let context = DecodingError.Context(codingPath: [], debugDescription: "not \(Self.secret)")
    let errors: [any Error] = [
      Credentials(password: Self.secret), LogIn.unlabelled(Self.secret),
      DecodingError.dataCorrupted(context),
    ]
    for error in errors {
      let report = ReactorReport(
        reactor: ScriptedReactor.self, action: 1, problem: .effectFailed(error))
      #expect(!report.description.contains(Self.secret))
    }
  }

  @Test func `what a lane's name carries is not shown`() {
    struct OfUser: Hashable { let password: String }
    let key = LaneKey(OfUser(password: Self.secret))
    for problem in [
      ReactorReport.Problem.droppedInLane(key), .supersededInLane(key), .evictedFromLane(key),
    ] {
      let report = ReactorReport(reactor: ScriptedReactor.self, action: 1, problem: problem)
      #expect(!report.description.contains(Self.secret))
    }
  }

  @Test func `what says itself how it is shown is shown so, wherever it is`() {
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
