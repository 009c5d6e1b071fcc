import CustomDump
public import Reactor

/// One thing that a reactor did, as a ``Recorder`` stores it.
public enum RecordedEntry<R: Reactor>: Sendable {
  /// The recorder started, or the reactor restarted after a stop, with this state.
  case began(R.State)
  /// A mutation was reduced, and resulted in this state.
  case reduced(R.Mutation, R.State)
  /// An action was taken, and its immediate mutations have been reduced.
  case taken(R.Action)
  /// The reactor emitted this output.
  case output(R.Output)
  /// The reactor reported this: an error, or something that was dropped.
  case report(ReactorReport)
  /// The reactor was stopped or released.
  case ended

  /// `nil` for a step that tests do not use.
  init?(_ step: ReactorPipeline<R>.Step) {
    switch step {
    case .reduced(let mutation, let state, _): self = .reduced(mutation, state)
    case .turnEnded(let action, _): self = .taken(action)
    case .output(let output, _): self = .output(output)
    case .report(let report): self = .report(report)
    case .began(let state): self = .began(state)
    case .stopped: self = .ended
    case .stopping, .released, .durable, .enteredHook, .skipped, .taken, .waits, .begun, .noted,
      .ended, .effectBegun, .effectEnded:
      return nil
    }
  }

  // MARK: Kinds

  /// The state, if the entry has one.
  public var state: R.State? {
    switch self {
    case .began(let state), .reduced(_, let state): state
    case .taken, .output, .report, .ended: nil
    }
  }

  /// The mutation, if one was reduced.
  public var mutation: R.Mutation? {
    if case .reduced(let mutation, _) = self { mutation } else { nil }
  }

  /// The action, if one was taken.
  public var action: R.Action? { if case .taken(let action) = self { action } else { nil } }

  /// The output, if there was one.
  public var output: R.Output? { if case .output(let output) = self { output } else { nil } }

  /// The report, if there was one.
  public var report: ReactorReport? { if case .report(let report) = self { report } else { nil } }

  /// The name of a kind.
  static func name(_ kind: PartialKeyPath<Self>) -> String {
    switch kind {
    case \Self.state: "state"
    case \Self.mutation: "mutation"
    case \Self.action: "action"
    case \Self.output: "output"
    case \Self.report: "report"
    default: "value"
    }
  }

  // MARK: Description

  /// The entries below each other, numbered, each state as its changes since the previous one.
  static func transcript(_ entries: [Self]) -> String {
    var last: R.State?
    return entries.enumerated().map { number, entry in
      defer { last = entry.state ?? last }
      return "\(number): \(entry.text(after: last))"
    }.joined(separator: "\n")
  }

  private func text(after last: R.State?) -> String {
    switch self {
    case .began(let state): "began with\n" + Self.indented(String(customDumping: state))
    case .reduced(let mutation, let state):
      "reduced \(mutation)\n"
        + Self.indented(last.map { changes(from: $0, to: state) } ?? "\(state)")
    case .taken(let action): "taken: \(action)"
    case .output(let output): "output: \(output)"
    case .report(let report): "reported \(report)"
    case .ended: "ended"
    }
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "     " + $0 }
      .joined(separator: "\n")
  }
}
