import Reactor
import ReactorComposition
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// What a gate lets through in the moments that are hard to hit.
@Suite(.bounded) struct GateOrderTests {
  private let store = ScriptedStore()
  private let gate = Gate()

  @Test func `outputs that wait when the store has failed are not performed`() async throws {
    let (executor, performed, isOver) = (ManualExecutor(), Log<Int>(), Gate())
    let reports = ReportLog()
    let cart = ManualExecutorCartReactor(executor, performed, reports)
    let running = Task { await executor.run { isOver.isOpen } }
    let journal = try await Journal(.store(store))
    _ = try await journal.open("1") { cart }
    await store.prepare([.fail, .fail])
    await store.stall(at: gate)
    cart.send(1)
    await gate.reached()
    isOver.open()
    executor.wake()
    await running.value

    // The failure is on its way to the reactor, and the action behind it.
    let before = executor.arrivals
    gate.open()
    await executor.arrivals(upTo: before + 1)
    let late = cart.send(2)
    let isDone = Gate()
    let rest = Task { await executor.run { isDone.isOpen } }
    let outcome = await late.outcome
    guard case .neverBegun = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(performed.entries == [1])
    #expect(await cart.currentState == [])
    await cart.stop().settled
    isDone.open()
    executor.wake()
    await rest.value
  }

  @Test func `a store that fails during a drain cancels effects at once`() async throws {
    let (executor, isOver, isDone) = (ManualExecutor(), Gate(), Gate())
    let (ends, effects) = (EndObserver(), Gate())
    let cart = ManualExecutorCartReactor(executor, Log(), ReportLog(), effects: effects)
    cart.addObserver(ends)
    let running = Task { await executor.run { isOver.isOpen } }
    let journal = try await Journal(.store(store))
    _ = try await journal.open("1") { cart }
    await store.prepare([.fail, .fail])
    await store.stall(at: gate)
    cart.send(-7)
    await effects.reached()
    cart.send(1)
    await gate.reached()
    let stopped = cart.stop(.drain)
    _ = await ends.steps.entries(upTo: 1)
    isOver.open()
    executor.wake()
    await running.value

    // The failure is on its way to the reactor, and the effect's mutation behind it.
    let before = executor.arrivals
    gate.open()
    await executor.arrivals(upTo: before + 1)
    effects.open()
    await executor.arrivals(upTo: before + 2)
    let rest = Task { await executor.run { isDone.isOpen } }
    #expect(await stopped.abandoned.flatMap(\.actions).count == 1)
    await stopped.settled
    #expect(await cart.currentState == [])
    #expect(ends.steps.entries == ["stopping", "stopped"])
    isDone.open()
    executor.wake()
    await rest.value
  }

  @Test func `a stop waits for the answer to a request that has begun`() async throws {
    let (executor, isOver, isDone, ends) = (ManualExecutor(), Gate(), Gate(), EndObserver())
    let cart = ManualExecutorCartReactor(executor, Log(), ReportLog())
    cart.addObserver(ends)
    let running = Task { await executor.run { isOver.isOpen } }
    let journal = try await Journal(.store(store))
    _ = try await journal.open("1") { cart }
    let commands = try #require(cart.pipeline.outputStage?.commands)
    commands.note(StoredCommand(id: "a", request: 1, standing: .begun))
    await cart.send(1).settled
    let stopped = cart.stop(.drain)
    _ = await ends.steps.entries(upTo: 2)
    isOver.open()
    executor.wake()
    await running.value

    // Its action has settled, and the task of the request continues.
    commands.note(StoredCommand(id: "a", request: 1, standing: .ended(answer: "1")))
    let rest = Task { await executor.run { isDone.isOpen } }
    await commands.write()
    await stopped.settled
    let kept = try await store.entries(
      of: JournalKey(name: "hand-cart", id: "1"), after: 0, limit: 9
    ).filter { $0.kind == .command }.map {
      try JSONJournalCodec().decode(StoredCommand.self, from: $0.payload).standing
    }
    #expect(kept == [.begun, .ended(answer: "1")])
    isDone.open()
    executor.wake()
    await rest.value
  }

