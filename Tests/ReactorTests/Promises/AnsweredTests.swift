import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// An asker gets the answer, or the reason why there is none.
@Suite(.bounded) struct AnsweredTests {
  private let office = OfficeReactor()

  // MARK: Answers

  @Test func `an answer in the action's own turn reaches the asker`() async throws {
    #expect(try await office.ask { .count($0) } == 0)
    #expect(try await office.ask { .count($0) } == 1)
    #expect(await office.currentState.count == 2)
  }

  @Test func `an answer may be of any type, or of none`() async throws {
    #expect(try await office.ask { .text($0) } == ["one", "two", "three"])
    try await office.ask { .done($0) }
  }

  @Test func `an effect may answer, and what it had emitted is in the state`() async throws {
    async let answer = office.ask { .gated(3, $0) }
    await office.gates[3].reached()
    office.gates[3].open()
    #expect(try await answer == 3)
    #expect(await office.currentState.count == 1)
  }

  @Test func `a reply may be stored in the state, and another action answers`() async throws {
    let asking = (0..<3).map { _ in office.asking { .wait($0) } }
    await office.hasKept(3)
    office.send(.serve(5))
    for ask in asking { #expect(await ask.value == .value(5)) }
  }

  @Test func `a reply may be passed to another reactor`() async throws {
    let child = OfficeReactor()
    let parent = OfficeReactor { _, _, reply in
      child.send(.wait(reply))
      return .empty
    }
    let asking = parent.asking { .scripted(1, $0) }
    await child.hasKept()
    child.send(.serve(9))
    #expect(await asking.value == .value(9))
  }

  @Test func `an error may be the answer`() async {
    await #expect(throws: Failure(number: 8)) { try await office.ask { .refuse($0) } as Int }
    let failing = OfficeReactor { _, _, reply in
      .run { _ in
        await Task.yield()
        reply(throwing: Failure(number: 9))
      }
    }
    await #expect(throws: Failure(number: 9)) { try await failing.ask { .scripted(1, $0) } }
    #expect(office.reports.problems == [] && failing.reports.problems == [])
  }

  @Test func `the first answer counts, and a second one is reported`() async throws {
    #expect(try await office.ask { .repeatedly(3, $0) } == 0)
    #expect(office.reports.problems == ["answeredTwice", "answeredTwice"])
    #expect(
      "\(office.reports.entries[0])".hasSuffix(
        "'office': the reply of action 0 was answered a second time; the first answer is used"))
  }

  @Test func `a second answer is reported with its action when the asker has returned`()
    async throws
  {
    let kept = Log<Reply<Int>>()
    let office = OfficeReactor { _, _, reply in
      kept.append(reply)
      reply(1)
      return .empty
    }
    #expect(try await office.ask { .scripted(0, $0) } == 1)
    for reply in kept.entries { reply(throwing: Failure()) }
    #expect(office.reports.problems == ["answeredTwice"])
    #expect(office.reports.entries.map { $0.actionNumber?.rawValue } == [0])
  }

