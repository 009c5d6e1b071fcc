import Reactor
import TestLimits
import TestSupport
import Testing

/// A pipeline's own work has no task-local values.
@Suite(.bounded) struct OwnTaskTests {
  /// Looks whenever it is asked; ends after three.
  private struct Source: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Failure = Never
    let log: Log<TaskLocalReading>
    var rest = 3

    func makeAsyncIterator() -> Source { self }

    mutating func next() async -> Int? {
      log.append(TaskLocalReading(.elsewhere, of: rest))
      rest -= 1
      return rest < 0 ? nil : rest
    }

    mutating func next(isolation: isolated (any Actor)?) async -> Int? { await next() }
  }

  /// Records what it sees at each sleep, which ends at once.
  private struct TaskLocalReadingClock: Clock {
    let log: Log<TaskLocalReading>
    var now: ContinuousClock.Instant { ContinuousClock().now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      log.append(TaskLocalReading(.elsewhere, of: 0))
    }
  }

  @Test func `a hook over actions, and what it merges, has no task-local values`() async {
    let log = Log<TaskLocalReading>()
    let reactor = ActionHookedReactor(hook: { _, actions in
      Erased(
        actions.merging(Source(log: log)).map { action in
          log.append(TaskLocalReading(.elsewhere, of: action))
          return action
        })
    })
    await Request.with(7) { await reactor.send(9).settled }
    let readings = await log.entries(upTo: 8)
    #expect(readings.allSatisfy { $0.id == 0 })
  }

  @Test func `a hook over mutations, and what it merges, has no task-local values`() async {
    let log = Log<TaskLocalReading>()
    let reactor = MutationHookedReactor(hook: { _, mutations in
      Erased(
        mutations.merging(Source(log: log)).map { mutation in
          log.append(TaskLocalReading(.elsewhere, of: mutation))
          return mutation
        })
    })
    await Request.with(7) { await reactor.send(9).settled }
    let readings = await log.entries(upTo: 8)
    #expect(readings.allSatisfy { $0.id == 0 })
  }

  @Test func `a hook over states has no task-local values`() async {
    let log = Log<TaskLocalReading>()
    let reactor = StateHookedReactor(hook: { _, states in
      Erased(
        states.map { state in
          log.append(TaskLocalReading(.elsewhere, of: state.count))
          return state
        })
    })
    await Request.with(7) { await reactor.send(9).settled }
    let readings = await log.entries(upTo: 2)
    #expect(readings.allSatisfy { $0.id == 0 })
  }

  @Test(arguments: [false, true])
  func `a hook is called without the task-local values of the starting task`(settles: Bool) async {
    let log = Log<TaskLocalReading>()
    let look: @Sendable (isolated any Reactor) -> Void = { reactor in
      reactor.preconditionIsolated()
      log.append(TaskLocalReading(.elsewhere, of: 0))
      Task { log.append(TaskLocalReading(.elsewhere, of: 1)) }
    }
    let reactors: [any Reactor] = [
      ActionHookedReactor(hook: { reactor, actions in
        look(reactor)
        return Erased(actions)
      }),
      MutationHookedReactor(hook: { reactor, mutations in
        look(reactor)
        return Erased(mutations)
      }),
      StateHookedReactor(hook: { reactor, states in
        look(reactor)
        return Erased(states)
      }),
    ]
    for reactor in reactors {
      await Request.with(7) {
        if settles { await reactor.begin() } else { _ = await reactor.currentState }
      }
    }
    #expect(await log.entries(upTo: 6).allSatisfy { $0.id == 0 && $0.other == 0 })
  }

  @Test func `a timer of a lane has no task-local values`() async {
    let log = Log<TaskLocalReading>()
    let looker = LaneTaskLocalReader.with {
      $0.lane = { _ in
        .latest("a").debounced(for: .seconds(1), clock: TaskLocalReadingClock(log: log))
      }
    }
    await Request.with(7) { await looker.send(1).settled }
    #expect(log.entries.count == 1)
    #expect((log.entries + looker.setup.readings.entries).allSatisfy { $0.id == 0 })
  }
}

extension Reactor {
  /// Begins because a task waits.
  fileprivate nonisolated func begin() async {
    if let action = 1 as? Action { await send(action).settled }
  }
}
