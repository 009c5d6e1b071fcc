import CustomDump
import Reactor
import ReactorRuntime
import Synchronization

// Handling of what a test has not asserted.

extension TestJournal {
  func expectNothingPending(before next: String) {
    let rest = contents.withLock { contents in
      defer { contents.pending = [] }
      return contents.pending
    }
    skip(rest, before: next)
  }

  /// Skips the entries that should have been asserted before the next one of a kind.
  func skip(
    _ isEarlier: (Entry) -> Bool, beforeNext isNext: (Entry) -> Bool, in step: String
  ) {
    let skipped = contents.withLock { contents -> [Pending] in
      guard let end = contents.pending.firstIndex(where: { isNext($0.entry) }) else { return [] }
      let before = contents.pending[..<end]
      contents.pending.replaceSubrange(..<end, with: before.filter { !isEarlier($0.entry) })
      return before.filter { isEarlier($0.entry) }
    }
    skip(skipped, before: step)
  }

  private func skip(_ entries: [Pending], before next: String) {
    var last = asserted
    for pending in entries {
      let (entry, cause) = (pending.entry, pending.cause)
      let message = Self.describe(entry, after: last, of: cause?.name, before: next)
      if let state = entry.state { last = state }
      guard let message else { continue }
      let place = cause?.place ?? start
      switch strictness {
      case .exhaustive: place.fail(message)
      case .relaxed(let showsSkipped): if showsSkipped { place.note(message) }
      }
    }
    contents.withLock { $0.asserted = last }
  }

  private static func describe(
    _ entry: Entry, after state: R.State, of cause: String?, before next: String
  ) -> String? {
    let source = cause.map { "after \($0)" } ?? "at the start"
    switch entry {
    case .taken, .ended: return nil
    case .began(let new):
      guard new != state else { return nil }
      return "the reactor began again \(source), with another state, "
        + "and that was not received before \(next); use receiveRestart:\n\n"
        + changes(from: state, to: new)
    case .reduced(let mutation, let new):
      return "mutation '\(mutation)' came \(source), and was not received before \(next); "
        + "receive it:\n\n" + changes(from: state, to: new)
    case .output(let output):
      return "output '\(output)' came \(source), and was not received before \(next); "
        + "use receiveOutput"
    case .report(let report):
      return "it was reported \(source), and was not received before \(next); "
        + "use receiveReport: \(report)"
    }
  }

  /// Records the end of the test: no effect may run any more.
  func finish(_ running: [R.Action], at place: TestPlace) {
    contents.withLock { $0.ending = running.isEmpty ? .clean : .failed }
    guard isExhaustive else { return }
    for action in running {
      place.fail(
        "the work of '\(action)' has not ended\(advice), cancel it, or stop the reactor "
          + "before finish()")
    }
  }

  /// Called when the scenario has ended: nothing further can happen, and everything must have been
  /// asserted.
  ///
  /// - Parameter hasFailed: Whether the scenario threw, was cancelled or is stuck, which is
  ///   reported elsewhere.
  func end(afterFailure hasFailed: Bool) {
    guard isExhaustive else { return }
    let (ending, step) = contents.withLock { contents in
      defer { contents.ending = .over }
      return (contents.ending, contents.step)
    }
    if case .clean = ending, !hasFailed {
      return expectNothingPending(before: "the scenario's end")
    }
    // No step can assert these any more.
    for report in takeReports() { ReactorReports.deliver(report) }
    guard case .missing = ending, !hasFailed else { return }
    let last = step.map { " after \($0.name)" } ?? ""
    start.fail(
      "this test of \(R.self) was not finished\(last), so what was left was not checked; "
        + "end it with 'await test.finish()'")
  }

  private func takeReports() -> [ReactorReport] {
    contents.withLock { contents in
      defer { contents.pending = [] }
      return contents.pending.compactMap { pending in
        if case .report(let report) = pending.entry { report } else { nil }
      }
    }
  }
}
