import Reactor
import ReactorComposition
import ReactorTesting
import Synchronization
import TestLimits
import Testing

/// Subscribers of a stream that a task shares, which come while that task is behind the reactor.
@Suite(.bounded) struct LateSubscriberTests {
  private static let seeds = TestCounts.seeds()

  @Test(arguments: Relay.allCases)
  func `a late subscriber begins with the state at that moment`(_ relay: Relay) async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let (counter, counts) = relay.make()
      let early = simulation.watch(counts(.everyState))
      await simulation.settle()
      for _ in 0..<3 { await counter.add() }
      var late = counts(.everyState).makeAsyncIterator()
      for _ in 0..<3 { await counter.add() }
      for count in 3...6 { #expect(await late.next() == count) }
      early.cancel()
    }
  }

  @Test(arguments: Relay.allCases)
  func `a late subscriber of the newest receives no earlier state`(_ relay: Relay) async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let (counter, counts) = relay.make()
      let early = simulation.watch(counts(.newest))
      await simulation.settle()
      for _ in 0..<3 { await counter.add() }
      var late = counts(.newest).makeAsyncIterator()
      #expect(await late.next() == 3)
      for _ in 0..<3 { await counter.add() }
      await simulation.settle()
      #expect(await late.next() == 6)
      early.cancel()
    }
  }

  @Test(arguments: Relay.allCases)
  func `so it is if the last subscriber has just left`(_ relay: Relay) async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let (counter, counts) = relay.make()
      let early = simulation.watch(counts(.everyState))
      await simulation.settle()
      for _ in 0..<3 { await counter.add() }
      early.cancel()
      await counter.add()
      var late = counts(.everyState).makeAsyncIterator()
      await counter.add()
      #expect(await late.next() == 4)
      #expect(await late.next() == 5)
    }
  }

  @Test(arguments: Relay.allCases)
  func `subscribers that come at any time miss nothing from then on`(_ relay: Relay) async throws {
    try await simulate(seeds: Self.seeds) { _ in
      let (counter, counts) = relay.make()
      await withTaskGroup(of: Void.self) { tasks in
        for _ in 0..<4 {
          tasks.addTask { for _ in 0..<5 { await counter.add() } }
          tasks.addTask {
            let known = await counter.count()
            var next: Int?
            for await count in counts(.everyState) {
              if let next { #expect(count == next) } else { #expect(count >= known) }
              if count == 20 { break }
              next = count + 1
            }
          }
        }
      }
    }
  }

  @Test(arguments: Relay.allCases)
  func `states before a late subscriber are not counted as skipped`(_ relay: Relay) async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let (counter, counts) = relay.make()
      let early = simulation.watch(counts(.everyState))
      await simulation.settle()
      for _ in 0..<3 { await counter.add() }
      let skipped = SkippedCounts()
      var late = counts(.last(2) { count in skipped.append(count) }).makeAsyncIterator()
      #expect(await late.next() == 3)
      #expect(skipped.all == [])
      for _ in 0..<4 { await counter.add() }
      await simulation.settle()
      #expect(await late.next() == 6)
      #expect(skipped.all == [2])
      early.cancel()
    }
  }

  @Test(arguments: Relay.allCases)
  func `a late subscriber receives the last state of a reactor that ends`(_ relay: Relay)
    async throws
  {
    try await simulate(seeds: Self.seeds) { simulation in
      let (counter, counts) = relay.make()
      let early = simulation.watch(counts(.everyState))
      await simulation.settle()
      for _ in 0..<3 { await counter.add() }
      let late = counts(.everyState)
      var iterator = late.makeAsyncIterator()
      counter.stop()
      #expect(await iterator.next() == 3)
      #expect(await iterator.next() == nil)
      #expect(await early.value == [0, 1, 2, 3])
    }
  }

  @Test func `a stream made from the newest states begins no earlier either`() async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let counter = PlainCounter()
      let counts = SharedCounts(counter.state.buffering(.newest).derived { $0 })
      let early = simulation.watch(counts)
      await simulation.settle()
      for _ in 0..<3 { await counter.send(1).settled }
      var late = counts.makeAsyncIterator()
      var last = 2
      for _ in 0..<3 { await counter.send(1).settled }
      while last < 6, let count = await late.next() {
        #expect(count > last)
        last = count
      }
      early.cancel()
    }
  }

  @Test func `behind a hook that drops states it begins with the last one shown`() async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let counter = HookedCounter { $0 <= 2 }
      let early = simulation.watch(SharedCounts(counter.state))
      await simulation.settle()
      for _ in 0..<5 { await counter.send(1).settled }
      var late = counter.state.makeAsyncIterator()
      #expect(await late.next() == 2)
      early.cancel()
    }
  }

  @Test func `behind a hook that is busy it waits, unless it is cancelled`() async throws {
    try await simulate(seeds: Self.seeds) { simulation in
      let (opened, gate) = AsyncStream<Void>.makeStream()
      let counter = HookedCounter { count in
        if count == 1 { for await _ in opened {} }
        return true
      }
      await counter.send(1).settled
      await simulation.settle()
      let (cancelled, late) = (simulation.watch(counter), simulation.watch(counter))
      await simulation.settle()
      cancelled.cancel()
      #expect(await cancelled.value == [])
      gate.finish()
      await simulation.settle()
      late.cancel()
      #expect(await late.value == [1])
    }
  }
}

