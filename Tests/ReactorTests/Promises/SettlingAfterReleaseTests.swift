import AsyncAlgorithms
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// A receipt of a released reactor also settles when its action's own work has ended: the effects
/// that the release has cancelled may have something to clean up.
@Suite(.bounded) struct SettlingAfterReleaseTests {
  @Test func `a receipt waits for the cleanup of what the release has cancelled`() async {
    let work = CleaningUp()
    var reactor: ScriptedReactor? = work.reactor()
    let receipt = reactor?.send(1)
    await work.started.reached()
    async let waited: Void? = receipt?.settled
    reactor = nil
    await work.cleanup.reached()
    #expect(await receipt?.isSettled == false)
    work.cleanup.open()
    await waited
    #expect(work.log.entries == ["cleaned up"])
    #expect(await receipt?.isSettled == true)
  }

  @Test func `a task that waits after the release waits for the cleanup, too`() async {
    let work = CleaningUp()
    var reactor: ScriptedReactor? = work.reactor()
    let receipt = reactor?.send(1)
    await work.started.reached()
    reactor = nil
    await work.cleanup.reached()
    async let waited: Void? = receipt?.settled
    async let outcome = receipt?.outcome
    #expect(await receipt?.isSettled == false)
    work.cleanup.open()
    await waited
    #expect(work.log.entries == ["cleaned up"])
    #expect(await outcome?.text == "reactorEnded")
    #expect(await receipt?.outcome.text == "reactorEnded")
  }

  @Test func `the receipt of an unreferenced reactor settles when its work has ended`() async {
    let log = Log<String>()
    for _ in 1...100 {
      let reactor = ScriptedReactor { _, _ in
        .run { _ in
          defer { log.append("cleaned up") }
          for await _ in AsyncStream<Never>.makeStream().stream {}
          await Task {}.value
        }
      }
      await sent(to: consume reactor).settled
      log.append("settled")
    }
    #expect(log.entries == Array(repeating: ["cleaned up", "settled"], count: 100).flatMap(\.self))
  }

  @Test func `every part of a merge has ended when the receipt settles`() async {
    let work = CleaningUp()
    var reactor: ScriptedReactor? = ScriptedReactor { _, _ in
      .merge(work.effect, .run { await $0(1) }, work.effect)
    }
    let receipt = reactor?.send(1)
    await work.started.reached(by: 2)
    reactor = nil
    await work.cleansUpTwice(before: receipt)
  }

  @Test func `a tracked receipt waits for the cleanup`() async throws {
    let work = CleaningUp()
    var reactor: ScriptedReactor? = work.reactor()
    let receipt = reactor?.sendTracked(1)
    await work.started.reached()
    reactor = nil
    await work.cleanup.reached()
    // No action can join any more once all have ended.
    try #require(receipt?.chain?.join()).leave()
    work.cleanup.open()
    await receipt?.settled
    #expect(work.log.entries == ["cleaned up"])
  }

  @Test func `the receipt of a stop waits for the cleanup`() async {
    let work = CleaningUp()
    var reactor: ScriptedReactor? = work.reactor()
    reactor?.send(1)
    await work.started.reached()
    let stopped = reactor?.stop()
    await work.cleanup.reached()
    _ = await stopped?.abandoned
    reactor = nil
    #expect(stopped?.isSettled == false)
    work.cleanup.open()
    await stopped?.settled
    #expect(work.log.entries == ["cleaned up"])
  }

  @Test func `behind a hook, the further actions that it made count as well`() async {
    let work = CleaningUp()
    var reactor: ActionHookedLaned? = ActionHookedLaned(
      script: { _, _ in work.effect }, lane: { _, _ in .concurrent("lane", atMost: 3) }
    ) { $0.shapeActions = { actions in Erased(actions.flatMap { [$0, $0].async }) } }
    let receipt = reactor?.send(1)
    await work.started.reached(by: 2)
    reactor = nil
    await work.cleansUpTwice(before: receipt)
  }

  @Test func `what waits in a lane has no work to wait for`() async {
    let work = CleaningUp()
    var reactor: LanedReactor? = LanedReactor(script: { _, _ in work.effect }) { _, _ in
      .sequential("lane")
    }
    let receipts = [reactor?.send(1), reactor?.send(2)]
    await work.started.reached()
    await reactor?.flush()
    reactor = nil
    await work.cleanup.reached()
    await receipts[1]?.settled
    #expect(await receipts[0]?.isSettled == false)
    work.cleanup.open()
    await receipts[0]?.settled
    #expect(work.log.entries == ["cleaned up"])
    #expect(await receipts[0]?.outcome.text == "reactorEnded")
    #expect(await receipts[1]?.outcome.text == "neverBegun")
  }
}

/// Work that is cancelled, and then has something to clean up that takes its time.
private struct CleaningUp {
  let started = Gate()
  let cleanup = Gate()
  let log = Log<String>()

  func reactor() -> ScriptedReactor { ScriptedReactor { _, _ in effect } }

  var effect: MutationStream<Int> {
    .run { [self] _ in
      try? await started.wait()
      await cleanup.pass()
      log.append("cleaned up")
    }
  }

  /// Its effect runs twice, and has been cancelled.
  func cleansUpTwice<R: Reactor>(before receipt: ActionReceipt<R>?) async {
    await cleanup.reached(by: 2)
    #expect(await receipt?.isSettled == false)
    cleanup.open()
    await receipt?.settled
    #expect(log.entries == ["cleaned up", "cleaned up"])
  }
}

/// Sends an action to a reactor that is not referenced from then on.
private func sent(to reactor: consuming ScriptedReactor) -> ActionReceipt<ScriptedReactor> {
  reactor.send(1)
}
