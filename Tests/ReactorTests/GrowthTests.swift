import Reactor
import TestLimits
import TestSupport
import Testing

/// What costs time in proportion to how much there is of it, and not to its square.
///
/// Each compares two sizes in one run, one eight times the other: in proportion, the larger takes
/// eight times as long, and to the square 64 times. Of several tries the shortest counts, since
/// other work delays some of them.
@Suite(.bounded, .serialized) struct GrowthTests {
  private let most = 40.0

  @Test func `one action with many effects`() async {
    let growth = await Growth.of(500) { count in
      await BurstReactor().send(.yield(count)).settled
    }
    #expect(growth < most)
  }

  @Test func `one action with many effects that is cancelled`() async {
    let growth = await Growth.of(500) { count in
      let reactor = BurstReactor()
      let receipt = reactor.send(.sleep(count))
      await reactor.started.reached(by: count)
      receipt.cancel()
      await receipt.settled
    }
    #expect(growth < most)
  }

  @Test func `many that wait for one action and are cancelled`() async {
    let growth = await Growth.of(500) { count in
      let reactor = BurstReactor()
      let receipt = reactor.send(.sleep(1))
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await receipt.settled } }
        group.cancelAll()
      }
      receipt.cancel()
      await receipt.settled
    }
    #expect(growth < most)
  }

  @Test func `many that wait for a drain and are cancelled`() async {
    let growth = await Growth.of(500) { count in
      let reactor = BurstReactor()
      let receipt = reactor.send(.sleep(1))
      let drain = reactor.stop(.drain)
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await drain.settled } }
        group.cancelAll()
      }
      receipt.cancel()
      await drain.settled
    }
    #expect(growth < most)
  }

  @Test func `many that wait for a tracked action and are cancelled`() async {
    let growth = await Growth.of(500) { count in
      let reactor = BurstReactor()
      let receipt = reactor.sendTracked(.sleep(1))
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await receipt.settled } }
        group.cancelAll()
      }
      receipt.cancel()
      await receipt.settled
    }
    #expect(growth < most)
  }

  @Test func `the states of a group's members that are combined`() async {
    let growth = await Growth.of(250) { count in
      let (one, two) = (TickReactor(), TickReactor())
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      let all = combining(one.state, two.state)
      let observer = Task { for await (sum, _) in all where sum == count { break } }
      for _ in 0..<count { await group.send(1).settled }
      await observer.value
    }
    #expect(growth < most)
  }
}

private enum Growth {
  /// Less than this is in proportion; then there is no need to try once more.
  private static let enough = 20.0

  /// How many times as long eight times as many take.
  static func of(_ count: Int, _ body: (Int) async -> Void) async -> Double {
    let clock = ContinuousClock()
    var (few, many) = (Duration.seconds(1_000), Duration.seconds(1_000))
    for _ in 1...10 {
      few = min(few, await clock.measure { await body(count) })
      many = min(many, await clock.measure { await body(8 * count) })
      if many / few < enough { break }
    }
    return many / few
  }
}

/// One action, and so many effects of it.
private actor BurstReactor: Reactor {
  enum Action { case yield(Int), sleep(Int) }
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()
  nonisolated let started = Gate()

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .yield(let count):
      .merge(
        (0..<count).map { _ in
          .run { emit in
            await Task.yield()
            await emit(1)
          }
        })
    case .sleep(let count):
      .merge((0..<count).map { [started] _ in .run { _ in try await started.wait() } })
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
