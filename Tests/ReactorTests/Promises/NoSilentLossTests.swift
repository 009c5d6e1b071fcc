import Reactor
import TestLimits
import TestSupport
import Testing

/// Refused, dropped, evicted and late work is reported, and nothing else is.
@Suite(.bounded) struct NoSilentLossTests {
  @Test func `what a stopped reactor refuses, and what it had not begun`() async {
    let gate = Gate()
    let reactor = LanedReactor(script: { _, action in
      .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }) { _, _ in .sequential("a") }
    reactor.send(1)
    reactor.send(2)
    await gate.reached()
    await reactor.stop().settled
    #expect(reactor.send(3).isRefused)
    #expect(reactor.reports.problems == ["actionDropped", "actionRefused"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [2, 3])
  }

  @Test func `what a lane drops, and what it evicts`() async {
    let leading = LanedReactor { _, _ in .leading("a") }
    await leading.sendAll(1...2)[1].settled
    #expect(leading.reports.problems == ["dropped(a)"])
    let latest = LanedReactor { _, _ in .latest("a") }
    await latest.sendAll(1...2)[0].settled
    #expect(latest.reports.problems == ["evicted(a)"])
  }

  @Test func `each of many actions is reported or reduced, once, from any sender`() async {
    let reactor = ScriptedReactor()
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask { for number in 0..<100 { reactor.send(sender * 100 + number) } }
      }
      group.addTask { await reactor.stop().settled }
    }
    let reduced = await reactor.currentState
    let reported = reactor.reports.entries.compactMap { $0.action as? Int }
    #expect((reduced + reported).sorted() == Array(0..<400))
  }

  @Test func `what finishes is not reported`() async {
    let reactor = ScriptedReactor { _, action in .run { emit in await emit(action) } }
    for action in 1...100 { reactor.send(action) }
    await reactor.stop(.drain).settled
    #expect(await reactor.currentState == Array(1...100))
    #expect(reactor.reports.entries.isEmpty)
  }
}
