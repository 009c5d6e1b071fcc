import Reactor
import TestSupport

/// Records every step that it receives.
struct StepLog: ReactorObserver {
  let log = Log<ReactorStep>()

  func observe(_ step: ReactorStep) { log.append(step) }

  var steps: [ReactorStep] { log.entries }

  /// The steps in words, without the reactor: `0 taken`, `started`.
  var words: [String] { log.entries.map(\.words) }

  /// The words of one action.
  func words(of number: UInt64) -> [String] {
    log.entries.filter { $0.action?.number.rawValue == number }.map(\.kind.text)
  }

  /// Waits for the step that says so.
  func waitFor(_ words: String) async {
    var count = 1
    while !(await log.entries(upTo: count)).contains(where: { $0.words == words }) { count += 1 }
  }
}

extension ReactorStep {
  var words: String { (action.map { "\($0.number) " } ?? "") + kind.text }
}
