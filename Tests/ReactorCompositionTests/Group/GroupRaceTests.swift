import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// What several threads can do to a group at the same moment, each done so often that the moment
/// comes.
@Suite(.bounded) struct GroupRaceTests {
  @Test func `a cancel while the action is being put into an inbox takes effect`() async throws {
    for _ in 0..<TestCounts.rounds(200) {
      let executor = ManualExecutor()
      let (first, second) = (ScriptedReactor(), CustomExecutorReactor(executor))
      let group = ReactorGroup<Int>()
      group.add(first)
      try group.add(second, after: first)
      // The second one has no thread as yet: it gets the action, and takes nothing.
      let receipt = group.send(1)
      let cancelling = Task { receipt.cancel() }
      await first.send(2).settled
      await cancelling.value
      let isOver = Gate()
      async let work: Void = executor.run { isOver.isOpen }
      await second.send(10).settled
      #expect(await second.currentState == [10, 11])
      isOver.open()
      second.send(11)
      await work
    }
  }

  @Test func `a snapshot with many members between payer and payee has no money twice`() async {
    for isReversed in [false, true] {
      let (payer, payee) = (ScriptedReactor(), ScriptedReactor())
      let group = ReactorGroup<Int>()
      var members = [payer] + (0..<300).map { _ in ScriptedReactor() } + [payee]
      if isReversed { members.reverse() }
      for member in members { group.add(member) { _ in nil } }
      // Each action of the payer is paid out in its turn: gone here before it is there.
      await payer.addStage { _, action, mutate in
        .concat(mutate(action), .run { _ in payee.send(action) })
      }
      await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask { for coin in 0..<TestCounts.rounds(2_000) { payer.send(coin) } }
        tasks.addTask {
          for _ in 0..<TestCounts.rounds(40) {
            let (paid, got) = await group.snapshot(of: payer, payee)
            #expect((got?.count ?? 0) <= (paid?.count ?? 0))
          }
        }
      }
    }
  }
}
