import CProcess
import Dispatch
import Synchronization

/// The threads on which Swift runs tasks: one for each processor.
enum Pool {
  /// Whether two tasks run at the same time: each waits for the other without giving up its thread.
  ///
  /// Where all threads of the pool but one are blocked, the two never meet, and a row says what things cost
  /// that take turns.
  static var canOverlap: Bool {
    get async {
      let meeting = Meeting()
      async let first = meeting.isAttended
      async let second = meeting.isAttended
      let met = await [first, second]
      return met == [true, true]
    }
  }

  /// Blocks all threads but one, until the process ends.
  static func leaveOneThread() async {
    let blocked = Meeting(of: Int(usable_processors()))
    for _ in 1..<usable_processors() {
      Task.detached {
        blocked.arrive()
        block()
      }
    }
    // From the last thread: it is reached once the others are taken.
    _ = await blocked.isAttended
  }
}

/// Where so many tasks wait for each other without giving up their threads.
private final class Meeting: Sendable {
  private let expected: Int
  private let arrived = Atomic(0)

  init(of expected: Int = 2) { self.expected = expected }

  func arrive() { arrived.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Arrives, and says whether all have within some seconds.
  var isAttended: Bool {
    get async {
      arrive()
      let deadline = ContinuousClock.now + .seconds(5)
      while arrived.load(ordering: .acquiring) < expected {
        if ContinuousClock.now > deadline { return false }
      }
      return true
    }
  }
}

/// What no task should ever do.
private func block() { DispatchSemaphore(value: 0).wait() }
