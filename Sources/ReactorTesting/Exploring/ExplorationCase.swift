import Reactor
import ReactorRuntime

/// Runs a reactor once: with steps that are chosen, or that are given.
struct ExplorationCase<R: Reactor>: Sendable {
  typealias SetUp = @Sendable (ExplorationRun<R>) async throws -> R
  typealias Step = ExplorationStep<R.Action>

  enum Script: Sendable {
    /// At most so many steps, which the source of choices decides.
    case chosen(Int)
    case given([Step])
  }

  struct Result: Sendable {
    var failure: ExplorationFailure?
    /// The steps; `nil` is one for which there was no action to choose.
    var steps: [Step?] = []
    var entries: [RecordedEntry<R>] = []
    var counts = ExplorationCounts()
    var choices = ChoiceSource.Sequence()
    var trace: UInt64 = 0
    /// Whether an issue was recorded, which cannot be shrunk.
    var hasIssue = false
  }

  let setUp: SetUp
  let actions: @Sendable (R.State) -> Choice<R.Action>
  let times: [Duration]
  let place: TestPlace

  /// How far the clock is advanced at the end.
  private static var horizon: Duration { .seconds(600) }

  func run(_ script: Script, _ source: ChoiceSource) async -> Result {
    let result = ResultBox<R>()
    let simulation = Simulation(SimulatedOrder(source), at: place)
    let run = ExplorationRun<R>(simulation, source)
    do {
      // A run that never rests is found after fewer steps, since there are many runs.
      try await EndlessScenarioDetector.$limit.withValue(20_000) {
        result.value.hasIssue = try await IssueDetector.detect {
          try await runScenario(
            { _ in
              let steps = try await perform(script, run, source)
              result.value.steps = steps
            }, in: simulation)
        }
      }
    } catch {
      run.fail(
        error is SimulationError
          ? ExplorationFailure("the simulation", "\(error)")
          : ExplorationFailure(error, in: "the run"))
    }
    return run.contents.withLock { contents in
      // The checks may refer to the run.
      (contents.always, contents.sometimes, contents.whenIdle) = ([], [], [])
      (contents.finally, contents.models) = ([], [])
      var found = result.value
      found.failure = contents.failure
      // The run is stopped at its end, which is not part of what happened.
      if case .ended = contents.entries.last { contents.entries.removeLast() }
      found.entries = contents.entries
      found.counts = contents.counts
      (found.choices, found.trace) = (source.recorded, source.trace)
      return found
    }
  }

  private func perform(
    _ script: Script, _ run: ExplorationRun<R>, _ source: ChoiceSource
  ) async throws -> [Step?] {
    let reactor = try await setUp(run)
    try await run.start(reactor)
    await run.simulation.settle()
    await run.checkIdle(reactor)
    var steps: [Step?] = []
    switch script {
    case .chosen(let count):
      for _ in 0..<count where !run.hasFailed {
        source.beginStep()
        let step = chooseStep(run, source)
        steps.append(step)
        if let step { await perform(step, reactor, run) }
      }
    case .given(let given):
      for step in given where !run.hasFailed {
        switch step.kind {
        case .setUp, .end: continue
        case .send, .advance: break
        }
        source.beginStep()
        steps.append(step)
        await perform(step, reactor, run)
      }
    }
    source.beginEnd()
    if !run.hasFailed { await advanceToEnd(run.simulation) }
    await run.checkIdle(reactor)
    await run.checkEnd()
    reactor.stop()
    await run.simulation.settle()
    return steps
  }

  private func chooseStep(_ run: ExplorationRun<R>, _ source: ChoiceSource) -> Step? {
    let advances = source.drawAdvances()
    let pause = source.drawPause()
    if advances {
      let duration = chooseDuration(run.clock, source)
      return Step(.advance(duration), pause: pause, ChoiceSource.Section())
    }
    guard let state = run.state else { return nil }
    let choice = actions(state)
    guard !choice.isEmpty else { return nil }
    source.beginAction()
    let action = choice.draw(ChoiceDrawer(source: source, track: .step))
    return Step(.send(action), pause: pause, ChoiceSource.Section())
  }

  /// To the next deadline, half of it, to the last one, or one of the times of the test.
  private func chooseDuration(_ clock: SimulatedClock, _ source: ChoiceSource) -> Duration {
    let now = clock.now
    let next = clock.nextDeadline.map { now.duration(to: $0) } ?? .milliseconds(100)
    let last = clock.lastDeadline.map { now.duration(to: $0) } ?? .seconds(1)
    let all = [next, next / 2, last] + times
    return all[source.draw(.step, below: all.count)]
  }

  private func perform(_ step: Step, _ reactor: R, _ run: ExplorationRun<R>) async {
    let simulation = run.simulation
    switch step.kind {
    case .setUp, .end: return
    case .send(let action):
      run.count(step, "sent")
      reactor.send(action)
    case .advance(let duration):
      run.count(step, "advanced")
      let target = simulation.clock.now.advanced(by: duration)
      while let deadline = simulation.clock.nextDeadline, deadline < target {
        simulation.clock.advance(to: deadline)
        await simulation.settle()
      }
      simulation.clock.advance(to: target)
    }
    if let pause = step.pause { return await simulation.runner.run(jobs: pause) }
    await simulation.settle()
    await run.checkIdle(reactor)
  }

  private func advanceToEnd(_ simulation: Simulation) async {
    await simulation.settle()
    let end = simulation.clock.now.advanced(by: Self.horizon)
    while let deadline = simulation.clock.nextDeadline, deadline <= end, !Task.isCancelled {
      simulation.clock.advance(to: deadline)
      await simulation.settle()
    }
  }
}

extension ExplorationRun {
  fileprivate func count(_ step: ExplorationStep<R.Action>, _ name: String) {
    let name = step.pause == nil ? name : "\(name), not waited for"
    contents.withLock { $0.counts.steps[name, default: 0] += 1 }
  }
}

/// Passes a result out of a simulation; it is used by one task after another.
private final class ResultBox<R: Reactor>: Sendable {
  private let box = Guarded(ExplorationCase<R>.Result())

  var value: ExplorationCase<R>.Result {
    get { box.withLock { $0 } }
    set { box.withLock { $0 = newValue } }
  }
}
