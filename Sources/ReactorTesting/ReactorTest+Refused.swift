public import Reactor
import ReactorRuntime
import Synchronization

/// Why an action is refused.
public enum RefusalReason: Sendable, Hashable {
  /// As many waited as the inbox has room for.
  case inboxFull
  /// The reactor had been stopped.
  case stopped
  /// In its lane, as many waited as may.
  case laneFull(LaneKey)
  /// A stage of the middleware dropped it.
  case middleware

  init?(_ problem: ReactorReport.Problem) {
    switch problem {
    case .inboxFull: self = .inboxFull
    case .actionRefused: self = .stopped
    case .laneFull(let lane): self = .laneFull(lane)
    case .droppedByMiddleware: self = .middleware
    default: return nil
    }
  }
}

extension ReactorTest {
  /// Sends an action that is to be refused, and asserts why; the report that says so is received,
  /// too.
  ///
  /// Unlike ``send(_:_:fileID:filePath:line:column:)``, it lets nothing else run before, so that
  /// what was sent to the reactor just now still fills its inbox. A lane refuses an action when it
  /// is taken, and so does middleware; until then, what can run does.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - reason: Why it is to be refused.
  ///   - fileID: Where the step stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func sendRefused(
    _ action: R.Action, because reason: RefusalReason, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    guard isUnderWay(at: place) else { return }
    journal.enter("sendRefused(\(action))", at: place)
    let receipt = reactor.send(action)
    var isRefused = receipt.refusal != nil
    switch reason {
    case .laneFull where !receipt.isRefused:
      await simulation.settle()
      isRefused = receipt.refusal != nil
    case .middleware:
      await simulation.settle()
      if await receipt.isSettled, case .droppedByMiddleware = await receipt.outcome {
        isRefused = true
      }
    default: break
    }
    journal.assertRefusal(isRefused, of: action, reason, at: place)
    await simulation.settle()
  }
}

extension TestJournal {
  func assertRefusal(
    _ isRefused: Bool, of action: R.Action, _ reason: RefusalReason, at place: TestPlace
  ) {
    guard isRefused, let (report, actual) = takeRefusal(preferring: reason) else {
      let missing =
        switch reason {
        case .inboxFull: "its inbox was not full"
        case .stopped: "it had not been stopped"
        case .laneFull(let lane): "lane '\(lane)' was not full"
        case .middleware: "its middleware let it pass"
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

  /// The report of the action that was refused just now, which is the last; where the lane has
  /// refused it, the last of its kind.
  private func takeRefusal(
    preferring wanted: RefusalReason? = nil
  ) -> (ReactorReport, RefusalReason)? {
    contents.withLock { contents in
      let found = contents.pending.enumerated().compactMap { index, pending in
        if case .report(let report) = pending.entry, let reason = RefusalReason(report.problem) {
          (index: index, report: report, reason: reason)
        } else {
          nil
        }
      }
      guard let last = found.last(where: { $0.reason == wanted }) ?? found.last else { return nil }
      contents.pending.remove(at: last.index)
      return (last.report, last.reason)
    }
  }
}
