import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// The steps that are reported: in order, each action ended exactly once.
@Suite(.bounded) struct StepTests {
  @Test func `an action is taken, begun, reduced, and ended after its turn`() async {
    let steps = Log<String>()
    let reactor = ScriptedReactor()
    _ = await reactor.listen(steps)
    await reactor.send(7).settled
    #expect(
      steps.entries == [
        "taken 0 '7'", "begun 0", "reduced 7 as 1 of 0 to [7]", "turn of 0 '7' ended", "ended 0",
      ])
  }

  @Test func `an effect's begin and end are steps, and its failure precedes its end`() async {
    let steps = Log<String>()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        throw Failure()
      }
    }
    _ = await reactor.listen(steps)
    await reactor.send(7).settled
    #expect(
      steps.entries == [
        "taken 0 '7'", "begun 0", "effect of 0 begun", "reduced 7 as 1 of 0 to [7]",
        "noted 0 failed", "report effectFailed", "effect of 0 failed", "turn of 0 '7' ended",
        "ended 0",
      ])
  }

  @Test func `an effect that outlives its turn ends the action`() async {
    let steps = Log<String>()
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }
    _ = await reactor.listen(steps)
    let receipt = reactor.send(7)
    await gate.reached()
    gate.open()
    await receipt.settled
    #expect(
      await steps.entries(upTo: 7) == [
        "taken 0 '7'", "begun 0", "effect of 0 begun", "turn of 0 '7' ended",
        "reduced 7 as 1 of 0 to [7]", "effect of 0 ended", "ended 0",
      ])
  }

  @Test func `an action that waits in its lane has a waiting step, and begins later`() async {
    let steps = Log<String>()
    let reactor = PlainLaned(lane: { _, _ in .sequential("a") })
    _ = await reactor.listen(steps)
    let first = reactor.send(1)
    let second = reactor.send(2)
    await reactor.orders.gates[1].reached()
    _ = await steps.entries(upTo: 7)
    reactor.orders.gates[1].open()
    await first.settled
    reactor.orders.gates[2].open()
    await second.settled
    #expect(
      await steps.entries(upTo: 15) == [
        "taken 0 '1'", "begun 0 in 'a'", "effect of 0 begun", "turn of 0 '1' ended",
        "taken 1 '2'", "waits 1 in 'a'", "turn of 1 '2' ended",
        "reduced 1 as 1 of 0 to [1]", "effect of 0 ended", "ended 0",
        "begun 1 in 'a'", "effect of 1 begun",
        "reduced 2 as 2 of 1 to [1, 2]", "effect of 1 ended", "ended 1",
      ])
  }

  @Test func `an action that is cancelled before it is taken has a note and an end`() async {
    let steps = Log<String>()
    let reactor = ScriptedReactor { reactor, action in
      if action == 1 { reactor.send(2).cancel() }
      return .just(action)
    }
    _ = await reactor.listen(steps)
    await reactor.send(1).settled
    #expect(
      await steps.entries(upTo: 8) == [
        "taken 0 '1'", "begun 0", "reduced 1 as 1 of 0 to [1]", "turn of 0 '1' ended", "ended 0",
        "noted 1 cancelled", "skipped 1 '2'", "ended 1",
      ])
  }

  @Test func `behind a hook over mutations, a mutation has its action`() async {
    let steps = Log<String>()
    let reactor = MutationHookedReactor(hook: { _, mutations in Erased(mutations) })
    _ = await reactor.listen(steps)
    await reactor.send(7).settled
    #expect(
      await steps.entries(upTo: 5) == [
        "taken 0 '7'", "begun 0", "reduced 7 as 1 of 0 to [7]", "turn of 0 '7' ended", "ended 0",
      ])
  }

  @Test func `a restart and a stop are steps, and each of two recorders receives them`() async {
    let (steps, others) = (Log<String>(), Log<String>())
    let reactor = ScriptedReactor()
    _ = await reactor.listen(steps)
    _ = await reactor.listen(others)
    await reactor.restart(from: [3])
    await reactor.send(7).settled
    await reactor.stop().settled
    #expect(
      steps.entries == [
        "stopping cancel", "stopped", "began [3]", "taken 0 '7'", "begun 0",
        "reduced 7 as 2 of 0 to [3, 7]",
        "turn of 0 '7' ended", "ended 0", "stopping cancel", "stopped",
      ])
    #expect(steps.entries == others.entries)
  }

  @Test(arguments: 0..<20)
  func `of any actions, each is ended exactly once`(seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let numbers = (0..<60).map { _ in Int.random(in: 0..<10, using: &random) }
    let steps = Log<String>()
    let reactor = PlainLaned(
      script: { _, action in
        action < 3
          ? .just(action)
          : .run { emit in
            await emit(action)
            if action == 3 { throw Failure() }
            await Task.yield()
            await emit(action)
          }
      },
      lane: { _, action in
        [nil, .sequential("s"), .latest("l"), .leading("d"), .concurrent("c", atMost: 2)][
          action % 5]
      })
    _ = await reactor.listen(steps)
    for number in numbers {
      let receipt = reactor.send(number)
      if number == 9 { receipt.cancel() }
    }
    await reactor.stop(.drain).settled
    let ended = steps.entries.compactMap { $0.hasPrefix("ended ") ? Int($0.dropFirst(6)) : nil }
    #expect(ended.sorted() == Array(numbers.indices))
    let begun = steps.entries.count { $0.hasPrefix("effect") && $0.hasSuffix("begun") }
    #expect(steps.entries.count { $0.hasPrefix("effect") && !$0.hasSuffix("begun") } == begun)
  }
}

extension Reactor {
  /// Has the steps written into a log, as words.
  fileprivate func listen(_ log: Log<String>) -> State {
    pipeline.listen(StepListener { log.append($0.text) } as Pipeline.Listener, on: self)
  }
}

extension PipelineStep {
  fileprivate var text: String {
    switch self {
    case .began(let state): "began \(state)"
    case .stopped: "stopped"
    case .stopping(let mode): "stopping \(mode)"
    case .released: "released"
    case .durable(let sequence): "durable up to \(sequence)"
    case .output(let output, _): "output \(output)"
    case .report(let report): "report \(report.problem.word)"
    case .enteredHook(let action, let number, _): "into the hook \(number) '\(action)'"
    case .skipped(let action, let number, _): "skipped \(number) '\(action)'"
    case .taken(let action, let number, _): "taken \(number) '\(action)'"
    case .waits(let number, let lane): "waits \(number) in '\(lane)'"
    case .begun(let number, let lane?): "begun \(number) in '\(lane)'"
    case .begun(let number, nil): "begun \(number)"
    case .turnEnded(let action, let number): "turn of \(number) '\(action)' ended"
    case .noted(let number, let outcome): "noted \(number) \(outcome.text)"
    case .ended(let number): "ended \(number)"
    case .effectBegun(let number): "effect of \(number) begun"
    case .effectEnded(_, let number, let end): "effect of \(number) \(end.word)"
    case .reduced(let mutation, let state, let reduction):
      "reduced \(mutation) as \(reduction.version) of "
        + "\(reduction.action.map { "\($0)" } ?? "none") to \(state)"
    }
  }
}

extension EffectOutcome {
  fileprivate var word: String {
    switch self {
    case .finished: "ended"
    case .failed: "failed"
    case .cancelled: "was cancelled"
    }
  }
}
