import Dispatch
import JournalFixture
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor
@testable import ReactorJournal

/// The gate alone, step by step.
@Suite(.bounded) struct OutputGateTests {
  @Test func `a waiter reads the newest state that may be shown`() {
    let gate = ReactorGate<SumReactor>(writer: IdleWriter(), last: 0)
    let seen = Log<Int?>()
    // Nothing observes, so that there is one state for each batch.
    gate.reduced(1, to: .unobserved(1), of: 0)
    gate.leave(.end { seen.append(gate.shown) })
    let batch = gate.takeBatch(.unobserved(1))
    #expect(seen.count == 0)
    gate.written(batch, .unobserved(1))
    #expect(seen.entries == [1])
  }

  @Test func `a waiter for one batch reads its state, not a later one`() {
    let gate = ReactorGate<SumReactor>(writer: IdleWriter(), last: 0)
    let seen = Log<Int?>()
    gate.reduced(1, to: .unobserved(1), of: 0)
    gate.leave(.end { seen.append(gate.shown) })
    let batch = gate.takeBatch(.unobserved(1))
    gate.reduced(1, to: .unobserved(2), of: 1)
    gate.written(batch, .unobserved(2))
    #expect(seen.entries == [1])
  }

  @Test func `written one by one, a waiter reads the state after its entry`() {
    let gate = ReactorGate<SumReactor>(writer: IdleWriter(batchLimit: 1), last: 0)
    let seen = Log<Int?>()
    gate.reduced(1, to: .unobserved(1), of: 0)
    gate.leave(.end { seen.append(gate.shown) })
    gate.reduced(1, to: .unobserved(2), of: 1)
    let batch = gate.takeBatch(.unobserved(2))
    gate.written(batch, .unobserved(2))
    #expect(seen.entries == [1])
  }

  @Test func `a notification between two states is delivered between them`() {
    let gate = ReactorGate<SumReactor>(writer: IdleWriter(), last: 0)
    let engine = ListeningEngine()
    gate.begin(in: engine)
    gate.reduced(1, to: .observed(1), of: 0)
    gate.leave(.milestone(1, version: 1) { engine.seen.append("told") })
    gate.reduced(1, to: .observed(2), of: 1)
    let batch = gate.takeBatch(.observed(2))
    gate.written(batch, .observed(2))
    #expect(engine.seen.entries == ["state 1", "told", "state 2"])
  }

  @Test func `without observers, a notification comes with the state of its moment`() {
    let gate = ReactorGate<SumReactor>(writer: IdleWriter(), last: 0)
    let seen = Log<Int?>()
    gate.reduced(1, to: .unobserved(1), of: 0)
    gate.leave(.milestone(1, version: 1) { seen.append(gate.shown) })
    gate.reduced(1, to: .unobserved(2), of: 1)
    let batch = gate.takeBatch(.unobserved(2))
    gate.written(batch, .unobserved(2))
    #expect(seen.entries == [1] && gate.shown == 2)
  }

  @Test(arguments: [9, 10, 11])
  func `a command in between does not divide what an action emits at once`(
    _ place: Int
  ) {
    let gate = ReactorGate<SumReactor>(writer: IdleWriter(), last: 0)
    for number in 1...12 {
      if number == place { gate.note(StoredCommand(id: "a", request: 1, standing: .begun)) }
      gate.reduced(1, to: .unobserved(number), of: 0)
    }
    #expect(gate.takeBatch(.unobserved(12)).count { $0.command == nil } == 12)
  }

  @Test func `behind a command, another action's mutations wait for the next batch`() {
    let gate = ReactorGate<SumReactor>(writer: IdleWriter(), last: 0)
    for number in 1...12 {
      if number == 10 { gate.note(StoredCommand(id: "a", request: 1, standing: .begun)) }
      gate.reduced(1, to: .unobserved(number), of: number < 10 ? 0 : 1)
    }
    #expect(gate.takeBatch(.unobserved(12)).map(\.sequence) == Array(1...9))
    #expect(gate.takeBatch(.unobserved(12)).map(\.sequence) == Array(10...13))
  }

  @Test func `after the window, nothing overtakes an output that is still held`() {
    let writer = OverdueWriter()
    let gate = ReactorGate<SumReactor>(writer: writer, last: 0)
    let engine = ListeningEngine()
    gate.begin(in: engine)
    gate.reduced(1, to: .observed(1), of: 0)
    let batch = gate.takeBatch(.observed(1))
    gate.note(StoredCommand(id: "a", request: 1, standing: .begun))
    // Transient: of the entries, only the command's is not in the batch.
    gate.reduced(0, to: .observed(2), of: 1)
    gate.written(batch, .observed(2))
    #expect(writer.isWriteBehind)
    gate.reduced(0, to: .observed(3), of: 2)
    gate.leave(.end { engine.seen.append("end") })
    #expect(engine.seen.entries == ["state 1"])
    let rest = gate.takeBatch(.observed(3))
    gate.written(rest, .observed(3))
    #expect(engine.seen.entries == ["state 1", "state 2", "state 3", "end"])
  }

