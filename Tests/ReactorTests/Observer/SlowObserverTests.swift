import Dispatch
import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// Observers that take their time, and those that come and go meanwhile.
@Suite(.bounded) struct SlowObserverTests {
  /// Runs a reactor's jobs on a thread of its own.
  private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "reactor")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private actor Apart: Reactor {
    typealias Action = Int
    typealias Mutation = Int
    let initialState = 0
    let pipeline = Pipeline()
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  /// Blocks its thread until it is let go on, once for each action.
  private struct Blocking: ReactorObserver {
    let needs: ObserverNeeds = [.taken]
    let entered = Log<Int>()
    let door = DispatchSemaphore(value: 0)

    func observe(_ step: ReactorStep) {
      entered.append(0)
      door.wait()
    }
  }

  @Test func `an observer that blocks delays no other reactor and no sender`() async {
    let (apart, other, blocking) = (Apart(), ScriptedReactor(), Blocking())
    apart.addObserver(blocking)
    let first = apart.send(1)
    _ = await blocking.entered.entries(upTo: 1)
    let receipts = (0..<100).map { apart.send($0) }
    await other.send(1).settled
    #expect(blocking.entered.count == 1)
    for _ in 0...100 { blocking.door.signal() }
    await first.settled
    for receipt in receipts { await receipt.settled }
    #expect(blocking.entered.count == 101)
  }

  @Test func `an observer may remove itself while it is notified`() async {
    final class Once: ReactorObserver {
      let log = Log<String>()
      let registration = Guarded<Registration?>(nil)

      func observe(_ step: ReactorStep) {
        log.append(step.words)
        if case .taken = step.kind { registration.withLock { $0 }?.remove() }
      }
    }
    let (once, reactor) = (Once(), ScriptedReactor())
    let registration = reactor.addObserver(once)
    once.registration.withLock { $0 = registration }
    for action in 0..<2 { await reactor.send(action).settled }
    #expect(once.log.entries == ["started", "0 taken"])
  }

  @Test func `observers that come and go on other threads do not affect one that stays`()
    async
  {
    let (log, reactor) = (StepLog(), ScriptedReactor())
    reactor.addObserver(log)
    let count = TestCounts.rounds(500)
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<count {
            let registration = reactor.addObserver(StepLog())
            reactor.send(1)
            registration.remove()
          }
        }
      }
      for _ in 0..<2 {
        group.addTask { for _ in 0..<count { reactor.send(2) } }
      }
    }
    await reactor.send(3).settled
    let story = ObserverStory(steps: log.steps)
    #expect(story.problems(state: await reactor.currentState) == [])
    #expect(log.steps.count { $0.kind.text == "taken" } == 4 * count + 1)
  }
}
