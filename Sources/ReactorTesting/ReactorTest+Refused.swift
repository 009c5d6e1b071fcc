public import Reactor
import Synchronization

/// Why an action is refused.
public enum Refusal: Sendable {
  /// As many waited as the inbox has room for.
  case inboxFull
  /// The reactor had been stopped.
  case stopped

  init?(_ problem: ReactorReport.Problem) {
    switch problem {
    case .inboxFull: self = .inboxFull
    case .actionRefused: self = .stopped
    default: return nil
    }
  }
}

extension ReactorTest {
  /// Sends an action that is to be refused, and asserts why; the report that says so is received,
  /// too.
  ///
  /// Unlike ``send(_:_:fileID:filePath:line:column:)``, it lets nothing else run before, so that
  /// what was sent to the reactor just now still fills its inbox.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - reason: Why it is to be refused.
  ///   - fileID: Where the step stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func sendRefused(
    _ action: R.Action, because reason: Refusal, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    journal.enter("sendRefused(\(action))", at: place)
    let isRefused = reactor.send(action).isRefused
    journal.assertRefusal(isRefused, of: action, reason, at: place)
    await simulation.settle()
  }
}

extension TestJournal {
  func assertRefusal(
    _ isRefused: Bool, of action: R.Action, _ reason: Refusal, at place: TestPlace
  ) {
    guard isRefused, let (report, actual) = takeRefusal() else {
      let missing =
        switch reason {
        case .inboxFull: "its inbox was not full"
        case .stopped: "it had not been stopped"
        }
      return place.fail(
        "'\(action)' was to be refused, and \(R.self) took it: \(missing); use send")
    }
    if actual != reason {
      place.fail(
        "'\(action)' was to be refused because of .\(reason), and was because of "
          + ".\(actual): \(report)"
      )
    }
  }

  /// An action that was to be taken was refused.
  func failRefused(_ action: R.Action, at place: TestPlace) {
    guard let (report, reason) = takeRefusal() else { return }
    place.fail(
      "send(\(action)) was refused; if it is to be, use sendRefused(\(action), because: "
        + ".\(reason)): \(report)")
  }

  /// The report of the action that was refused just now, which is the last.
  private func takeRefusal() -> (ReactorReport, Refusal)? {
    contents.withLock { contents in
      for index in contents.pending.indices.reversed() {
        if case .report(let report) = contents.pending[index].entry,
          let reason = Refusal(report.problem)
        {
          contents.pending.remove(at: index)
          return (report, reason)
        }
      }
      return nil
    }
  }
}
