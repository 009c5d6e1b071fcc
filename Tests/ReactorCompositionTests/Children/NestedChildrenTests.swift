import Reactor
import ReactorComposition
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// Parents whose children have children, and so on, all of them on a stack of 256 KiB.
@Suite(.bounded) struct NestedChildrenTests {
  private let levels = Levels()
  /// The release of a chain goes down through all of it, by one call in another.
  private let count = 300

  @Test(arguments: [StopMode.cancel, .drain])
  func `nested children stop with the first parent`(mode: StopMode) async {
    let first = LevelReactor(below: count - 1, levels)
    _ = await first.currentState
    _ = await levels.begun.entries(upTo: count)
    await first.stop(mode).settled
    // The first one is still held.
    #expect(await levels.released.entries(upTo: count - 1).count == count - 1)
  }

  @Test func `nested children end once the first parent is released`() async {
    let first = Guarded<LevelReactor?>(LevelReactor(below: count - 1, levels))
    _ = await first.withLock { $0 }?.currentState
    _ = await levels.begun.entries(upTo: count)
    await LevelReactor(below: 0, Levels()).turn { _ in
      let released = first.withLock { $0.take() }
      withExtendedLifetime(released) {}
    }
    #expect(await levels.released.entries(upTo: count).count == count)
  }
}

/// What becomes of all levels, and the thread that they run on.
private final class Levels: Sendable {
  let begun = Log<Int>()
  let released = Log<Int>()
  let executor = SmallStackExecutor(stack: 256 * 1024)

  deinit { executor.stop() }
}

/// Has a child like itself, unless it is the last; its state is how many levels are below it.
private actor LevelReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  nonisolated let initialState: Int
  nonisolated let pipeline = Pipeline()
  nonisolated let child: ReactorChild<LevelReactor>
  private nonisolated let levels: Levels

  init(below count: Int, _ levels: Levels) {
    initialState = count
    self.levels = levels
    child = pipeline.child {
      $0 > 0 ? true : nil
    } make: { _, count in
      LevelReactor(below: count - 1, levels)
    }
    levels.begun.append(count)
  }

  deinit { levels.released.append(initialState) }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    levels.executor.asUnownedSerialExecutor()
  }

  func reduce(state: inout Int, mutation: Int) {}
}
