import DemoSupport
import Reactor
import ReactorJournal
import ReactorREPL

/// The counter at the terminal: commands become actions, states become a prompt, or lines in a
/// pipe.
struct CounterScreen: Screen {
  typealias State = CounterReactor.State

  let reactor: CounterReactor
  let outlet: Outlet
  /// Records whether the journal can still be written.
  var reports: JournalReports?

  func perform(_ command: CounterCommand) async throws -> ScreenStep<CounterReactor> {
    switch command {
    case .send(let action): return .background(reactor.send(action))
    case .undo: guard try await reactor.undo() else { throw CommandError("nothing to undo") }
    case .redo: guard try await reactor.redo() else { throw CommandError("nothing to redo") }
    case .history(let count):
      guard let history = reactor.history else { break }
      let lines = try await CounterHistory(history: history).lines(newest: count)
      if !lines.isEmpty { outlet.printMessage(lines.joined(separator: "\n")) }
    case .at(let change):
      guard let history = reactor.history else { break }
      outlet.print("value: \(try await CounterHistory(history: history).value(after: change))")
    case .show: return .show
    }
    return .done
  }

  /// The screen closes if the counter can no longer be journaled.
  func isClosed(_ state: State) -> Bool { reports?.haveFailed ?? false }

  /// The state in one line.
  static func line(_ state: State) -> String {
    "value: \(state.value)\(state.isLoading ? " (loading)" : "")"
  }
  func prompt(of state: State) -> String { "\(Self.line(state)) > " }
  var notices: [NoticePulse<State>] {
    [.failure(\.$refusal), NoticePulse(\.$alert) { .outcome("alert: \($0)") }]
  }
  func printRows(to outlet: Outlet) async { outlet.print(Self.line(await reactor.currentState)) }

  /// What is new in a state: the alert that has fired, and the line if it has changed.
  func report(of state: State, after last: State?) -> [String] {
    guard let last else { return [Self.line(state)] }
    let alerts = state.$alert.isNewer(than: last.$alert) ? [state.alert].compactMap(\.self) : []
    return alerts.map { "alert: \($0)" }
      + (Self.line(state) == Self.line(last) ? [] : [Self.line(state)])
  }
}
