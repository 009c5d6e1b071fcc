import Reactor
import TestLimits
import TestSupport
import Testing

/// Streams that are nested in a loop, on a stack of 256 KiB.
///
/// The reactor's executor has that stack. What runs away from the reactor begins on it and never
/// suspends, so it stays there.
@Suite(.bounded) struct NestedStreamTests {
  @Test(arguments: Nesting.all)
  fileprivate func `a nested stream that never runs is released`(_ nesting: Nesting) async {
    await SmallStackReactor().turn { _ in _ = nesting.stream(around: .run { _ in }) }
  }

  @Test(arguments: Nesting.all)
  fileprivate func `a nested stream off the actor runs there as a whole`(_ nesting: Nesting) async {
    let reactor = SmallStackReactor { _, _ in
      nesting.stream(around: .run { emit in await emit(1) })
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == nesting.sum)
    #expect(reactor.reports.entries.isEmpty)
  }

  @Test(arguments: Nesting.all)
  fileprivate func `a nested stream that uses the reactor runs there as a whole`(_ nesting: Nesting)
    async
  {
    let reactor = SmallStackReactor { reactor, _ in
      nesting.stream(
        around: .run { emit in
          reactor.assertIsolated()
          await emit(1)
        })
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == nesting.sum)
    #expect(reactor.reports.entries.isEmpty)
  }

  @Test(arguments: Nesting.all)
  fileprivate func `a nested stream can be cancelled`(_ nesting: Nesting) async {
    let gate = Gate()
    let reactor = SmallStackReactor { reactor, _ in
      nesting.stream(
        around: .run { _ in
          reactor.assertIsolated()
          try await gate.wait()
        })
    }
    let receipt = reactor.send(0)
    await gate.reached()
    await reactor.turn { _ in receipt.cancel() }
    #expect(await receipt.outcome.text == "cancelled")
    #expect(reactor.reports.entries.isEmpty)
  }

  @Test(arguments: Nesting.all)
  fileprivate func `the effects of a nested stream are found by their names, and replaced`(
    _ nesting: Nesting
  ) async {
    await SmallStackReactor().turn { _ in
      // Each part that stays is given all that is around it, so this costs the square.
      let levels = min(TestCounts.levels, 1_000)
      let stream = nesting.stream(around: .run { _ in }.named("core"), levels: levels)
      let names = stream.effectNames
      #expect(names.isEmpty || names == [nesting.name])
      let replaced = stream.replacing(nesting.name, with: .run { _ in }.named("new"))
      #expect(replaced.effectNames == names.map { _ in "new" })
    }
  }

  @Test func `mutations at once, one level each, are reduced`() async {
    let count = TestCounts.levels
    let reactor = SmallStackReactor { _, _ in
      let left = (0..<count).reduce(MutationStream.just(1)) { inner, _ in .concat(inner, .just(1)) }
      return (0..<count).reduce(left) { inner, _ in .concat(.just(1), inner) }
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == 2 * count + 1)
  }

  @Test func `an emitter of many levels emits, and is released`() async {
    let reactor = SmallStackReactor { _, _ in
      .run { emit in
        var emit = emit
        for _ in 0..<TestCounts.levels { emit = emit.map { $0 } }
        await emit(1)
      }
    }
    await reactor.send(0).settled
    #expect(await reactor.currentState == 1)
  }

  @Test func `a stream of a stream's elements, nested deeply, is released`() async {
    await SmallStackReactor().turn { _ in
      let innermost = MutationStream<Int>.run { _ in }
      _ = (0..<TestCounts.levels).reduce(innermost) { inner, _ in .from(inner) }
    }
  }
}

/// One way to nest a stream.
private struct Nesting: Sendable, CustomTestStringConvertible {
  typealias Stream = MutationStream<Int>

  let testDescription: String
  /// What its outermost effect is called.
  let name: String
  /// What the mutations of all levels add up to.
  let sum: Int
  private let nest: @Sendable (_ level: Int, _ inner: Stream) -> Stream

  init(
    _ testDescription: String, name: String = "core", mutationsOfLevel: Int = 0,
    nest: @escaping @Sendable (_ level: Int, _ inner: Stream) -> Stream
  ) {
    self.testDescription = testDescription
    self.name = name
    sum = 1 + TestCounts.levels * mutationsOfLevel
    self.nest = nest
  }

  func stream(around core: Stream, levels: Int = TestCounts.levels) -> Stream {
    (0..<levels).reduce(core) { nest($1, $0) }
  }

  private static let one = Stream.run { emit in await emit(1) }
  private static let nothing = Stream.run { _ in }

  static let all = [
    Nesting("concat, on the left", mutationsOfLevel: 1) { .concat($1, one) },
    Nesting("concat, on the right", mutationsOfLevel: 1) { .concat(one, $1) },
    Nesting("concat, in the middle", mutationsOfLevel: 2) { .concat(one, $1, one) },
    Nesting("merge, on the left", mutationsOfLevel: 1) { .merge($1, one) },
    Nesting("merge, on the right", mutationsOfLevel: 1) { .merge(one, $1) },
    Nesting("merge and concat in turn", mutationsOfLevel: 1) { level, inner in
      switch level % 4 {
      case 0: .concat(inner, one)
      case 1: .merge(inner, one)
      case 2: .concat(one, inner)
      default: .merge(one, inner)
      }
    },
    Nesting("map") { $1.map { $0 } },
    Nesting("map and concat in turn") { level, inner in
      level % 2 == 0 ? inner.map { $0 } : .concat(inner, nothing)
    },
    Nesting("onEnd") { $1.onEnd { _, _ in } },
    Nesting("around") { $1.around { emit, body, _ in try await body(emit) } },
    Nesting("around, map and concat in turn") { level, inner in
      switch level % 3 {
      case 0: inner.around { emit, body, _ in try await body(emit) }
      case 1: inner.map { $0 }
      default: .concat(nothing, inner, nothing)
      }
    },
    Nesting("named", name: "outer") { $1.named("outer") },
    Nesting("priority") { $1.priority(.medium) },
    Nesting("cancelledByDrain") { $1.cancelledByDrain() },
    Nesting("all but around in turn") { level, inner in
      switch level % 8 {
      case 0: .concat(inner, nothing)
      case 1: .merge(inner, nothing)
      case 2: inner.map { $0 }
      case 3: inner.priority(.medium)
      case 4: .merge(nothing, inner)
      case 5: inner.cancelledByDrain()
      case 6: .concat(nothing, inner)
      default: inner.onEnd { _, _ in }
      }
    },
  ]
}
