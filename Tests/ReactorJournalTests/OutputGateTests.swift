import Dispatch
import JournalFixture
import ReactorJournal
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// The gate alone, step by step.
@Suite(.bounded) struct OutputGateTests {
  @Test func `whoever waited finds the newest state that may be seen`() {
    let gate = PipelineGate<SumReactor>(keeper: IdleKeeper(), last: 0)
    let seen = Log<Int?>()
    // Nobody watches, so that there is one state for each batch.
    _ = gate.reduced(1, 1, version: 1, isWatched: false, isShown: true, cause: 0)
    gate.leave(.errand { seen.append(gate.own.shown) })
    _ = gate.takeBatch(1, version: 1)
    #expect(seen.count == 0)
    gate.kept(through: 1, now: 1, version: 1, isShown: true)
    #expect(seen.entries == [1])
  }

  @Test func `whoever waited for one batch finds its state, not a later one`() {
    let gate = PipelineGate<SumReactor>(keeper: IdleKeeper(), last: 0)
    let seen = Log<Int?>()
    _ = gate.reduced(1, 1, version: 1, isWatched: false, isShown: true, cause: 0)
    gate.leave(.errand { seen.append(gate.own.shown) })
    _ = gate.takeBatch(1, version: 1)
    _ = gate.reduced(1, 2, version: 2, isWatched: false, isShown: true, cause: 1)
    gate.kept(through: 1, now: 2, version: 2, isShown: true)
    #expect(seen.entries == [1])
  }

  @Test func `what is told between two states is told between them`() {
    let gate = PipelineGate<SumReactor>(keeper: IdleKeeper(), last: 0)
    let seen = Log<String>()
    gate.own.show = { state, _ in seen.append("state \(state)") }
    _ = gate.reduced(1, 1, version: 1, isWatched: true, isShown: true, cause: 0)
    gate.leave(.milestone(1, version: 1) { seen.append("told") })
    _ = gate.reduced(1, 2, version: 2, isWatched: true, isShown: true, cause: 1)
    _ = gate.takeBatch(2, version: 2)
    gate.kept(through: 2, now: 2, version: 2, isShown: true)
    #expect(seen.entries == ["state 1", "told", "state 2"])
  }

  @Test func `whoever is told finds the state of that moment, where nobody watches`() {
    let gate = PipelineGate<SumReactor>(keeper: IdleKeeper(), last: 0)
    let seen = Log<Int?>()
    _ = gate.reduced(1, 1, version: 1, isWatched: false, isShown: true, cause: 0)
    gate.leave(.milestone(1, version: 1) { seen.append(gate.own.shown) })
    _ = gate.reduced(1, 2, version: 2, isWatched: false, isShown: true, cause: 1)
    _ = gate.takeBatch(2, version: 2)
    gate.kept(through: 2, now: 2, version: 2, isShown: true)
    #expect(seen.entries == [1] && gate.own.shown == 2)
  }

  @Test(arguments: [9, 10, 11])
  func `a command that comes in between does not part what an action emits at once`(
    _ place: Int
  ) {
    let gate = PipelineGate<SumReactor>(keeper: IdleKeeper(), last: 0)
    for number in 1...12 {
      if number == place { gate.note(KeptCommand(id: "a", request: 1, standing: .begun)) }
      _ = gate.reduced(
        1, number, version: UInt64(number), isWatched: false, isShown: true, cause: 0)
    }
    #expect(gate.takeBatch(12, version: 12).count { $0.command == nil } == 12)
  }

  @Test func `behind a command, another action's mutations wait for the next batch`() {
    let gate = PipelineGate<SumReactor>(keeper: IdleKeeper(), last: 0)
    for number in 1...12 {
      if number == 10 { gate.note(KeptCommand(id: "a", request: 1, standing: .begun)) }
      _ = gate.reduced(
        1, number, version: UInt64(number), isWatched: false, isShown: true,
        cause: number < 10 ? 0 : 1)
    }
    #expect(gate.takeBatch(12, version: 12).map(\.sequence) == Array(1...9))
    #expect(gate.takeBatch(12, version: 12).map(\.sequence) == Array(10...13))
  }

  @Test func `whoever ends a reactor waits at its gate on the reactor`() async {
    let keeper = StallingKeeper()
    let cart = QueuedCartReactor()
    #expect(await cart.open(behind: keeper))
    cart.send(1)
    let stopped = cart.stop()
    _ = await keeper.hurries.entries(upTo: 1)
    keeper.gate.open()
    await stopped.settled
    #expect(keeper.hurries.entries.allSatisfy { $0 })
  }
}

/// A queue that tells who is on it.
private final class KnownQueue: SerialExecutor {
  private static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "cart")

  init() { queue.setSpecific(key: Self.key, value: true) }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

/// A journaled reactor on a queue of its own.
private actor QueuedCartReactor: Reactor, JournaledReactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  static let journalName = "queued-cart"
  static let journalVersion = 1
  static let initialState = 0
  nonisolated let pipeline = Pipeline()

  private nonisolated let queue = KnownQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func mutate(action: Int) -> MutationStream<Int> { .just(action) }

  static func reduce(state: inout Int, mutation: Int) { state += mutation }

  func open(behind keeper: StallingKeeper) -> Bool {
    pipeline.open(
      from: 0, behind: PipelineGate<QueuedCartReactor>(keeper: keeper, last: 0), on: self)
  }
}

/// Keeps what it is given once its gate is open, and notes whether it is hurried on the queue.
private final class StallingKeeper: MutationKeeper {
  let batchLimit = 9
  let isBehind = false
  let gate = Gate()
  let hurries = Log<Bool>()

  func keeps(_ mutation: Int) -> Bool { true }
  func wantsState(after sequence: Int) -> Bool { false }
  func prepare() async {}
  func hurry() { hurries.append(KnownQueue.isCurrent) }
  func command(_ id: String) async throws -> KeptCommand? { nil }
  func keep(_ batch: [KeptMutation<Int, Int>]) async throws { await gate.pass() }
  func kept(_ state: Int?, at sequence: Int) {}
  func close() async {}
}

/// Keeps nothing: the test says when something has been kept.
private final class IdleKeeper: MutationKeeper {
  let batchLimit = 9
  let isBehind = false

  func keeps(_ mutation: Int) -> Bool { true }
  func wantsState(after sequence: Int) -> Bool { false }
  func prepare() async {}
  func hurry() {}
  func command(_ id: String) async throws -> KeptCommand? { nil }
  func keep(_ batch: [KeptMutation<Int, Int>]) async throws {}
  func kept(_ state: Int?, at sequence: Int) {}
  func close() async {}
}
