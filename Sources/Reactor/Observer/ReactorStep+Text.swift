extension ReactorStep.Kind {
  /// What happened, in words; shows of values only what ``ReportText`` does, and no times.
  public var text: String {
    switch self {
    case .started: "started"
    case .taken: "taken"
    case .intoHook: "into transform(action:)"
    case .waiting(let lane): "waiting in lane '\(lane.reportText)'"
    case .begun: "begun"
    case .effectBegun(let number): "effect \(number) begun"
    case .effectEnded(let number, let end, _): "effect \(number) \(end.text)"
    case .reduced(let transition):
      "reduced \(transition.number) '\(ReportText.text(of: transition.mutation))'"
    case .output(let output): "output '\(ReportText.text(of: output))'"
    case .report(let report): "reported \(ReportText.name(of: report.problem))"
    case .ended(let outcome, _): outcome.text
    case .stopping: "stopping"
    case .stopped: "stopped"
    case .released: "released"
    case .durable(let number): "durable up to \(number)"
    }
  }
}

extension EffectOutcome {
  /// How it ended, in words; shows of an error only what ``ReportText`` does.
  ///
  /// With an ``ExpectedError`` it has *declined*, which is no failure.
  public var text: String {
    switch self {
    case .finished: "finished"
    case .failed(let error as any ExpectedError):
      "declined: \(ReportText.text(ofError: error))"
    case .failed(let error): "failed: \(ReportText.text(ofError: error))"
    case .cancelled: "cancelled"
    }
  }
}

extension ActionOutcome {
  /// How the work ended, in a word or two, without the case's associated values.
  ///
  /// A metric can be labelled with it. With an ``ExpectedError`` it is *declined*, which is no
  /// failure.
  public var text: String {
    switch self {
    case .finished: "finished"
    case .failed(let error): error is any ExpectedError ? "declined" : "failed"
    case .cancelled: "cancelled"
    case .dropped, .droppedByMiddleware: "dropped"
    case .superseded: "superseded"
    case .evicted: "evicted"
    case .refused: "refused"
    case .neverBegun: "never begun"
    case .reactorEnded: "cut off"
    case .open: "open"
    case .forgotten: "forgotten"
    case .released: "released"
    case .timedOut: "timed out"
    // The earlier name of the case, since metrics and traces have it.
    case .cycle: "circle"
    }
  }
}
