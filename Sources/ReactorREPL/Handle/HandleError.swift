import CommandShell
public import Reactor

/// Why an action was not carried out behind a handle.
///
/// It is an ``/Reactor/ExpectedError``: the console prints it once, and it is not reported.
public struct HandleError: ExpectedError, CustomStringConvertible {
  /// One line: what was wrong.
  public let description: String
  /// What the handle threw, or how the action failed; `nil` if it ended in another way.
  public let underlying: (any Error)?

  init(_ error: any Error) {
    description = ReportText.text(ofError: error)
    underlying = error
  }

  private init(_ description: String) {
    self.description = description
    underlying = nil
  }

  /// Throws unless an action has finished.
  static func check(_ outcome: ActionOutcome) throws {
    switch outcome {
    case .finished: return
    case .failed(let error), .droppedByMiddleware(let error):
      throw (error as? any ExpectedError) ?? HandleError(error)
    case .cancelled: throw CancellationError()
    default: throw HandleError("the command was not carried out: \(outcome)")
    }
  }
}
