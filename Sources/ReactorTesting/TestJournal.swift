import CustomDump
import Reactor
import ReactorRuntime

/// Everything that a reactor under test has done and the test has not asserted yet.
///
/// Holds: `contents`, guarded by its own lock; issues are reported outside it.
final class TestJournal<R: Reactor>: Sendable where R.State: Equatable {
  typealias Entry = RecordedEntry<R>

  /// A step, at whose source location later failures are reported.
  struct Step: Sendable {
    let name: String
    let place: TestPlace
  }

  /// An entry that is not asserted yet.
  ///
  /// A class, because the first element is removed often, and all following elements move up.
  final class Pending: Sendable {
    let entry: Entry
    let cause: Step?

    init(_ entry: Entry, cause: Step?) { (self.entry, self.cause) = (entry, cause) }
  }

  /// Whether the test has been finished, without a step since.
  enum Ending: Sendable {
    case missing
    /// Nothing was left.
    case clean
    /// Something was still running, which has been reported.
    case failed
    /// The scenario has ended as well.
    case over
  }

  struct Contents: Sendable {
    var asserted: R.State?
    var step: Step?
    var pending: [Pending] = []
    var ending = Ending.missing
  }

  let contents = Guarded(Contents())
  let strictness: Strictness
  /// The source location for failures before the first step.
  let start: TestPlace
  /// Receives what happens and what is asserted, if something collects that.
  let coverage: CoverageReporter<R>?

  private let clock: SimulatedClock

  init(_ strictness: Strictness, clock: SimulatedClock, start: TestPlace) {
    self.strictness = strictness
    self.clock = clock
    self.start = start
    coverage = CoverageRegistry.of(R.self)
    coverage?.begin()
  }

  var asserted: R.State {
    guard let state = contents.withLock({ $0.asserted }) else {
      preconditionFailure("the test has not begun")
    }
    return state
  }

  func begin(with state: R.State) { contents.withLock { $0.asserted = state } }

  func record(_ step: ReactorPipeline<R>.Step) {
    guard let entry = Entry(step) else { return }
    coverage?.see(entry)
    // An exhaustive test asserts everything that an action does, or it fails.
    if isExhaustive, entry.isTurn { coverage?.assert(entry) }
    contents.withLock { contents in contents.pending.append(Pending(entry, cause: contents.step)) }
  }

  func enter(_ name: String, at place: TestPlace) {
    contents.withLock { contents in
      contents.step = Step(name: name, place: place)
      contents.ending = .missing
    }
  }

  /// Whether a report that is not asserted fails the test.
  var handlesReports: Bool {
    isExhaustive && contents.withLock { if case .over = $0.ending { false } else { true } }
  }

  // MARK: Asserting

  /// Asserts what the turn of the action that was just sent has changed.
  func assertTurn(
    _ change: (inout R.State) throws -> Void, of action: R.Action, at place: TestPlace
  ) {
    let turn = contents.withLock { contents -> [Entry]? in
      let end = contents.pending.firstIndex {
        if case .taken = $0.entry { true } else { false }
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
        "send(\(action)) was not taken; if transform(action:) keeps it, use "
          + "test.reactor.send(\(action)), and receive what it changes when it is passed on")
    }
    for entry in turn where entry.isChange || entry.isTurn { coverage?.assert(entry) }
    compare(change, with: turn.last(where: \.isChange)?.state ?? asserted, at: place)
  }

  /// Asserts the next change, and its mutation if one is given.
  func assertNext(
    _ mismatch: ((R.Mutation) -> String?)?, _ change: (inout R.State) throws -> Void,
    at place: TestPlace
  ) {
    skip({ $0.restart != nil || $0.isSilent }, beforeNext: \.isChange, in: "receive")
    guard let next = takeNext(where: \.isChange, skippingOthers: mismatch), let state = next.state,
      let mutation = next.mutation
    else {
      return place.fail(
        "nothing more has changed the state\(advice), or remove this receive")
    }
    if let message = mismatch?(mutation) { place.fail(message) }
    compare(change, with: state, at: place)
  }

