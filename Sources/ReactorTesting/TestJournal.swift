import CustomDump
import IssueReporting
import Reactor
import Synchronization

/// Where a step stands in the test's source.
struct TestPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }

  func fail(_ message: String) {
    let seed = Simulation.currentSeed
    let order =
      "\n\nThis is the order of seed \(seed); among several, REACTOR_SEED=\(seed) runs it alone."
    reportIssue(
      seed == 0 ? message : message + order, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Says what a relaxed test has skipped, without failing it.
  func note(_ message: String) {
    withExpectedIssue(isIntermittent: true) { fail(message) }
  }
}

/// Everything that a reactor under test has done and nobody has asserted yet.
///
/// Holds: `contents`, guarded by its own lock; issues are reported outside it.
final class TestJournal<R: Reactor>: Sendable where R.State: Equatable {
  typealias Entry = PipelineJournal<R>.Entry

  /// A step, to blame for what comes after it.
  private struct Step: Sendable {
    let name: String
    let place: TestPlace
  }

  private struct Contents: Sendable {
    var asserted: R.State?
    var step: Step?
    var pending: [(entry: Entry, cause: Step?)] = []
  }

  private let contents = Mutex(Contents())
  private let strictness: Strictness
  /// Whom to blame for what comes before the first step.
  private let start: TestPlace

  init(_ strictness: Strictness, start: TestPlace) {
    self.strictness = strictness
    self.start = start
  }

  var asserted: R.State {
    guard let state = contents.withLock({ $0.asserted }) else {
      preconditionFailure("the test has not begun")
    }
    return state
  }

  func begin(with state: R.State) { contents.withLock { $0.asserted = state } }

  func record(_ entry: Entry) {
    contents.withLock { contents in contents.pending.append((entry, contents.step)) }
  }

  func enter(_ name: String, at place: TestPlace) {
    contents.withLock { $0.step = Step(name: name, place: place) }
  }

  // MARK: Asserting

  /// Asserts what the turn of the action that was just sent has changed.
  func assertTurn(
    _ change: (inout R.State) throws -> Void, of action: R.Action, at place: TestPlace
  ) {
    let turn = contents.withLock { contents -> [Entry]? in
      let end = contents.pending.firstIndex {
        if case .took = $0.entry { true } else { false }
      }
      guard let end else { return nil }
      let turn = contents.pending[...end].map(\.entry)
      // Outputs and reports are asserted by steps of their own.
      contents.pending.replaceSubrange(
        ...end, with: contents.pending[...end].filter { !$0.entry.isChange && !$0.entry.isTurn })
      return turn
    }
    guard let turn else {
      return place.fail(
        "send(\(action)) was not taken; is the reactor stopped, or does a hook hold it back?")
    }
    compare(change, with: turn.last(where: \.isChange)?.state ?? asserted, at: place)
  }

  /// Asserts the next change, and that it came of this mutation, if one is given.
  func assertNext(
    _ mismatch: ((R.Mutation) -> String?)?, _ change: (inout R.State) throws -> Void,
    at place: TestPlace
  ) {
    guard let next = takeNext(where: \.isChange, skippingOthers: mismatch), let state = next.state,
      let mutation = next.mutation
    else {
      return place.fail(
        "nothing more has changed the state; advance the clock, or take this receive away")
    }
    if let message = mismatch?(mutation) { place.fail(message) }
    compare(change, with: state, at: place)
  }

  func assertOutput(_ mismatch: (R.Output) -> String?, at place: TestPlace) {
    guard case .output(let output) = take(where: { if case .output = $0 { true } else { false } })
    else { return place.fail("nothing more was put out; take this receiveOutput away") }
    if let message = mismatch(output) { place.fail(message) }
  }

  func assertReport(_ isExpected: (ReactorReport) -> Bool, at place: TestPlace) {
    guard case .report(let report) = take(where: { if case .report = $0 { true } else { false } })
    else { return place.fail("nothing more was reported; take this receiveReport away") }
    if !isExpected(report) { place.fail("another report came than expected: \(report)") }
  }

  private func compare(
    _ change: (inout R.State) throws -> Void, with actual: R.State, at place: TestPlace
  ) {
    var expected = asserted
    do { try change(&expected) } catch { place.fail("the expected change threw: \(error)") }
    let before = asserted
    contents.withLock { $0.asserted = actual }
    guard expected != actual else { return }
    guard isExhaustive else {
      // Only what is stated counts: applied to what is there, it changes nothing.
      var stated = actual
      do { try change(&stated) } catch { return }
      if stated == actual { return }
      return place.fail(Self.unequal(stated, actual))
    }
    if expected == before {
      return place.fail(
        "the state changed, and nothing was expected to; state it in a closure:\n\n"
          + (diff(before, actual) ?? ""))
    }
    place.fail(Self.unequal(expected, actual))
  }

  private static func unequal(_ expected: R.State, _ actual: R.State) -> String {
    "the state is another than expected (−) and actual (+):\n\n" + (diff(expected, actual) ?? "")
  }

  private var isExhaustive: Bool {
    if case .exhaustive = strictness { true } else { false }
  }

  /// The next change; a relaxed test passes over those that are not what it looks for.
  private func takeNext(
    where isWanted: (Entry) -> Bool, skippingOthers mismatch: ((R.Mutation) -> String?)?
  ) -> Entry? {
    guard !isExhaustive, let mismatch else { return take(where: isWanted) }
    return take { entry in entry.mutation.map { mismatch($0) == nil } ?? false }
  }

  private func take(where isWanted: (Entry) -> Bool) -> Entry? {
    contents.withLock { contents in
      guard let place = contents.pending.firstIndex(where: { isWanted($0.entry) }) else {
        return nil
      }
      return contents.pending.remove(at: place).entry
    }
  }

  // MARK: What nobody asserted

  func expectNothingPending(before next: String) {
    let rest = contents.withLock { contents in
      defer { contents.pending = [] }
      return contents.pending
    }
    var last = asserted
    for (entry, cause) in rest {
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
    case .took, .began, .ended: return nil
    case .reduced(let mutation, let new):
      return "mutation '\(mutation)' came \(source), and nobody received it before \(next); "
        + "receive it:\n\n" + (diff(state, new) ?? "(the state stayed as it was)")
    case .output(let output):
      return "output '\(output)' came \(source), and nobody received it before \(next); "
        + "use receiveOutput"
    case .report(let report):
      return "it was reported \(source), and nobody received it before \(next); "
        + "use receiveReport: \(report)"
    }
  }

  func expectNothingRunning(_ actions: [R.Action], at place: TestPlace) {
    guard isExhaustive else { return }
    for action in actions {
      place.fail(
        "the work of '\(action)' has not ended; advance the clock, cancel it, or stop the reactor "
          + "before finish()")
    }
  }
}

extension PipelineJournal.Entry {
  fileprivate var isChange: Bool { state != nil }

  fileprivate var isTurn: Bool { if case .took = self { true } else { false } }

  fileprivate var state: R.State? {
    if case .reduced(_, let state) = self { state } else { nil }
  }

  fileprivate var mutation: R.Mutation? {
    if case .reduced(let mutation, _) = self { mutation } else { nil }
  }
}
