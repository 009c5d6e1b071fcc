import Reactor

/// How often something happened in the runs of an exploration.
struct ExplorationCounts: Sendable {
  var steps: [String: Int] = [:]
  var actions: [String: Int] = [:]
  var lanes: [String: Int] = [:]
  var reports: [String: Int] = [:]
  var choices: [String: [String: Int]] = [:]
  var sometimes: [String: Int] = [:]

  mutating func add(_ other: ExplorationCounts) {
    steps.merge(other.steps, uniquingKeysWith: +)
    actions.merge(other.actions, uniquingKeysWith: +)
    lanes.merge(other.lanes, uniquingKeysWith: +)
    reports.merge(other.reports, uniquingKeysWith: +)
    choices.merge(other.choices) { $0.merging($1, uniquingKeysWith: +) }
    sometimes.merge(other.sometimes, uniquingKeysWith: +)
  }

  mutating func add(_ report: ReactorReport) {
    if let (lane, outcome) = report.problem.laneOutcome {
      lanes["'\(lane)': \(outcome)", default: 0] += 1
    } else if let reason = RefusalReason(report.problem) {
      reports["refused: \(reason)", default: 0] += 1
    } else {
      reports[ReportText.name(of: report.problem), default: 0] += 1
    }
  }

  /// One line for each kind.
  var lines: [String] {
    var lines = [
      Self.line("steps", steps), Self.line("actions", actions), Self.line("lanes", lanes),
      Self.line("reports", reports),
    ]
    lines += choices.sorted { $0.key < $1.key }.map { Self.line("'\($0.key)'", $0.value) }
    lines.append(Self.line("sometimes", sometimes))
    return lines.compactMap(\.self)
  }

  /// The most frequent first; of many, the first twelve.
  private static func line(_ name: String, _ counts: [String: Int]) -> String? {
    guard !counts.isEmpty else { return nil }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = sorted.prefix(12).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return "\(name): \(shown)" + (sorted.count > 12 ? ", and \(sorted.count - 12) more" : "")
  }
}

/// What an exploration did: how often it took which actions, and what happened to them.
///
/// Its `description` has one line for each kind, so that a test can print it:
///
/// ```
/// 200 runs, 2911 steps
/// actions: search 1411, clear 702
/// lanes: 'search': begun 633, 'search': superseded 702, 'search': evicted 76
/// 'offline': false 512, true 121
/// ```
public struct ExplorationSummary: Sendable, CustomStringConvertible {
  /// The number of runs.
  public internal(set) var runs = 0

  /// How often each action was taken, by the name of its case.
  public var actions: [String: Int] { counts.actions }

  /// How often each outcome of a lane was reached: `'search': evicted`.
  public var lanes: [String: Int] { counts.lanes }

  /// How often each refusal and each other report came.
  public var reports: [String: Int] { counts.reports }

  /// How often each ``ExplorationRun/sometimes(_:_:)`` held.
  public var sometimes: [String: Int] { counts.sometimes }

  var counts = ExplorationCounts()

  /// One line for each kind.
  public var description: String {
    (["\(runs) runs, \(counts.steps.values.reduce(0, +)) steps"] + counts.lines)
      .joined(separator: "\n")
  }
}
