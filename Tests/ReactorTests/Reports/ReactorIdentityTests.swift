import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct ReactorIdentityTests {
  @Test func `an identity is unique and does not change`() async {
    let reactors = (0..<100).map { _ in ScriptedReactor() }
    let first = reactors.map(\.identity)
    await withTaskGroup { group in
      for (reactor, identity) in zip(reactors, first) {
        group.addTask {
          await reactor.send(1).settled
          await reactor.restart()
          #expect(reactor.identity == identity)
        }
      }
    }
    #expect(Set(first.map(\.number)).count == 100)
    #expect(first.allSatisfy { $0.type == ScriptedReactor.self && $0.name == nil })
  }

  @Test func `many threads that read it at once get the same`() async {
    for _ in 0..<TestCounts.rounds(1_000) {
      let reactor = ScriptedReactor()
      async let one = ReactorIdentityTests.number(of: reactor)
      async let other = ReactorIdentityTests.number(of: reactor)
      #expect(await one == other)
    }
  }

  private static func number(of reactor: ScriptedReactor) async -> UInt64 {
    reactor.identity.number
  }

  @Test func `the author may name a reactor`() {
    let reactor = NamedReactor("lobby")
    #expect(reactor.identity.name == "lobby")
    #expect("\(reactor.identity)" == "NamedReactor#\(reactor.identity.number) 'lobby'")
    #expect("\(ScriptedReactor().identity)".hasPrefix("ScriptedReactor#"))
  }

  @Test func `a name is on one line, and may be given with a limit`() async {
    let reactor = NamedReactor("lobby\nof the house")
    await reactor.stop().settled
    reactor.send(1)
    #expect(
      reactor.reports.entries.map(\.description) == [
        "NamedReactor#\(reactor.identity.number) 'lobby of the house': "
          + "action '1' was refused: the reactor has been stopped"
      ])
  }

  @Test func `a report names the reactor and the action's number`() async {
    let reactor = ScriptedReactor { _, _ in .run { _ in throw Failure() } }
    await reactor.send(1).settled
    let receipt = reactor.send(2)
    await receipt.settled
    let report = reactor.reports.entries[1]
    #expect(report.identity == reactor.identity)
    #expect(report.actionNumber == receipt.actionNumber)
    #expect(report.actionNumber == ActionNumber(rawValue: 1))
  }

  @Test func `what is refused has no number`() async {
    let reactor = ScriptedReactor()
    await reactor.stop().settled
    #expect(reactor.send(1).actionNumber == nil)
    #expect(reactor.reports.entries[0].actionNumber == nil)
    #expect(reactor.reports.entries[0].identity == reactor.identity)
  }

  @Test func `an action that a hook has made is distinguished from one that was sent`() async {
    let hook: ActionHookedReactor.Hook = { _, _ in Erased(AsyncStream { $0.yield(7) }) }
    let reactor = ActionHookedReactor(hook: hook) { _, _ in .run { _ in throw Failure() } }
    _ = await reactor.currentState
    let report = await reactor.reports.entries(upTo: 1)[0]
    #expect(report.actionNumber?.isMadeByHook == true)
    #expect(report.description.contains("action hook-1 '7'"))
  }

  @Test func `what a lane drops is named by number`() async {
    let reactor = LanedReactor { _, _ in .leading("only") }
    let first = reactor.send(0)
    await reactor.gates[0].reached()
    await reactor.send(1).settled
    reactor.gates[0].open()
    await first.settled
    #expect(reactor.reports.entries.map(\.actionNumber) == [ActionNumber(rawValue: 1)])
  }
}

/// A reactor whose author has named it.
private actor NamedReactor: Reactor {
  typealias Action = Int
  typealias State = Int

  let initialState = 0
  let pipeline: Pipeline
  let reports = ReportLog()

  init(_ name: String) { pipeline = Pipeline(named: name, inboxLimit: 10) }

  func mutate(action: Int) -> MutationStream<Int> { .empty }

  func reduce(state: inout Int, mutation: Int) {}

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}
