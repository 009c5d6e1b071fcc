import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// `.concat` and `.merge`, nested too: in a reactor, and alone.
@Suite(.bounded) struct MutationStreamCombinationTests {
  private typealias Stream = MutationStream<Int>

  /// What a reactor's state is once this stream's action has settled, and how often it reported.
  private func reduced(_ stream: Stream) async -> (state: [Int], reports: Int) {
    let reactor = ScriptedReactor { _, _ in stream }
    await reactor.send(0).settled
    return (await reactor.currentState, reactor.reports.count)
  }

  private func failing(after mutation: Int) -> Stream {
    .run { emit in
      await emit(mutation)
      throw Failure(number: mutation)
    }
  }

  private func emitting(_ mutations: Int...) -> Stream {
    .run { emit in for mutation in mutations { await emit(mutation) } }
  }

  @Test func `a concatenation is in order, alone and in a reactor`() async throws {
    let stream = Stream.concat(.just(1), emitting(2, 3), .empty, .from([4, 5].async), .of(6, 7))
    #expect(try await stream.elements() == Array(1...7))
    #expect(await reduced(stream).state == Array(1...7))
  }

  @Test func `the next part starts once the one before has ended`() async {
    let gate = Gate()
    let started = Log<Int>()
    let reactor = ScriptedReactor { _, _ in
      .concat(
        .run { emit in
          await gate.pass()
          await emit(1)
        },
        .run { emit in
          started.append(2)
          await emit(2)
        })
    }
    let receipt = reactor.send(0)
    await gate.reached()
    #expect(started.count == 0)
    gate.open()
    await receipt.settled
    #expect(await reactor.currentState == [1, 2])
  }

  @Test func `a failing part of a concatenation keeps those after it from starting`() async throws {
    let stream = Stream.concat(.just(1), failing(after: 2), .just(3))
    #expect(await reduced(stream) == ([1, 2], 1))
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    #expect(try await iterator.next() == 2)
    await #expect(throws: Failure(number: 2)) { try await iterator.next() }
  }

  @Test func `cancelled in one part, a concatenation does not start the next`() async {
    let gate = Gate()
    let started = Log<Int>()
    let reactor = ScriptedReactor { _, _ in
      .concat(
        .run { _ in await gate.pass() },
        .run { _ in started.append(2) })
    }
    let receipt = reactor.send(0)
    await gate.reached()
    // Its turn is over, and there is a task that can be cancelled.
    await reactor.turn { _ in }
    receipt.cancel()
    gate.open()
    await receipt.settled
    #expect(started.count == 0)
  }

  @Test func `merged parts run at the same time`() async {
    let gates = [Gate(), Gate(), Gate()]
    let reactor = ScriptedReactor { _, _ in
      .merge(
        gates.indices.map { index in
          .run { emit in
            await gates[index].pass()
            await emit(index)
          }
        })
    }
    let receipt = reactor.send(0)
    for gate in gates { await gate.reached() }
    for index in gates.indices.reversed() {
      gates[index].open()
      _ = await reactor.state.first { $0.last == index }
    }
    await receipt.settled
    #expect(await reactor.currentState == [2, 1, 0])
  }

  @Test func `a failing part of a merge does not end the others, in a reactor`() async {
    let result = await reduced(
      .merge(failing(after: 1), emitting(2, 3), failing(after: 4), .just(5)))
    #expect(result.state.sorted() == [1, 2, 3, 4, 5])
    #expect(result.reports == 2)
  }

  @Test func `a failing part of a merge does not end the others, alone`() async throws {
    var iterator = Stream.merge(failing(after: 1), emitting(2, 3), .just(4)).makeAsyncIterator()
    var seen: [Int] = []
    await #expect(throws: Failure(number: 1)) {
      while let element = try await iterator.next() { seen.append(element) }
    }
    #expect(seen.sorted() == [1, 2, 3, 4])
    #expect(try await iterator.next() == nil)
  }

  @Test func `a failing part of a nested merge is reported, the others go on`() async {
    let result = await reduced(
      .concat(.just(0), .merge(failing(after: 1), emitting(2), failing(after: 3)), .just(9)))
    #expect(result.state.sorted() == [0, 1, 2, 3])
    #expect(result.reports == 2)
  }

  @Test func `merges and concatenations nest`() async throws {
    let stream = Stream.concat(
      .of(1, 2), .merge(.concat(emitting(3), .just(4)), .concat(.just(5), emitting(6))),
      .concat(.just(7), .concat(emitting(8))))
    for state in [try await stream.elements(), await reduced(stream).state] {
      #expect(Array(state.prefix(2)) == [1, 2])
      #expect(Array(state.suffix(2)) == [7, 8])
      #expect(state.filter { [3, 4].contains($0) } == [3, 4])
      #expect(state.filter { [5, 6].contains($0) } == [5, 6])
      #expect(state.count == 8)
    }
  }

  @Test func `a merge of nothing, and of nothing in nothing, ends`() async throws {
    for stream in [Stream.merge([]), .concat([]), .merge(.empty, .merge([]), .concat(.empty))] {
      #expect(try await stream.elements() == [])
      #expect(await reduced(stream) == ([], 0))
    }
  }

  @Test func `a merge of a thousand parts is reduced and settles`() async {
    let parts = (0..<1000).map { number in
      number % 2 == 0
        ? Stream.just(number) : Stream.run { emit in await Task { await emit(number) }.value }
    }
    #expect(await reduced(.merge(parts)).state.sorted() == Array(0..<1000))
  }

  @Test func `a deep nesting is reduced`() async throws {
    var stream = Stream.run { emit in await emit(0) }
    for number in 1...100 {
      stream = number % 2 == 0 ? .concat(stream, .just(number)) : .merge(stream, .just(number))
    }
    #expect(Set(await reduced(stream).state) == Set(0...100))
  }
}
