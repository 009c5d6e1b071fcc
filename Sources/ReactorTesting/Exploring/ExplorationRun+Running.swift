import Reactor
import ReactorRuntime

/// Why a run failed.
struct ExplorationFailure: Sendable {
  /// What identifies the failure while it is shrunk: the name of the check, or a kind of error.
  let name: String
  /// What was wrong, as a sentence without its full stop.
  let text: String

  init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

  init(_ error: any Error, in place: String) {
    self.init("\(place): \(ReportText.name(ofError: error))", "\(place) threw: \(error)")
  }
}

// What a run observes, and what it checks at rest.
extension ExplorationRun {
  func start(_ reactor: R) async throws {
    let (state, hasBegun) = await reactor.begin(
      from: contents.withLock { $0.beginning },
      StepListener(handlesReports: { true }) { [weak self] in self?.receive($0) })
    guard hasBegun, let state else { throw SimulationError(description: Beginning<R>.begunText) }
    contents.withLock { contents in
      contents.entries.insert(.began(state), at: 0)
      if contents.state == nil { contents.state = state }
    }
    check(state)
  }

  private func receive(_ step: ReactorPipeline<R>.Step) {
    switch step {
    case .taken(let action, let number, _):
      contents.withLock { contents in
        contents.waiting[number] = action
        contents.counts.actions[ReportText.name(of: action), default: 0] += 1
      }
    case .waits(_, let lane):
      contents.withLock { $0.counts.lanes["'\(lane)': waited", default: 0] += 1 }
    case .begun(let number, let lane):
      let (action, models) = contents.withLock { contents in
        if let lane { contents.counts.lanes["'\(lane)': begun", default: 0] += 1 }
        return (contents.waiting.removeValue(forKey: number), contents.models)
      }
      if let action { for model in models { model.take(action) } }
    case .ended(let number):
      contents.withLock { contents in _ = contents.waiting.removeValue(forKey: number) }
    default: break
    }
    guard let entry = Entry(step) else { return }
    contents.withLock { contents in
      contents.entries.append(entry)
      if let state = entry.state { contents.state = state }
      if let report = entry.report { contents.counts.add(report) }
    }
    if let state = entry.state { check(state) }
    if let report = entry.report { check(report) }
  }

  private func check(_ state: R.State) {
    let (always, sometimes) = contents.withLock { ($0.always, $0.sometimes) }
    for check in sometimes where check.holds(state) {
      contents.withLock { $0.counts.sometimes[check.name, default: 0] += 1 }
    }
    for check in always where !check.holds(state) {
      return fail(ExplorationFailure(check.name, "'\(check.name)' does not hold in \(state)"))
    }
  }

  /// A report that is a mistake whatever the reactor is for.
  private func check(_ report: ReactorReport) {
    switch report.problem {
    case .emittedTooLate, .answeredTwice, .hookInputIteratedTwice, .hookEnded:
      fail(ExplorationFailure(ReportText.name(of: report.problem), "it was reported: \(report)"))
    default: break
    }
  }

  func fail(_ failure: ExplorationFailure) {
    contents.withLock { contents in
      if contents.failure == nil { contents.failure = failure }
    }
  }

  var hasFailed: Bool { contents.withLock { $0.failure != nil } }

  /// The state after the last mutation.
  var state: R.State? { contents.withLock { $0.state } }

  /// Checks what has to hold when no work is left, if none is.
  func checkIdle(_ reactor: R) async {
    let (checks, models) = contents.withLock { ($0.whenIdle, $0.models) }
    guard !hasFailed, !checks.isEmpty || !models.isEmpty, await reactor.hasNoOpenActions,
      let state
    else { return }
    await check(checks, state)
    for model in models {
      guard let difference = model.difference(state) else { continue }
      fail(ExplorationFailure(model.name, "'\(model.name)' does not agree: \(difference)"))
    }
  }

  func checkEnd() async {
    guard !hasFailed, let state else { return }
    await check(contents.withLock { $0.finally }, state)
  }

  private func check(_ checks: [RestCheck], _ state: R.State) async {
    for check in checks {
      do {
        if try await check.holds(state) { continue }
        fail(ExplorationFailure(check.name, "'\(check.name)' does not hold in \(state)"))
      } catch {
        fail(ExplorationFailure(error, in: "'\(check.name)'"))
      }
      return
    }
  }
}

extension Reactor {
  fileprivate var hasNoOpenActions: Bool { pipeline.openActions(on: self).isEmpty }
}
