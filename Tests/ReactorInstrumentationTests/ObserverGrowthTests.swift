import CoreMetrics
import InMemoryTracing
import Reactor
import ReactorInstrumentation
import TestLimits
import TestSupport
import Testing
import Tracing

/// The ten-thousandth action of a reactor that is observed costs as much as one of the first.
@Suite(.bounded) struct ObserverGrowthTests {
  private actor Sum: Reactor {
    typealias Action = Int
    typealias Mutation = Int

    let initialState = 0
    let pipeline = Pipeline()

    func mutate(action: Int) -> MutationStream<Int> { .run { emit in await emit(action) } }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  @Test func `metrics that are stored as text`() async throws {
    let growth = try await Growth.ofLateSteps {
      let reactor = Sum()
      reactor.addObserver(MetricsObserver(TextMetrics()))
      return reactor
    } _: { reactor, _ in
      await reactor.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `traces`() async throws {
    let tracer = InMemoryTracer()
    let growth = try await Growth.ofLateSteps {
      let reactor = Sum()
      reactor.addObserver(TracingObserver(tracer))
      return reactor
    } _: { reactor, _ in
      await reactor.send(1).settled
      tracer.clearFinishedSpans()
    }
    #expect(growth < Growth.mostLate)
  }

  private struct Idle: ReactorObserver {
    let needs: ObserverNeeds = .taken

    func observe(_ step: ReactorStep) {}
  }

  @Test func `steps of a buffered observer, and tasks that wait for them`() async throws {
    let growth = try await Growth.of(500) { count in
      let observer = BufferedObserver(Idle(), atMost: count)
      let identity = ReactorIdentity(type: TickReactor.self, number: 1)
      let step = ReactorStep(.durable(upTo: 1), in: identity)
      for _ in 0..<count { observer.observe(step) }
      await withTaskGroup { group in
        for _ in 0..<count { group.addTask { await observer.flush() } }
      }
      #expect(observer.droppedCount == 0)
    }
    #expect(growth < Growth.most)
  }
}
