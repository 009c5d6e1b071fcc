import AsyncAlgorithms
import Reactor
import TestLimits
import TestSupport
import Testing

/// A `MutationStream` looked at on its own, without a pipeline.
@Suite(.bounded) struct MutationStreamIterationTests {
  @Test func `empty has nothing`() async throws {
    #expect(try await MutationStream<Int>.empty.elements() == [])
  }

  @Test func `just has one`() async throws {
    #expect(try await MutationStream.just(1).elements() == [1])
  }

  @Test func `of has its values, given one by one or as a sequence`() async throws {
    #expect(try await MutationStream.of(1, 2, 3).elements() == [1, 2, 3])
    #expect(try await MutationStream.of([1, 2, 3].lazy.map { $0 * 2 }).elements() == [2, 4, 6])
    #expect(try await MutationStream<Int>.of([Int]()).elements() == [])
  }

  @Test func `run has what its body emits`() async throws {
    let stream = MutationStream<Int>.run { emit in
      await emit(1)
      await Task { await emit(2) }.value
      await emit(3)
    }
    #expect(try await stream.elements() == [1, 2, 3])
  }

  @Test func `from has the elements of any sequence`() async throws {
    #expect(try await MutationStream.from([1, 2, 3].async).elements() == [1, 2, 3])
    let (source, continuation) = AsyncStream<Int>.makeStream()
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish()
    #expect(try await MutationStream.from(source).elements() == [1, 2])
  }

  @Test func `each iteration runs the effect again`() async throws {
    let runs = Log<Int>()
    let stream = MutationStream<Int>.run { emit in
      runs.append(0)
      await emit(runs.count)
    }
    #expect(try await stream.elements() == [1])
    #expect(try await stream.elements() == [2])
  }

  @Test func `an error is thrown after what was emitted; then comes the end`() async throws {
    let stream = MutationStream<Int>.run { emit in
      await emit(1)
      throw Failure(number: 5)
    }
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    await #expect(throws: Failure(number: 5)) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `an error of a wrapped sequence is thrown`() async throws {
    let (source, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    continuation.yield(1)
    continuation.finish(throwing: Failure())
    var iterator = MutationStream.from(source).makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    await #expect(throws: Failure()) { try await iterator.next() }
  }

  @Test func `CancellationError is an end, not an error`() async throws {
    let stream = MutationStream<Int>.run { emit in
      await emit(1)
      throw CancellationError()
    }
    #expect(try await stream.elements() == [1])
  }

  @Test func `nothing runs before the first next`() async throws {
    let began = Log<Int>()
    let stream = MutationStream<Int>.run { _ in began.append(0) }
    var iterator = stream.makeAsyncIterator()
    #expect(began.count == 0)
    #expect(try await iterator.next() == nil)
    #expect(began.count == 1)
  }

  @Test func `emit waits until the next mutation is requested`() async throws {
    let passed = Log<Int>()
    let stream = MutationStream<Int>.run { emit in
      for number in 1...3 {
        await emit(number)
        passed.append(number)
      }
    }
    var iterator = stream.makeAsyncIterator()
    for number in 1...3 {
      #expect(try await iterator.next() == number)
      #expect(passed.entries == Array(1..<number))
    }
    #expect(try await iterator.next() == nil)
    #expect(passed.entries == [1, 2, 3])
  }

  @Test func `releasing the iterator cancels the effect`() async throws {
    let gate = Gate()
    let ended = Log<Bool>()
    do {
      let stream = MutationStream<Int>.run { emit in
        await emit(1)
        try? await gate.wait()
        ended.append(Task.isCancelled)
      }
      var iterator = stream.makeAsyncIterator()
      #expect(try await iterator.next() == 1)
    }
    #expect(await ended.entries(upTo: 1) == [true])
  }

  @Test func `releasing the iterator resumes an emitter that waits`() async throws {
    let ended = Log<Int>()
    do {
      let stream = MutationStream<Int>.run { emit in
        for number in 1...3 {
          await emit(number)
          ended.append(number)
        }
      }
      var iterator = stream.makeAsyncIterator()
      #expect(try await iterator.next() == 1)
    }
    #expect(await ended.entries(upTo: 3) == [1, 2, 3])
  }

  @Test func `a consumer that is cancelled gets the end`() async throws {
    let gate = Gate()
    let stream = MutationStream<Int>.run { _ in try await gate.wait() }
    let consumer = Task { try await stream.elements() }
    await gate.reached()
    consumer.cancel()
    #expect(try await consumer.value == [])
  }

  @Test func `emitters at the same time lose nothing`() async throws {
    let stream = MutationStream<Int>.run { emit in
      await withTaskGroup { group in
        for number in 0..<100 { group.addTask { await emit(number) } }
      }
    }
    #expect(try await stream.elements().sorted() == Array(0..<100))
  }

  @Test func `what mutate returns can be iterated without a pipeline`() async throws {
    let reactor = ScriptedReactor { _, action in .concat(.just(action), .just(action + 1)) }
    #expect(try await reactor.mutate(action: 5).elements() == [5, 6])
    #expect(await reactor.currentState == [])
  }

  @Test func `an effect that uses its reactor runs there, without a pipeline too`() async throws {
    let reactor = ScriptedReactor { reactor, action in
      .run { emit in
        reactor.assertIsolated()
        await emit(action)
        reactor.assertIsolated()
      }
    }
    #expect(try await reactor.mutate(action: 5).elements() == [5])
  }

  @Test func `an iterator that is released unused does not start its effect`() async {
    let started = Log<Bool>()
    let ended = Gate()
    do {
      let held = Payload(ended)
      _ = MutationStream<Int>.run { emit in
        started.append(true)
        _ = held
      }.makeAsyncIterator()
    }
    await ended.pass()
    #expect(started.entries.isEmpty)
  }
}

private final class Payload: Sendable {
  private let freed: Gate
  init(_ freed: Gate) { self.freed = freed }
  deinit { freed.open() }
}