/// What shares the states of a counter among its subscribers.
enum Relay: CaseIterable, Sendable {
  case derived, derivedTwice, combined, derivedOfCombined, combinedOfDerived
  case hook, derivedOfHook, combinedOfHook
  case batched

  /// - Returns: A counter, and its counts as they are shared, with what a slow subscriber gets.
  fileprivate func make() -> (Counter, @Sendable (StateBuffering) -> SharedCounts) {
    let other = PlainCounter()
    let plain = PlainCounter()
    let hooked = HookedCounter { _ in true }
    switch self {
    case .derived:
      let counts = plain.state.derived { $0 }
      return (Counter(plain, other), { SharedCounts(counts.buffering($0)) })
    case .derivedTwice:
      let counts = plain.state.derived { $0 }.derived { $0 }
      return (Counter(plain, other), { SharedCounts(counts.buffering($0)) })
    case .combined:
      let both = combining(plain.state, other.state)
      return (Counter(plain, other), { SharedCounts(both.buffering($0)) { $0.0 } })
    case .derivedOfCombined:
      let counts = combining(plain.state, other.state).derived { one, _ in one }
      return (Counter(plain, other), { SharedCounts(counts.buffering($0)) })
    case .combinedOfDerived:
      let both = combining(plain.state.derived { $0 }, other.state)
      return (Counter(plain, other), { SharedCounts(both.buffering($0)) { $0.0 } })
    case .hook:
      return (Counter(hooked, other), { SharedCounts(hooked.state.buffering($0)) })
    case .derivedOfHook:
      let counts = hooked.state.derived { $0 }
      return (Counter(hooked, other), { SharedCounts(counts.buffering($0)) })
    case .combinedOfHook:
      let both = combining(hooked.state, other.state)
      return (Counter(hooked, other), { SharedCounts(both.buffering($0)) { $0.0 } })
    case .batched:
      let counts = plain.state(batching: .tick, where: { _, _ in false })
      return (Counter(plain, other), { SharedCounts(counts.buffering($0)) })
    }
  }
}

/// A reactor that counts, of whatever type; and another one, which is kept as long.
private struct Counter: Sendable {
  let add: @Sendable () async -> Void
  let count: @Sendable () async -> Int
  let stop: @Sendable () -> Void

  init<R: Reactor>(_ reactor: R, _ other: PlainCounter) where R.Action == Int, R.State == Int {
    add = { await reactor.send(1).settled }
    count = { await reactor.currentState }
    stop = {
      reactor.stop()
      other.stop()
    }
  }
}

/// Counts of any stream.
private struct SharedCounts: AsyncSequence, Sendable {
  let base: any AsyncSequence<Int, Never> & Sendable

  init(_ stream: StateStream<Int>) { base = stream }

  init<S: AsyncSequence & Sendable>(
    _ stream: S, _ count: @escaping @Sendable (S.Element) -> Int
  ) where S.Failure == Never, S.Element: Sendable {
    base = stream.map(count)
  }

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: any AsyncIteratorProtocol<Int, Never>

    mutating func next() async -> Int? { await base.next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      await base.next(isolation: actor)
    }
  }
}

private final class SkippedCounts: Sendable {
  private let counts = Mutex<[Int]>([])

  var all: [Int] { counts.withLock { $0 } }

  func append(_ count: Int) { counts.withLock { $0.append(count) } }
}

extension Simulation {
  /// Observes in a task of its own; the counts, once that has ended or is cancelled.
  fileprivate func watch(_ counts: SharedCounts) -> Task<[Int], Never> {
    Task(executorPreference: executor) {
      var seen: [Int] = []
      for await count in counts { seen.append(count) }
      return seen
    }
  }

  fileprivate func watch(_ counter: HookedCounter) -> Task<[Int], Never> {
    watch(SharedCounts(counter.state))
  }
}

private actor PlainCounter: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// Shows those counts that its hook lets pass.
private actor HookedCounter: StateTransforming {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let lets: @Sendable (Int) async -> Bool

  init(_ lets: @escaping @Sendable (Int) async -> Bool) { self.lets = lets }

  func transform(state: States) -> some AsyncSequence<Int, Never> { state.filter(lets) }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
