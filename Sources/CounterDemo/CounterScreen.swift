import Reactor

/// What a person sees of a state: text, and nothing else.
struct CounterScreen {
  typealias State = CounterReactor.State

  /// A line to show.
  enum Line: Equatable {
    case output(String)
    case error(String)
  }

  private var last: State?
  private var lastLine: String?

  /// - Parameter opened: The state that the counter begins with: what has fired in it is of an
  ///   earlier run.
  init(opened: State? = nil) { last = opened }

  /// The state in one line.
  static func line(_ state: State) -> String {
    "value: \(state.value)\(state.isLoading ? " (loading)" : "")"
  }

  /// The state as a prompt.
  static func prompt(_ state: State) -> String { "\(line(state)) > " }

  /// What is new in a state: alerts and refusals that have fired, and the line if it differs.
  mutating func lines(for state: State) -> [Line] {
    let before = last
    last = state
    var lines: [Line] = []
    if let refusal = state.refusal,
      before.map({ state.$refusal.isNewer(than: $0.$refusal) }) ?? true
    {
      lines.append(.error("error: \(refusal)"))
    }
    if let alert = state.alert, before.map({ state.$alert.isNewer(than: $0.$alert) }) ?? true {
      lines.append(.output("alert: \(alert)"))
    }
    let line = Self.line(state)
    if lastLine != line { lines.append(.output(line)) }
    lastLine = line
    return lines
  }
}