  @Test func `many ask at a time, and each gets its own answer`() async throws {
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { try await office.ask { .count($0) } } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers == Set(0..<100))
  }

  // MARK: Reasons

  @Test func `a reply that is released without an answer answers with that, at once`() async {
    #expect(await office.asking { .ignore($0) }.value == .askError("released"))
    let error = await #expect(throws: AskError.self) { try await office.ask { .ignore($0) } as Int }
    #expect(
      error?.description.hasSuffix(
        "'office': action 1 was not answered: the last copy of its reply was released; "
          + "keep it until it is answered") == true)
  }

  @Test func `a reply that a child releases answers with that`() async {
    let child = OfficeReactor()
    let parent = OfficeReactor { _, _, reply in
      child.send(.wait(reply))
      return .empty
    }
    let asking = parent.asking { .scripted(1, $0) }
    await child.hasKept()
    await child.restart(from: OfficeReactor.State())
    #expect(await asking.value == .askError("released"))
  }

  @Test func `a reply that is released with a child answers with that`() async {
    let parent = OfficeReactor { _, _, reply in
      let child = OfficeReactor()
      return .run { _ in await child.send(.wait(reply)).settled }
    }
    #expect(await parent.asking { .scripted(1, $0) }.value == .askError("released"))
  }

  @Test func `an effect that fails answers with its error`() async {
    #expect(
      await office.asking { .fail($0) }.value == .askError("failed(Failure(number: 7))"))
  }

  @Test func `an action that fails answers with its error, wherever its reply is stored`() async {
    let child = OfficeReactor()
    let parent = OfficeReactor { _, _, reply in
      .run { _ in
        child.send(.wait(reply))
        throw Failure()
      }
    }
    #expect(
      await parent.asking { .scripted(1, $0) }.value == .askError("failed(Failure(number: 0))"))
    await child.send(.serve(4)).settled
    #expect(child.reports.problems == [])
  }

  @Test func `an effect that throws an expected error answers with that error`() async {
    enum Refusal: ExpectedError { case soldOut }
    let office = OfficeReactor { _, _, _ in .run { _ in throw Refusal.soldOut } }
    await #expect(throws: Refusal.soldOut) { try await office.ask { .scripted(1, $0) } }
    #expect(office.reports.problems == [])
  }

  @Test func `one part that fails leaves the others the time to answer`() async {
    let gate = Gate()
    let parent = OfficeReactor { _, _, reply in
      .merge(
        .run { _ in throw Failure() },
        .run { _ in
          try await gate.wait()
          reply(6)
        })
    }
    let asking = parent.asking { .scripted(1, $0) }
    await gate.reached()
    gate.open()
    #expect(await asking.value == .value(6))
  }

  @Test func `a full inbox refuses an ask`() async {
    let office = OfficeReactor(inboxLimit: 1)
    let asking = await office.turn { office in
      office.send(.serve(0))
      return Task.immediate { await Answer { try await office.ask { .count($0) } } }
    }
    #expect(await asking.value == .askError("refused(inboxFull)"))
  }

  @Test func `a stopped reactor refuses an ask`() async {
    await office.stop().settled
    #expect(await office.asking { .count($0) }.value == .askError("refused(stopped)"))
    #expect(office.reports.problems == ["actionRefused"])
  }

  @Test func `a reply in the state of a reactor that stops is answered with the reason`() async {
    let asking = office.asking { .wait($0) }
    await office.hasKept()
    office.stop(.drain)
    #expect(await asking.value == .askError("reactorEnded"))
  }

  @Test func `an effect that a stop cancels answers with the reason`() async {
    let asking = office.asking { .gated(1, $0) }
    await office.gates[1].reached()
    office.stop()
    #expect(await asking.value == .askError("reactorEnded"))
  }

  @Test func `a drain waits for the answer`() async {
    let asking = office.asking { .gated(1, $0) }
    await office.gates[1].reached()
    office.stop(.drain)
    office.gates[1].open()
    #expect(await asking.value == .value(1))
  }

  @Test func `a restart does not answer what was asked before`() async {
    let asking = office.asking { .wait($0) }
    await office.hasKept()
    await office.restart()
    #expect(await asking.value == .askError("reactorEnded"))
    #expect(await office.asking { .count($0) }.value == .value(0))
  }

  // MARK: Cancelling the asker

  @Test func `cancelling the asker cancels the action`() async {
    let asking = office.asking { .gated(1, $0) }
    await office.gates[1].reached()
    asking.cancel()
    #expect(await asking.value == .cancelled)
    await office.stop(.drain).settled
    #expect(await office.currentState.count == 0)
  }

  @Test func `a task cancelled before it asks gets only an answer of the same turn`() async {
    let asking = Task { [office] in
      withUnsafeCurrentTask { $0?.cancel() }
      let first = await Answer { try await office.ask { .count($0) } }
      return [first, await Answer { try await office.ask { .gated(1, $0) } }]
    }
    #expect(await asking.value == [.value(0), .cancelled])
    await office.stop(.drain).settled
    #expect(await office.currentState.count == 1)
  }

  @Test func `an answer after the asker was cancelled is not reported`() async {
    let asking = office.asking { .wait($0) }
    await office.hasKept()
    asking.cancel()
    #expect(await asking.value == .cancelled)
    await office.send(.serve(1)).settled
    #expect(office.reports.problems == [])
  }

  @Test func `a time limit is measured on the clock that the author passes`() async {
    let clock = ManualClock()
    let asking = Task { [office] in
      await Answer { try await office.ask(within: .steps(5), clock: clock) { .gated(1, $0) } }
    }
    await clock.advance(past: 5)
    #expect(await asking.value == .askError("timedOut(5.0 seconds)"))
    await office.stop(.drain).settled
    #expect(await office.currentState.count == 0)
  }

  @Test func `an answer within the time ends the sleep of the clock`() async throws {
    let clock = ManualClock()
    async let answer = office.ask(within: .steps(5), clock: clock) { .gated(1, $0) }
    _ = await clock.sleeps.entries(upTo: 1)
    office.gates[1].open()
    #expect(try await answer == 1)
    _ = await clock.ends.entries(upTo: 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `nothing of an ask is retained`() async throws {
    let released = Gate()
    weak var core: Engine<OfficeReactor>?
    do {
      let office = OfficeReactor(OfficeReactor.State(canary: Canary(released)))
      core = office.pipeline.core
      _ = try await office.ask { .count($0) }
      _ = await office.asking { .ignore($0) }.value
      #expect(!office.pipeline.core.hasOpenAsks)
      await office.stop().settled
    }
    // What has stopped it may have had it a moment longer.
    try await released.wait()
    #expect(core == nil)
  }
}
