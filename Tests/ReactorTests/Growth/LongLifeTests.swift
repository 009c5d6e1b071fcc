import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// The ten-thousandth action of what lives long costs as much as one of the first.
@Suite(.bounded) struct LongLifeTests {
  @Test func `a reactor`() async throws {
    let growth = try await Growth.ofLateSteps {
      TickReactor()
    } _: { reactor, _ in
      await reactor.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a reactor whose effects fail, or are cancelled`() async throws {
    let growth = try await Growth.ofLateSteps {
      ScriptedReactor(onReduce: { _, _ in }) { _, number in
        .run { _ in if number % 2 == 0 { throw Failure() } else { try await Gate().wait() } }
      }
    } _: { reactor, number in
      let receipt = reactor.send(number)
      await Task.yield()
      receipt.cancel()
      _ = await receipt.outcome
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a reactor that is asked, and tracked`() async throws {
    let growth = try await Growth.ofLateSteps {
      OfficeReactor()
    } _: { office, _ in
      _ = try await office.ask { .count($0) }
      await office.sendTracked(.serve(1)).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a reactor with hooks`() async throws {
    let growth = try await Growth.ofLateSteps {
      HookedTickReactor()
    } _: { reactor, _ in
      await reactor.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a relay of states with a subscriber at each step`() async throws {
    let growth = try await Growth.ofLateSteps {
      HookedTickReactor()
    } _: { reactor, number in
      await reactor.send(1).settled
      var states = reactor.state.makeAsyncIterator()
      while let sum = await states.next(), sum <= number {}
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a reactor behind a stage that drops every other action`() async throws {
    let growth = try await Growth.ofLateSteps {
      SievedTickReactor()
    } _: { reactor, number in
      _ = await reactor.send(number).outcome
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a reactor with observers`() async throws {
    let growth = try await Growth.ofLateSteps {
      let reactor = TickReactor()
      reactor.addObserver(Bystander())
      return reactor
    } _: { reactor, _ in
      await reactor.send(1).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a reactor that is stopped and begins again`() async throws {
    let growth = try await Growth.ofLateSteps {
      TickReactor()
    } _: { reactor, _ in
      await reactor.send(1).settled
      await reactor.stop().settled
      await reactor.restart()
    }
    #expect(growth < Growth.mostLate)
  }

  @Test(arguments: ["sequential", "concurrent", "leading", "latest", "debounced"])
  func `a lane`(kind: String) async throws {
    let growth = try await Growth.ofLateSteps {
      LaneTickReactor()
    } _: { reactor, _ in
      let lane: Lane =
        switch kind {
        case "concurrent": .concurrent("one")
        case "leading": .leading("one")
        case "latest": .latest("one")
        case "debounced": .latest("one").debounced(for: .zero, clock: ContinuousClock())
        default: .sequential("one")
        }
      await reactor.send(lane).settled
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a derived stream`() async throws {
    let growth = try await Growth.ofLateSteps {
      let reactor = TickReactor()
      return ObservedTicks(reactor, reactor.state.derived { $0 })
    } _: { ticks, number in
      await ticks.reactor.send(1).settled
      await ticks.show(number + 1)
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a shared state with a subscriber at each change`() async throws {
    let growth = try await Growth.ofLateSteps {
      SharedState(0)
    } _: { shared, number in
      var states = shared.state.makeAsyncIterator()
      shared.change { $0 += 1 }
      while let sum = await states.next(), sum <= number {}
    }
    #expect(growth < Growth.mostLate)
  }

  @Test func `a broadcaster whose streams come and go`() async throws {
    let growth = try await Growth.ofLateSteps {
      EventBroadcaster<Int>()
    } _: { events, number in
      let stream = events.stream { $0 >= 0 }
      events.send(number)
      _ = await stream.next()
    }
    #expect(growth < Growth.mostLate)
  }
}

/// Adds up, behind all three hooks.
private actor HookedTickReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func transform(state: States) -> some AsyncSequence<Int, Never> { state.map { $0 } }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// Adds up the even ones of its actions.
private actor SievedTickReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline(through: [Sieve()])

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  nonisolated func report(_ report: ReactorReport) {}
}

/// Drops odd numbers.
private struct Sieve: ActionMiddleware {
  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    guard let number = action as? Int, number % 2 == 1 else { return .pass }
    return .drop(DropReason("it is odd"))
  }
}

/// An effect for each action, in the lane that is the action.
private actor LaneTickReactor: Reactor {
  typealias Action = Lane
  typealias Mutation = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()

  func lane(for action: Lane) -> Lane? { action }

  func mutate(action: Lane) -> MutationStream<Int> {
    .run { emit in
      await Task.yield()
      await emit(1)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