  /// Asserts that the reactor has restarted, and with which state.
  func assertRestart(_ change: (inout R.State) throws -> Void, at place: TestPlace) {
    skip(\.isChange, beforeNext: { $0.restart != nil }, in: "receiveRestart")
    guard let state = take(where: { $0.restart != nil })?.restart else {
      return place.fail(
        "the reactor has not begun again; restart it before, or remove this receiveRestart")
    }
    compare(change, with: state, at: place)
  }

  func assertOutput(_ mismatch: (R.Output) -> String?, at place: TestPlace) {
    guard case .output(let output) = take(where: { if case .output = $0 { true } else { false } })
    else { return place.fail("no output followed; remove this receiveOutput") }
    if let message = mismatch(output) { place.fail(message) }
  }

  func assertReport(_ isExpected: (ReactorReport) -> Bool, at place: TestPlace) {
    guard case .report(let report) = take(where: { if case .report = $0 { true } else { false } })
    else { return place.fail("nothing more was reported; remove this receiveReport") }
    if !isExpected(report) { place.fail("another report came than expected: \(report)") }
  }

  private func compare(
    _ change: (inout R.State) throws -> Void, with actual: R.State, at place: TestPlace
  ) {
    let before = asserted
    var expected = before
    do { try change(&expected) } catch { place.fail("the expected change threw: \(error)") }
    contents.withLock { $0.asserted = actual }
    let message =
      isExhaustive
      ? Self.difference(from: before, expected: expected, actual: actual)
      : Self.difference(from: before, actual: actual, stated: change)
    if let message { place.fail(message) }
  }

  /// Advice for a change that has not happened yet: advance the clock, unless nothing sleeps on it.
  var advice: String {
    clock.sleeperCount > 0
      ? "; advance the clock"
      : ", and nothing sleeps on the simulation's clock; give the reactor that clock"
  }

  private static func difference(
    from before: R.State, expected: R.State, actual: R.State
  ) -> String? {
    if expected == actual {
      return PulseFirings.difference(from: before, expected: expected, actual: actual)
    }
    if expected == before {
      return "the state changed unexpectedly; state the change in a closure:\n\n"
        + (diff(before, actual) ?? "")
    }
    return unequal(expected, actual)
  }

  /// Only what is stated counts: the closure, applied to the actual state, must change nothing.
  private static func difference(
    from before: R.State, actual: R.State, stated change: (inout R.State) throws -> Void
  ) -> String? {
    var stated = actual
    // If the closure throws, it has thrown before, and that has been reported.
    do { try change(&stated) } catch { return nil }
    return stated == actual
      ? PulseFirings.missing(from: before, actual: actual, stated: stated)
      : unequal(stated, actual)
  }

  private static func unequal(_ expected: R.State, _ actual: R.State) -> String {
    "the state differs from the expected one; expected (-), actual (+):\n\n"
      + (diff(expected, actual) ?? "")
  }

  var isExhaustive: Bool {
    if case .exhaustive = strictness { true } else { false }
  }

  /// Removes the next change; a relaxed test skips what comes before the change that matches.
  private func takeNext(
    where isWanted: (Entry) -> Bool, skippingOthers mismatch: ((R.Mutation) -> String?)?
  ) -> Entry? {
    guard !isExhaustive, let mismatch else { return take(where: isWanted) }
    let matches: (Entry) -> Bool = { $0.mutation.map { mismatch($0) == nil } ?? false }
    // An earlier change that stays pending would later replace the state that is asserted here.
    skip({ $0.state != nil || $0.isSilent }, beforeNext: matches, in: "receive")
    return take(where: matches)
  }

  private func take(where isWanted: (Entry) -> Bool) -> Entry? {
    let entry = contents.withLock { contents -> Entry? in
      guard let place = contents.pending.firstIndex(where: { isWanted($0.entry) }) else {
        return nil
      }
      return contents.pending.remove(at: place).entry
    }
    if let entry { coverage?.assert(entry) }
    return entry
  }
}

extension RecordedEntry {
  var isChange: Bool { if case .reduced = self { true } else { false } }

  var isTurn: Bool { if case .taken = self { true } else { false } }

  /// Whether no step asserts the entry, and no test fails because of it.
  var isSilent: Bool {
    switch self {
    case .taken, .ended: true
    case .began, .reduced, .output, .report: false
    }
  }

  /// The state with which the reactor has restarted.
  var restart: R.State? {
    if case .began(let state) = self { state } else { nil }
  }
}
