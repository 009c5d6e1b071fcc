import Reactor
import TestLimits
import TestSupport
import Testing

/// The outcomes of actions whose effects end while the reactor ends.
@Suite(.bounded) struct OutcomeAtEndTests {
  /// The effects have to end between two steps of the end, so a run of this test can pass even if
  /// outcomes change.
  @Test func `an action that has finished stays finished when the reactor ends`() async {
    for _ in 0..<300 {
      let gate = Gate()
      let reactor = ScriptedReactor { _, _ in .run { _ in await gate.pass() } }
      let receipts = (0..<8).map { reactor.send($0) }
      await gate.reached(by: receipts.count)
      let reading = receipts.map { receipt in Task { await receipt.outcome.isFinished } }
      let stopping = Task { await reactor.stop().settled }
      gate.open()
      var early: [Bool] = []
      for read in reading { early.append(await read.value) }
      await stopping.value
      for (receipt, hadFinished) in zip(receipts, early) where hadFinished {
        #expect(await receipt.outcome.isFinished)
      }
    }
  }
}
