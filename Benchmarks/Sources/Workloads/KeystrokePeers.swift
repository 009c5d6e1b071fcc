import Dispatch
import OpenCombine
import OpenCombineDispatch
import Synchronization

/// What keystrokes are held against.
package enum KeystrokePeers {
  /// A task for each, which the next cancels; until all have ended.
  package static let cancelledTasks: Workload = { count in
    let found = Found()
    let ended = Countdown(count)
    let watch = Stopwatch()
    var search: Task<Void, Never>?
    for key in 1...count {
      search?.cancel()
      search = Task {
        await Search.wait(for: key, of: count)
        if !Task.isCancelled { found.key.store(key, ordering: .releasing) }
        ended.step()
      }
    }
    await ended.isOver
    let reading = watch.reading
    check(found.key.load(ordering: .acquiring), is: count)
    return reading
  }

  /// OpenCombine's `switchToLatest`, where the search is a task.
  package static let switchToLatestTask: Workload = { count in
    let ended = Countdown(count + 1)
    return await run(count, until: ended) { keys in
      keys.map { searchTask(for: $0, of: count, ended) }.switchToLatest().eraseToAnyPublisher()
    }
  }

  /// OpenCombine's `switchToLatest`, where the search is nothing but a publisher: there is no task at all.
  package static let switchToLatest: Workload = { count in
    await run(count, until: Countdown(1)) { keys in
      keys
        .map { key in
          key < count
            ? Empty(completeImmediately: false).eraseToAnyPublisher()
            : Just(key).eraseToAnyPublisher()
        }
        .switchToLatest().eraseToAnyPublisher()
    }
  }

  /// OpenCombine's `debounce` on a queue, 50 ms, which are not counted.
  package static let debounced: Workload = { count in
    let queue = DispatchQueue(label: "benchmarks.debounce")
    return await run(count, until: Countdown(1)) { keys in
      keys
        .debounce(for: .milliseconds(50), scheduler: queue.ocombine)
        .flatMap { Just($0) }
        .eraseToAnyPublisher()
    }
    .excluding(Search.pause)
  }

  /// Types so many keys into ReactorKit's pipeline, and waits until the last has been reduced.
  private static func run(
    _ count: Int, until ended: Countdown,
    searches: (AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>
  ) async -> Reading {
    let keys = PassthroughSubject<Int, Never>()
    let state = CurrentValueSubject<Int, Never>(0)
    let connection = searches(keys.eraseToAnyPublisher())
      .scan(0) { _, key in key }
      .prepend(0)
      .eraseToAnyPublisher()
      .multicast(subject: state)
      .connect()
    let subscription = state.sink { if $0 == count { ended.step() } }
    let watch = Stopwatch()
    for key in 1...count { keys.send(key) }
    await ended.isOver
    let reading = watch.reading
    check(state.value, is: count)
    subscription.cancel()
    connection.cancel()
    return reading
  }

  private static func searchTask(
    for key: Int, of last: Int, _ ended: Countdown
  ) -> AnyPublisher<Int, Never> {
    Deferred {
      var search: Task<Void, Never>?
      // It keeps its result: the task may have one before anybody has subscribed.
      let result = Future<Int, Never> { promise in
        // Guarded by the future's own lock.
        nonisolated(unsafe) let promise = promise
        search = Task {
          await Search.wait(for: key, of: last)
          if !Task.isCancelled { promise(.success(key)) }
          ended.step()
        }
      }
      return result.handleEvents(receiveCancel: { [search] in search?.cancel() })
    }
    .eraseToAnyPublisher()
  }
}

/// The last key that was searched for to its end.
private final class Found: Sendable {
  let key = Atomic(0)
}
