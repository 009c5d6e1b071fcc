import Foundation
public import Reactor

/// Searches for a run of a reactor in which something does not hold that should, and shrinks it.
///
/// ```swift
/// await explore(CheckoutReactor.self, actions: .cases) { run in
///   let shop = Shop(latency: { try await run.delay(upTo: .seconds(2)) })
///   run.finally("there is one order") { _ in await shop.orders.count <= 1 }
///   return CheckoutReactor(shop: shop, clock: run.clock)
/// }
/// ```
///
/// Each run is a simulation. Its steps send actions and advance the clock, and are chosen as the
/// order of tasks is, and what the world answers. A part of the steps begins before everything that
/// can run has run. The runs differ in their habits: how many orders are unusual, how often the
/// clock advances, and which actions occur. Every eighth run is in the usual order.
///
/// **If a check does not hold**, or a run throws, never rests, or reports a mistake in the use of
/// the library, the run is shrunk: steps are removed, and choices are lowered, as long as the same
/// check fails. The issue, at the call, has the shortest run as the source of a test, which fails
/// when it is pasted. Nothing is shrunk if an issue is recorded meanwhile, by `#expect`.
///
/// **The result is the same each time**: runs depend on `seed` and on nothing else. A reactor that
/// reads a real clock or a random number has others; a failure that does not repeat is reported as
/// such. To run more, at night for example, set the environment variable `REACTOR_EXPLORE` to a
/// factor.
///
/// - Parameters:
///   - type: The type of the reactor.
///   - actions: The actions, for example ``Choice/cases``, or ``Choice/oneOf(_:)``.
///   - steps: How many steps a run has at most.
///   - runs: How many runs there are at most.
///   - times: Durations by which the clock is advanced, besides those to the next and to the last
///     deadline of a sleeping task.
///   - seed: Decides the runs.
///   - setUp: Makes the reactor and its world for one run, and states what has to hold.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
/// - Returns: What the runs did.
@discardableResult
public func explore<R: Reactor>(
  _ type: R.Type, actions: Choice<R.Action>, steps: Int = 20, runs: Int = 300,
  times: [Duration] = [], seed: UInt64 = 1,
  setUp: @escaping @Sendable (ExplorationRun<R>) async throws -> R,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async -> ExplorationSummary {
  await explore(
    type, actions: { _ in actions }, steps: steps, runs: runs, times: times, seed: seed,
    setUp: setUp, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Searches as the other form does, with actions that depend on the state.
///
/// ```swift
/// await explore(ListReactor.self) { state in
///   .oneOf(.of(.add), .from(.element(of: state.items.map(\.id))) { .remove($0) })
/// } setUp: { run in … }
/// ```
///
/// - Parameters:
///   - type: The type of the reactor.
///   - actions: Returns the actions for a state; called with the last state that the reactor had.
///   - steps: How many steps a run has at most.
///   - runs: How many runs there are at most.
///   - times: As for the other form.
///   - seed: Decides the runs.
///   - setUp: Makes the reactor and its world for one run, and states what has to hold.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
/// - Returns: What the runs did.
@discardableResult
public func explore<R: Reactor>(
  _ type: R.Type, actions: @escaping @Sendable (R.State) -> Choice<R.Action>, steps: Int = 20,
  runs: Int = 300, times: [Duration] = [], seed: UInt64 = 1,
  setUp: @escaping @Sendable (ExplorationRun<R>) async throws -> R,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async -> ExplorationSummary {
  let place = TestPlace(fileID, filePath, line, column)
  let tested = ExplorationCase(setUp: setUp, actions: actions, times: times, place: place)
  let factor = ProcessInfo.processInfo.environment["REACTOR_EXPLORE"].flatMap { Int($0) } ?? 1
  var summary = ExplorationSummary()
  for number in 0..<runs * max(factor, 1) where !Task.isCancelled {
    var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    let source = ChoiceSource(seed: random.next(), isTame: number.isMultiple(of: 8))
    let count = 1 + Int(random.next() % UInt64(max(steps, 1)))
    let result = await tested.run(.chosen(count), source)
    summary.runs += 1
    summary.counts.add(result.counts)
    if result.hasIssue { return summary }
    // The first run and those that fail are repeated, to find what the choices do not decide.
    guard result.failure != nil || number == 0 else { continue }
    let again = await tested.run(.chosen(count), ChoiceSource(result.choices))
    guard again.failure?.name == result.failure?.name, again.trace == result.trace else {
      place.fail(changed(R.self, result, again, number + 1))
      return summary
    }
    guard let failure = result.failure else { continue }
    var shrinker = ExplorationShrinker(tested, again, failure)
    await shrinker.shrink()
    let report = ExplorationReport(
      result: shrinker.best, tries: shrinker.tries, run: number + 1, summary: summary,
      closure: SourceClosure.text(calling: "explore", in: "\(filePath)", line: Int(line)))
    place.fail(report.text)
    return summary
  }
  let missing = summary.counts.sometimes.filter { $0.value == 0 }.keys.sorted()
  if !missing.isEmpty, !Task.isCancelled {
    let names = missing.map { "'\($0)'" }.joined(separator: ", ")
    place.fail(
      "\(R.self): \(names) held in none of \(summary.runs) runs; allow more runs or steps, or "
        + "other actions:\n\n\(summary)")
  }
  return summary
}

private func changed<R: Reactor>(
  _ type: R.Type, _ first: ExplorationCase<R>.Result, _ second: ExplorationCase<R>.Result,
  _ number: Int
) -> String {
  let outcome = first.failure.map { "\($0.text)" } ?? "everything holds"
  let other = second.failure.map { "\($0.text)" } ?? "everything holds"
  return
    "\(R.self): run \(number) took another course when it was repeated, so its failures cannot "
    + "be repeated either; take clocks, random numbers and identifiers from the run, and do not "
    + "depend on the order of a Set or Dictionary. First: \(outcome). Then: \(other)"
}

/// Repeats a run of an exploration, as the issue of `explore` has printed it.
///
/// **If a check does not hold**, an issue is reported at the call, with everything that happened.
///
/// - Parameters:
///   - type: The type of the reactor.
///   - steps: The steps.
///   - setUp: The closure of the exploration.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func replay<R: Reactor>(
  _ type: R.Type, _ steps: ExplorationStep<R.Action>...,
  setUp: @escaping @Sendable (ExplorationRun<R>) async throws -> R,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async {
  let place = TestPlace(fileID, filePath, line, column)
  let tested = ExplorationCase<R>(
    setUp: setUp, actions: { _ in .element(of: []) }, times: [], place: place)
  var sequence = ChoiceSource.Sequence()
  for step in steps {
    switch step.kind {
    case .setUp: sequence.setUp = step.choices
    case .end: sequence.end = step.choices
    case .send, .advance: sequence.steps.append(step.choices)
    }
  }
  let result = await tested.run(.given(steps), ChoiceSource(sequence))
  guard let failure = result.failure, !result.hasIssue else { return }
  place.fail(
    "\(R.self): \(failure.text). What happened:\n\n"
      + RecordedEntry.transcript(result.entries))
}
