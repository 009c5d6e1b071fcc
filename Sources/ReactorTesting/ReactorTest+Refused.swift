public import Reactor
import ReactorRuntime
import Synchronization

/// The reason why an action is refused.
public enum RefusalReason: Sendable, Hashable {
  /// The inbox was full.
  case inboxFull
  /// The reactor had been stopped.
  case stopped
  /// The action's lane was full.
  case laneFull(LaneKey)
  /// A stage of the middleware dropped the action.
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
  /// Sends an action that has to be refused, and asserts the reason; the report of the refusal is
  /// received as well.
  ///
  /// Unlike ``send(_:_:fileID:filePath:line:column:)``, it lets nothing else run before, so that
  /// the actions sent just before still fill the reactor's inbox. Lanes and middleware refuse an
  /// action when it is taken; everything that can run until then runs.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - reason: The expected reason.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func sendRefused(
    _ action: R.Action, because reason: RefusalReason, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    guard isInProgress(at: place) else { return }
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

  /// Fails the test if an action was refused that should have been accepted.
  func failRefused(_ action: R.Action, at place: TestPlace) {
    guard let (report, reason) = takeRefusal() else { return }
    place.fail(
      "send(\(action)) was refused; if it is to be, use sendRefused(\(action), because: "
        + ".\(reason)): \(report)")
  }

  /// Removes and returns the report of the last refusal, preferring one with the expected reason.
  private func takeRefusal(
    preferring wanted: RefusalReason? = nil
  ) -> (ReactorReport, RefusalReason)? {
    let taken = contents.withLock { contents -> (ReactorReport, RefusalReason)? in
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
    if let taken { coverage?.assert(.report(taken.0)) }
    return taken
  }
}
