import CustomDump
public import Reactor

/// Tests a reactor step by step: what is sent, what that changes, what its effects emit, and that
/// nothing else happens.
///
/// ```swift
/// try await simulate { simulation in
///   let test = await ReactorTest(SearchReactor(clock: simulation.clock), in: simulation)
///
///   await test.send(.type("swift")) { $0.query = "swift" }
///   await test.advance(by: .milliseconds(300))
///   await test.receive { $0.isLoading = true }
///   await test.receive(.setResults(["swift!"])) { $0.results = ["swift!"] }
///   await test.receive { $0.isLoading = false }
///   await test.finish()
/// }
/// ```
///
/// **Exhaustive** by default: the test fails for each state change, fired pulse, output, report and
/// running effect that it did not assert, at the line that caused it. It also fails without
/// ``finish(fileID:filePath:line:column:)``. ``Strictness/relaxed(showsSkipped:)`` checks only what
/// the test states.
///
/// A report still reaches the reactor's own `report(_:)` and a handler, but it is not written to
/// standard error.
///
/// The design follows TCA's `TestStore`.
public final class ReactorTest<R: Reactor>: Sendable where R.State: Equatable {
  /// The reactor under test.
  public let reactor: R

  let simulation: Simulation
  let journal: TestJournal<R>

