import Reactor

/// A reactor in which much is going on: effects that wait, lanes that are taken, actions that queue.
actor Crowd: Reactor {
  enum Action {
    case add
    /// An effect that lasts until the reactor is stopped.
    case linger
    /// The same, in a lane of its own.
    case occupy(Int)
    /// Done at once, in a lane.
    case pass(Int)
  }
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? {
    switch action {
    case .add, .linger: nil
    case .occupy(let id), .pass(let id): .concurrent(id)
    }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add, .pass: .just(1)
    case .linger, .occupy:
      .run { emit in
        await emit(1)
        try await Task.sleep(for: .seconds(3600))
      }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  /// Sends from inside: while this runs, nothing is taken.
  func queue(_ count: Int) -> Duration {
    let start = ContinuousClock.now
    for _ in 0..<count { send(.add) }
    return ContinuousClock.now - start
  }
}

extension Growth {
  @Sendable
  static func effects() async {
    for count in [1, 10, 100, 1000, 10_000, 100_000] {
      var (begun, ended): ([Double], [Double]) = ([], [])
      let among = await shortest {
        let crowd = Crowd()
        await crowd.send(.add).settled
        var start = ContinuousClock.now
        for _ in 0..<count { crowd.send(.linger) }
        await crowd.send(.add).settled
        begun.append((ContinuousClock.now - start).each(count + 1))
        let among = await burst(.add, 10_000, to: crowd)
        start = ContinuousClock.now
        await crowd.stop().settled
        ended.append((ContinuousClock.now - start).each(count + 1))
        return among
      }
      tell("effects, one begun", count, begun.min() ?? 0)
      tell("effects, an action among them", count, among)
      tell("effects, one cancelled and ended", count, ended.min() ?? 0)
    }
  }

  @Sendable
  static func lanes() async {
    for count in [1, 10, 100, 1000, 10_000, 100_000] {
      let crowd = Crowd()
      for lane in 0..<count { crowd.send(.occupy(lane)) }
      await crowd.send(.add).settled
      let taken = await shortest { await burst(.pass(count / 2), 10_000, to: crowd) }
      tell("lanes, an action in one that is taken", count, taken)
      let free = await shortest { await burst(.pass(count), 10_000, to: crowd) }
      tell("lanes, an action in one that is free", count, free)
      await crowd.stop().settled
    }
  }

  @Sendable
  static func queued() async {
    for count in [1, 10, 100, 1000, 10_000, 100_000, 1_000_000] {
      let crowd = Crowd()
      await crowd.send(.add).settled
      var sent: [Double] = []
      // Both together: when the last has been sent, a job on another core may begin to take them.
      let both = await shortest {
        let start = ContinuousClock.now
        sent.append(await crowd.queue(count).each(count))
        await crowd.send(.add).settled
        return (ContinuousClock.now - start).each(count + 1)
      }
      tell("queued, sent", count, sent.min() ?? 0)
      tell("queued, sent and taken", count, both)
    }
  }

  private static func burst(_ action: Crowd.Action, _ count: Int, to crowd: Crowd) async -> Double {
    let start = ContinuousClock.now
    for _ in 1..<count { crowd.send(action) }
    await crowd.send(action).settled
    return (ContinuousClock.now - start).each(count)
  }
}