  @Test func `every batch that something waits for is expedited`() {
    let writer = IdleWriter(batchLimit: 2)
    let gate = ReactorGate<SumReactor>(writer: writer, last: 0)
    for number in 1...3 { gate.reduced(1, to: .unobserved(number), of: UInt64(number)) }
    gate.openWhenDurable(Latch())
    #expect(writer.expedited.count == 1)
    gate.written(gate.takeBatch(.unobserved(3)), .unobserved(3))
    #expect(writer.expedited.count == 2)
    // Now nothing waits any more.
    gate.written(gate.takeBatch(.unobserved(3)), .unobserved(3))
    #expect(writer.expedited.count == 2)
  }

  @Test func `a stop waits at the gate on the reactor`() async {
    let writer = StallingWriter()
    let cart = QueuedCartReactor()
    #expect(await cart.begin(from: 0, writing: writer, after: 0))
    cart.send(1)
    let stopped = cart.stop()
    _ = await writer.expedited.entries(upTo: 1)
    writer.gate.open()
    await stopped.settled
    #expect(writer.expedited.entries.allSatisfy { $0 })
  }
}

extension StagedView<Int> {
  fileprivate static func observed(_ number: Int) -> Self {
    Self(state: number, version: UInt64(number), isShown: true, isObserved: true)
  }

  fileprivate static func unobserved(_ number: Int) -> Self {
    Self(state: number, version: UInt64(number), isShown: true, isObserved: false)
  }
}

/// Notes which states are released.
private final class ListeningEngine: StagedEngine {
  let seen = Log<String>()

  var actor: (any Actor)? { nil }
  var view: StagedView<Int>? { nil }
  var isWorkEnded: Bool { true }

  func release(_ item: StagedItem<Int, Never>) {
    if case .state(let state, _) = item { seen.append("state \(state)") }
  }

  func durable(upTo sequence: Int) {}
  func report(_ problem: ReactorReport.Problem) {}
  nonisolated(nonsending) func waitUnlessExpedited(_ open: (Latch) -> Void) async {}

  nonisolated(nonsending) func fail(
    with error: any Error, showing state: Int?, _ shut: @Sendable () -> Void
  ) async {}
}

/// A queue that can check whether the current thread is on it.
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
}

/// Writes batches once its gate is open, and records whether `expedite()` is called on the queue.
private final class StallingWriter: GateWriter {
  let hashesEvery = 0
  let batchLimit = 9
  let isWriteBehind = false
  let gate = Gate()
  let expedited = Log<Bool>()

  func writes(_ mutation: Int) -> Bool { true }
  func prepare() async {}
  func expedite() { expedited.append(KnownQueue.isCurrent) }
  func command(_ id: String) async throws -> StoredCommand? { nil }
  func write(_ batch: [GateEntry<Int, Int>]) async throws { await gate.pass() }
  func written(_ state: Int?, at sequence: Int) {}
  func close() async {}
}

/// Writes nothing: the test says when something has been written.
private final class IdleWriter: GateWriter {
  let hashesEvery = 0
  let batchLimit: Int
  let isWriteBehind = false
  let expedited = Log<Int>()

  init(batchLimit: Int = 9) { self.batchLimit = batchLimit }

  func writes(_ mutation: Int) -> Bool { true }
  func prepare() async {}
  func expedite() { expedited.append(0) }
  func command(_ id: String) async throws -> StoredCommand? { nil }
  func write(_ batch: [GateEntry<Int, Int>]) async throws {}
  func written(_ state: Int?, at sequence: Int) {}
  func close() async {}
}

/// A writer whose window has passed, until something is durable.
private final class OverdueWriter: GateWriter {
  let hashesEvery = 0
  let batchLimit = 9
  private let isOverdue = Guarded(true)

  var isWriteBehind: Bool { isOverdue.withLock { !$0 } }

  func writes(_ mutation: Int) -> Bool { mutation != 0 }
  func prepare() async {}
  func expedite() {}
  func command(_ id: String) async throws -> StoredCommand? { nil }
  func write(_ batch: [GateEntry<Int, Int>]) async throws {}
  func written(_ state: Int?, at sequence: Int) { isOverdue.withLock { $0 = false } }
  func close() async {}
}