  /// Starts a test of a reactor.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - simulation: The simulation that it runs in.
  ///   - state: The state with which the reactor starts; by default its initial one. With a state,
  ///     the reactor must not have been used yet, or an issue is reported.
  ///   - strictness: Whether everything that happens has to be asserted.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public convenience init(
    _ reactor: R, in simulation: Simulation, from state: R.State? = nil,
    strictness: Strictness = .exhaustive, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await self.init(
      reactor, in: simulation, state.map { Beginning($0) }, strictness,
      at: TestPlace(fileID, filePath, line, column))
  }

  package init(
    _ reactor: R, in simulation: Simulation, _ beginning: Beginning<R>?,
    _ strictness: Strictness, at place: TestPlace
  ) async {
    self.reactor = reactor
    self.simulation = simulation
    if !simulation.runner.isDriven { place.fail(Self.endedText) }
    NearMisses.fail(R.self, at: place)
    let journal = TestJournal<R>(
      strictness, clock: simulation.clock, start: place)
    self.journal = journal
    let (state, hasBegun) = await reactor.begin(
      from: beginning,
      StepListener(handlesReports: { journal.handlesReports }) { journal.record($0) })
    if !hasBegun { place.fail(Beginning<R>.begunText) }
    if let state { journal.begin(with: state) }
    if let coverage = journal.coverage {
      for reason in await reactor.possibleRefusals { coverage.addRefusal(reason) }
    }
    simulation.atEnd { journal.end(afterFailure: $0) }
  }

  /// The state as far as it has been asserted.
  public var state: R.State { journal.asserted }

  /// Returns when nothing can run any more.
  ///
  /// - Returns: Whether a step can be taken; after the end of the simulation it reports a failure.
  func settle(at place: TestPlace) async -> Bool {
    guard isInProgress(at: place) else { return false }
    await simulation.settle()
    return true
  }

  func isInProgress(at place: TestPlace) -> Bool {
    let isInProgress = simulation.runner.isDriven
    if !isInProgress { place.fail(Self.endedText) }
    return isInProgress
  }

  private static var endedText: String {
    "the simulation of this test of \(R.self) has ended; take its steps within simulate { }"
  }

  // MARK: Steps

  /// Sends an action, and asserts what it changes at once.
  ///
  /// These are the changes by the plain mutations that `mutate` returns, and by what an effect
  /// emits before it first suspends. The step returns when nothing can run any more; later changes
  /// have to be received.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - change: Modifies the previous state to the expected one; by default, no change is
  ///     expected.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func send(
    _ action: R.Action, _ change: @Sendable (inout R.State) throws -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    // The results of actions that were sent without the test do not belong to this action.
    guard await settle(at: place) else { return }
    journal.expectNothingPending(before: "send(\(action))")
    journal.enter("send(\(action))", at: place)
    if let coverage = journal.coverage, let lane = await reactor.laneOf(action) {
      coverage.add(lane)
    }
    guard !reactor.send(action).isRefused else {
      return journal.failRefused(action, at: place)
    }
    await simulation.settle()
    journal.assertTurn(change, of: action, at: place)
  }

  /// Asserts the next state change by an effect.
  ///
  /// - Parameters:
  ///   - change: Modifies the previous state to the expected one.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func receive(
    _ change: @Sendable (inout R.State) throws -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    guard await settle(at: place) else { return }
    journal.assertNext(nil, change, at: place)
  }

  /// Asserts the next mutation that an effect has emitted, and what it changes.
  ///
  /// A relaxed test skips the mutations before the next one that is equal to it.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - change: Modifies the previous state to the expected one; by default, no change is
  ///     expected.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func receive(
    _ mutation: R.Mutation, _ change: @Sendable (inout R.State) throws -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async where R.Mutation: Equatable {
    let place = TestPlace(fileID, filePath, line, column)
    guard await settle(at: place) else { return }
    journal.assertNext(
      { actual in
        actual == mutation ? nil : Self.difference(mutation, actual, "mutation", place)
      }, change, at: place)
  }

  private static func difference(
    _ expected: R.Mutation, _ actual: R.Mutation, _ what: String, _ place: TestPlace
  ) -> String {
    "another \(what) came than expected:\n\n" + (diff(expected, actual) ?? "\(actual)")
  }

  /// Asserts the next output.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func receiveOutput(
    _ output: R.Output, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async where R.Output: Equatable {
    let place = TestPlace(fileID, filePath, line, column)
    guard await settle(at: place) else { return }
    journal.assertOutput(
      { actual in
        guard actual != output else { return nil }
        return "another output came than expected:\n\n" + (diff(output, actual) ?? "\(actual)")
      }, at: place)
  }

  /// Asserts that something was reported: an error, or a dropped action.
  ///
  /// - Parameters:
  ///   - isExpected: Whether this is the expected report.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func receiveReport(
    where isExpected: @Sendable (ReactorReport) -> Bool = { _ in true },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    guard await settle(at: place) else { return }
    journal.assertReport(isExpected, at: place)
  }

  /// Advances the clock, and returns when nothing can run any more.
  ///
  /// - Parameters:
  ///   - duration: By how much.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    guard isInProgress(at: place) else { return }
    journal.enter("advance(by: \(duration))", at: place)
    await simulation.advance(by: duration)
  }

  /// Asserts that nothing is left: no change, no output, no report, and no effect that runs or
  /// waits.
  ///
  /// It is the last step of every exhaustive test. Without it, the end of the scenario is reported
  /// as a failure where the test was created, unless the scenario threw or was cancelled.
  ///
  /// - Parameters:
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    guard await settle(at: place) else { return }
    journal.expectNothingPending(before: "finish()")
    let open = await reactor.leftOpen()
    journal.finish(open, at: place)
  }
}

/// How much of what happens a test has to assert.
public enum Strictness: Sendable {
  /// Everything.
  case exhaustive
  /// Only what the test states; the rest is skipped, and listed as known issues if `showsSkipped`
  /// is true.
  case relaxed(showsSkipped: Bool)

  /// Only what the test states; the rest is skipped without a message.
  public static let relaxed = Strictness.relaxed(showsSkipped: false)
}

extension Reactor {
  fileprivate var possibleRefusals: [RefusalReason] {
    let (isLimited, hasMiddleware) = pipeline.refusals(on: self)
    return (isLimited ? [.inboxFull] : []) + (hasMiddleware ? [.middleware] : [])
  }

  fileprivate func leftOpen() -> [Action] { pipeline.openActions(on: self) }
}