  @Test func `ended work that is not durable yet is open to a cancelled waiter`() async throws {
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1") { CartReactor() }
    await store.stall(at: gate)
    let asking = Task { await cart.outcome(of: .add(1)) }
    await gate.reached()
    asking.cancel()
    let outcome = await asking.value
    if case .open = outcome {} else { Issue.record("\(outcome)") }
    gate.open()
    await cart.stop(.drain).settled
    #expect(await cart.currentState.items == [1])
  }

  @Test func `an intermediate state of a batch is not shown when it is durable`() async throws {
    let cart = HookedCartReactor(gate)
    let journal = try await Journal(.store(store))
    _ = try await journal.open("1") { cart }
    var states = cart.state.makeAsyncIterator()
    #expect(await states.next() == [])
    cart.sendTogether([1, 2, 3])
    await gate.reached()
    try await cart.pipeline.durable()
    gate.open()
    #expect(await states.next() == [1, 2, 3])
  }

  @Test func `what is sent together to two journaled reactors is shown of both at once`()
    async throws
  {
    for _ in 0..<TestCounts.rounds(20) {
      let journal = try await Journal(.inMemory)
      let one = try await journal.open("1") { CartReactor() }
      let other = try await journal.open("2") { CartReactor() }
      let group = ReactorGroup<Int>()
      for cart in [one, other] { group.add(cart) { .add($0) } }
      let both = combining(one.state, other.state)
      let watcher = Task {
        var torn = 0
        for await (one, other) in both {
          torn += one == other ? 0 : 1
          if one.items.count == 30 { break }
        }
        return torn
      }
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<3 {
          tasks.addTask {
            for number in 0..<10 {
              let receipt = group.send(task * 10 + number)
              if number % 2 == 0 { await receipt.settled }
            }
          }
        }
      }
      #expect(await watcher.value == 0)
      for cart in [one, other] { await cart.stop().settled }
    }
  }

  @Test func `a group goes on beside a reactor that its store has ended`() async throws {
    let problems = ReportLog()
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1") { CartReactor(problems: problems) }
    let group = ReactorGroup<Int>()
    group.add(cart) { .add($0) }
    await store.prepare([.fail, .fail])
    await cart.send(.add(1)).settled
    _ = await group.snapshot()
    await cart.stop().settled
    _ = await group.snapshot()
    #expect(problems.problems.contains("journalFailed"))
  }
}

/// Notes the steps of an end.
private final class EndObserver: ReactorObserver {
  let steps = Log<String>()
  let needs: ObserverNeeds = [.lifecycle]

  func observe(_ step: ReactorStep) {
    switch step.kind {
    case .stopping: steps.append("stopping")
    case .stopped: steps.append("stopped")
    default: break
    }
  }
}

/// A journaled reactor whose jobs run when a test says so; an effect adds the negative numbers.
private actor ManualExecutorCartReactor: Reactor, JournaledReactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  static let journalName = "hand-cart"
  static let journalVersion = 1
  static let initialState: [Int] = []
  nonisolated let pipeline = Pipeline()
  nonisolated let executor: ManualExecutor
  nonisolated let performed: Log<Int>
  nonisolated let reports: ReportLog
  nonisolated let effects: Gate

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ executor: ManualExecutor, _ performed: Log<Int>, _ reports: ReportLog,
    effects: Gate = Gate()
  ) {
    (self.executor, self.performed, self.reports) = (executor, performed, reports)
    self.effects = effects
  }

  func mutate(action: Int) -> MutationStream<Int> {
    performed.append(action)
    if action > 0 { return .just(action) }
    return .run { [effects] emit in
      await effects.pass()
      await emit(action)
    }
  }

  static func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

/// A journaled reactor whose hook holds the second mutation back.
private actor HookedCartReactor: Reactor, JournaledReactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]

  static let journalName = "hooked-cart"
  static let journalVersion = 1
  static let initialState: [Int] = []
  nonisolated let pipeline = Pipeline()
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    mutation.map { [gate] mutation in
      if mutation == 2 { await gate.pass() }
      return mutation
    }
  }

  static func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
