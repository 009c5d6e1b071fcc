import Reactor
import ReactorComposition
import ReactorJournal
import ReactorJournalTesting
import TestLimits
import TestSupport
import Testing

/// Durable before visible: what waits until mutations are kept, and what does not.
@Suite(.bounded) struct DurableBeforeVisibleTests {
  let store = ScriptedStore()
  let gate = Gate()

  private func open(_ durability: Durability = .group) async throws -> CartReactor {
    try await Journal(.store(store)).open("1", durability: durability) { CartReactor() }
  }

  /// Once this returns, the store has an append in its hands that waits at the gate.
  private func stalled(_ cart: CartReactor) async {
    await store.stall(at: gate)
    cart.send(.add(1))
    await gate.reached()
  }

  @Test func `a state is delivered once its mutations are durable`() async throws {
    let cart = try await open()
    var states = cart.state.makeAsyncIterator()
    #expect(await states.next()?.items == [])
    await stalled(cart)
    #expect(await cart.currentState.items == [1])
    let seen = Task { [state = cart.state] in
      for await state in state { return state.items }
      return []
    }
    // A subscriber that comes meanwhile is shown what is kept.
    #expect(await seen.value == [])
    gate.open()
    #expect(await states.next()?.items == [1])
  }

  @Test func `every state reaches an observer in order`() async throws {
    let cart = try await open()
    var states = cart.state.makeAsyncIterator()
    _ = await states.next()
    for item in 1...50 { cart.send(.add(item)) }
    for count in 1...50 { #expect(await states.next()?.items.count == count) }
  }

  @Test func `settled returns once the mutations are durable`() async throws {
    let cart = try await open()
    await stalled(cart)
    let log = Log<String>()
    let settled = Task {
      await cart.send(.add(2)).settled
      log.append("settled")
    }
    await cart.send(.say("taken")).performed
    log.append("opened")
    gate.open()
    await settled.value
    #expect(log.entries == ["opened", "settled"])
    #expect(try await store.extent(of: JournalKey(name: "cart", id: "1")).last == 2)
  }

  @Test func `a tracked receipt settles once the mutations are durable`() async throws {
    let cart = try await open()
    await stalled(cart)
    let log = Log<String>()
    let receipt = cart.sendTracked(.add(2))
    let settled = Task {
      await receipt.settled
      log.append("settled")
    }
    await cart.send(.say("taken")).performed
    log.append("opened")
    gate.open()
    await settled.value
    #expect(log.entries == ["opened", "settled"])
    #expect(await store.batches == [1, 1])
  }

  @Test func `an answer is given once the mutations before it are durable`() async throws {
    let cart = try await open()
    await stalled(cart)
    let log = Log<String>()
    let asked = Task {
      let count = try await cart.ask { .count($0) }
      log.append("answered \(count)")
    }
    await cart.send(.say("hello")).performed
    log.append("opened")
    gate.open()
    try await asked.value
    #expect(log.entries == ["opened", "answered 1"])
  }

  @Test func `an ask with a time limit ends with it, though no answer is durable`() async throws {
    let cart = try await open()
    await stalled(cart)
    let clock = ManualClock()
    let asked = Task { try await cart.ask(within: .seconds(5), clock: clock) { .count($0) } }
    await clock.advance(past: 5)
    let error = await #expect(throws: AskError.self) { try await asked.value }
    #expect(error?.isTimedOut == true)
    // By then it has all happened, and is kept later.
    gate.open()
    #expect(try await cart.ask { .count($0) } == 1)
  }

  @Test func `so does one whose answer came from an effect`() async throws {
    let cart = try await open()
    await stalled(cart)
    let (clock, answers) = (ManualClock(), Gate())
    let asked = Task {
      try await cart.ask(within: .seconds(5), clock: clock) { .countAfter(answers, $0) }
    }
    await answers.reached()
    answers.open()
    await cart.send(.say("")).performed
    await clock.advance(past: 5)
    let error = await #expect(throws: AskError.self) { try await asked.value }
    #expect(error?.isTimedOut == true)
    gate.open()
  }

  @Test func `a lane goes on while the store stalls`() async throws {
    let queue = try await Journal(.store(store)).open("1") { QueueReactor() }
    await store.stall(at: gate)
    let receipts = [1, 2, 3].map { queue.send($0) }
    // The third has the slot when the second's work is done, and nothing of it is kept.
    _ = await queue.begun.entries(upTo: 3)
    #expect(await queue.currentState == [1, 2, 3])
    let settled = Log<Int>()
    let waiting = Task { for receipt in receipts { await receipt.settled; settled.append(1) } }
    #expect(settled.entries == [])
    gate.open()
    await waiting.value
    #expect(await queue.currentState == [1, 2, 3])
  }

  @Test func `an output waits behind the states before it`() async throws {
    let cart = try await open()
    let outputs = cart.outputs()
    await stalled(cart)
    let log = Log<String>()
    let heard = Task { log.append(await outputs.next() ?? "nothing") }
    await cart.send(.say("hello")).performed
    log.append("opened")
    gate.open()
    await heard.value
    #expect(log.entries == ["opened", "hello"])
  }

  @Test func `while one batch is written, the next fills`() async throws {
    let cart = try await open()
    await stalled(cart)
    for item in 2...64 { cart.send(.add(item)) }
    await cart.send(.say("all taken")).performed
    gate.open()
    await cart.send(.add(65)).settled
    let batches = await store.batches
    #expect(batches.first == 1)
    #expect(batches.reduce(0, +) == 65)
    #expect(batches.count <= 3)
  }

  @Test func `each mutation is written by itself where that is configured`() async throws {
    let cart = try await open(.each)
    await cart.send(.addAll([1, 2, 3])).settled
    #expect(await store.batches == [1, 1, 1])
  }

  @Test func `what an action emits at once is stored together`() async throws {
    let cart = try await open()
    await cart.send(.addAll([1, 2, 3])).settled
    #expect(await store.batches == [3])
  }

  @Test func `it is not divided either where there is much of it`() async throws {
    let cart = try await open()
    await stalled(cart)
    cart.send(.add(2))
    cart.send(.addAll(Array(1...5_000)))
    cart.send(.addAll(Array(1...5_000)))
    await cart.send(.say("all taken")).performed
    gate.open()
    await cart.send(.add(3)).settled
    #expect(await store.batches.prefix(3) == [1, 5_001, 5_000])
  }

  @Test func `an effect waits for what it has emitted, if it requests that`() async throws {
    let cart = try await open()
    await store.stall(at: gate)
    let paid = Gate()
    let receipt = cart.send(.pay(1, paid: paid))
    await gate.reached()
    #expect(!paid.isOpen)
    gate.open()
    await receipt.settled
    #expect(paid.isOpen)
  }

  @Test func `a transient mutation is shown and not stored`() async throws {
    let cart = try await open()
    var states = cart.state.makeAsyncIterator()
    _ = await states.next()
    await cart.send(.setLoading(true)).settled
    #expect(await states.next()?.isLoading == true)
    #expect(await store.batches == [])
    await cart.send(.add(1)).settled
    await cart.stop().settled
    #expect(try await open().currentState == .init(items: [1]))
  }

  @Test func `an observer is notified of what is durable once it has been written`() async throws {
    let cart = try await open()
    let observer = DurableObserver()
    cart.addObserver(observer)
    await stalled(cart)
    await cart.send(.say("taken")).performed
    #expect(observer.durableSequences.entries == [])
    gate.open()
    #expect(await observer.durableSequences.entries(upTo: 1) == [1])
    await cart.send(.addAll([2, 3])).settled
    #expect(await observer.durableSequences.entries(upTo: 2) == [1, 3])
  }

  @Test func `a group's snapshot shows what is durable`() async throws {
    let cart = try await open()
    let group = ReactorGroup<Int>()
    group.add(cart) { .add($0) }
    await stalled(cart)
    let log = Log<String>()
    let looked = Task.immediate {
      let state = await group.snapshot(of: cart)
      log.append("saw \(state?.items ?? [])")
    }
    await cart.send(.say("taken")).performed
    log.append("opened")
    gate.open()
    await looked.value
    #expect(log.entries == ["opened", "saw [1]"])
  }

  // MARK: Not behind the gate

  @Test func `a stream of actions delivers them before they are durable`() async throws {
    let cart = try await open()
    let said = cart.actions { if case .say = $0 { true } else { false } }
    await stalled(cart)
    cart.send(.say("hello"))
    guard case .say("hello")? = await said.next() else { return #expect(Bool(false)) }
    #expect(await store.batches == [])
    gate.open()
  }

  @Test func `a report is made before what preceded it is durable`() async throws {
    let problems = ReportLog()
    let cart = try await Journal(.store(store)).open("1") { CartReactor(problems: problems) }
    await stalled(cart)
    cart.send(.fail)
    _ = await problems.entries(upTo: 1)
    #expect(problems.problems == ["effectFailed"])
    #expect(await store.batches == [])
    gate.open()
  }

  @Test func `what is sent to another reactor is sent before it is durable`() async throws {
    let cart = try await open()
    let other = try await Journal(.inMemory).open("2") { CartReactor() }
    await stalled(cart)
    await cart.send(.pass(7, to: other)).performed
    await other.send(.say("after it")).settled
    #expect(await other.currentState.items == [7])
    #expect(await store.batches == [])
    gate.open()
  }

  // MARK: The end

  @Test func `stopping waits until everything is durable`() async throws {
    let cart = try await open()
    await stalled(cart)
    let stopped = cart.stop()
    #expect(!stopped.isSettled)
    gate.open()
    await stopped.settled
    #expect(await store.batches == [1])
  }

  @Test func `a reactor that no journal opened refuses actions and reports it`() async throws {
    let reports = Log<String>()
    let cart = CartReactor(reports)
    let outcome = await cart.outcome(of: .add(1))
    #expect("\(outcome)".contains("notOpened"))
    #expect(await cart.currentState.items == [])
    #expect(reports.entries.count == 1)
    #expect(reports.entries.first?.contains("no journal has the reactor open") == true)
  }

  @Test func `an ask of a reactor that no journal opened gets that reason`() async {
    let cart = CartReactor(Log())
    let error = await #expect(throws: AskError.self) { try await cart.ask { .count($0) } }
    let cure = "no journal has the reactor open; open it with journal.open(_:_:)"
    #expect(error?.description.hasSuffix(cure) == true)
  }

  // MARK: Failing

  @Test func `a store that fails ends the reactor at the last durable state`() async throws {
    let reports = Log<String>()
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1") { CartReactor(reports) }
    await cart.send(.add(1)).settled
    await store.prepare([.fail, .fail])
    var states = cart.state.makeAsyncIterator()
    #expect(await states.next()?.items == [1])
    let outcome = await cart.outcome(of: .add(2))
    guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect("\(error)".contains("the store of cart '1' failed"))
    #expect(await states.next() == nil)
    #expect(await cart.currentState.items == [1])
    #expect(reports.entries.count { $0.contains("could not be kept") } == 1)
    #expect(cart.send(.add(3)).isRefused)
    await cart.stop().settled
    let again = try await journal.open("1") { CartReactor() }
    #expect(await again.currentState.items == [1])
  }

  @Test func `written one by one, a reactor ends with all mutations that are durable`()
    async throws
  {
    let journal = try await Journal(.store(store))
    let cart = try await journal.open("1", durability: .each) { CartReactor(Log()) }
    await store.prepare([.pass, .fail, .fail])
    await cart.send(.addAll([1, 2])).settled
    await cart.stop().settled
    #expect(await store.batches == [1])
    #expect(await cart.currentState.items == [1])
  }

  @Test func `an ask of a reactor whose store fails gets the error`() async throws {
    let reports = Log<String>()
    let cart = try await Journal(.store(store)).open("1") { CartReactor(reports) }
    await store.prepare([.fail, .fail])
    await store.stall(at: gate)
    cart.send(.add(1))
    await gate.reached()
    let asked = Task { try await cart.ask { .count($0) } }
    await cart.send(.say("")).performed
    gate.open()
    await #expect(throws: JournalError.self) { try await asked.value }
  }

  @Test func `an effect that awaits durability ends when the store fails`() async throws {
    let cart = try await Journal(.store(store)).open("1") { CartReactor(Log()) }
    await store.prepare([.fail, .fail])
    let paid = Gate()
    await cart.send(.pay(1, paid: paid)).settled
    #expect(!paid.isOpen)
  }

  @Test func `an answer that is lost after the commit is looked up`() async throws {
    let cart = try await open()
    await store.prepare([.loseAnswer])
    await cart.send(.add(1)).settled
    await cart.send(.add(2)).settled
    #expect(await cart.currentState.items == [1, 2])
    #expect(try await store.extent(of: JournalKey(name: "cart", id: "1")).last == 2)
  }

  @Test func `a single failure is retried`() async throws {
    let cart = try await open()
    await store.prepare([.fail])
    await cart.send(.add(1)).settled
    #expect(await store.batches == [1])
    #expect(await cart.currentState.items == [1])
  }

  @Test func `a mutation that cannot be encoded ends the reactor, and is not shown`() async throws {
    let reports = Log<String>()
    let cart = try await Journal(.store(store)).open("1") { CartReactor(reports) }
    await cart.send(.addUnencodable).settled
    #expect(reports.entries.contains { $0.contains("mutation 1 of cart '1' cannot be encoded") })
    #expect(await store.batches == [])
  }

  @Test func `a stalled store does not hold up stopping within a time`() async throws {
    let problems = ReportLog()
    let cart = try await Journal(.store(store)).open("1") { CartReactor(problems: problems) }
    await stalled(cart)
    await cart.send(.addAll([2, 3])).performed
    let clock = ManualClock()
    let stopping = Task { await cart.stop(.drain, within: .seconds(5), clock: clock) }
    await clock.advance(past: 5)
    _ = await stopping.value
    #expect(problems.problems == ["unconfirmed(3)"])
    let text = problems.entries.first?.description ?? ""
    #expect(text.contains("before 3 mutations were known to be kept"))
    gate.open()
  }
}

/// Records what is reported to be durable.
private final class DurableObserver: ReactorObserver {
  let durableSequences = Log<Int>()
  let needs: ObserverNeeds = [.lifecycle]

  func observe(_ step: ReactorStep) {
    if case .durable(let sequence) = step.kind { durableSequences.append(sequence) }
  }
}

/// One number after the other: each waits for the one before.
actor QueueReactor: Reactor, JournaledReactor {
  typealias Action = Int
  typealias State = [Int]

  static let journalName = "queue"
  static let journalVersion = 1
  static let initialState: [Int] = []
  let pipeline = Pipeline()
  nonisolated let begun = Log<Int>()

  func lane(for action: Int) -> Lane? { .sequential("queue") }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { [begun] emit in
      await emit(action)
      begun.append(action)
    }
  }

  static func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

extension AskError {
  fileprivate var isTimedOut: Bool { if case .timedOut = reason { true } else { false } }
}
