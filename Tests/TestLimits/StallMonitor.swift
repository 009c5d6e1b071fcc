import Foundation

/// Watches the tests that run, from a thread of its own, which works even where all threads of the
/// pool are blocked.
///
/// What counts is the time that a test would have taken on an idle machine (see ``Slowdown``): a
/// test fails because it waits, not because other processes use the processors.
///
/// Holds: `running`, `slowdown` and `lastLook`, guarded by `lock`, a lock that the thread sanitizer
/// understands. A task's reference is used under the lock only, and the task lives until
/// ``end(_:)``.
final class StallMonitor: @unchecked Sendable {
  static let shared = StallMonitor()

  private struct Running {
    let name: String
    let task: UnsafeCurrentTask?
    let limit: Duration
    let start: ContinuousClock.Instant
    /// The time since it began, as on an idle machine.
    var time = Duration.zero
    var isStalled = false
  }

  private let lock = NSLock()
  private var running: [Int: Running] = [:]
  private var nextID = 0
  private var slowdown = Slowdown()
  private var lastLook = ContinuousClock.now
  /// Where each test says that it begins and how long it took: `scripts/test` reads it.
  private let times = TestCounts.text("REACTOR_TEST_TIMES").flatMap { path in
    let descriptor = open(path, O_WRONLY | O_APPEND)
    // Not for the programs that tests start, which may be these tests again.
    unsetenv("REACTOR_TEST_TIMES")
    return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor)
  }
  private let patience = Double(TestCounts.text("REACTOR_PATIENCE") ?? "") ?? 1
  /// How long after it has been cancelled a test may go on before the process is ended.
  private let grace = Duration.seconds(30)

  private init() {
    let thread = Thread { [self] in watch() }
    thread.name = "test limits"
    thread.start()
  }

  func begin(_ name: String, task: UnsafeCurrentTask?, limit: Duration) -> Int {
    lock.withLock {
      nextID += 1
      note("+ 0 \(name)\n")
      running[nextID] = Running(name: name, task: task, limit: limit * patience, start: .now)
      return nextID
    }
  }

  /// Whether the test had run into its limit.
  func end(_ id: Int) -> Bool {
    lock.withLock {
      guard let test = running.removeValue(forKey: id) else { return false }
      let time = test.start.duration(to: .now)
      note("- \(time / .milliseconds(1)) \(test.name)\n")
      return test.isStalled
    }
  }

  private func watch() {
    while true {
      Thread.sleep(forTimeInterval: 0.5)
      lock.withLock { look() }
    }
  }

  private func look() {
    let (now, slowdown) = (ContinuousClock.now, slowdown.next())
    let sinceLast = lastLook.duration(to: now)
    lastLook = now
    for (id, test) in running {
      let time = test.time + min(sinceLast, test.start.duration(to: now)) / slowdown
      running[id]?.time = time
      if time > test.limit, !test.isStalled {
        running[id]?.isStalled = true
        report(test)
        test.task?.cancel()
      } else if test.isStalled, time > test.limit + grace {
        say("error: \(test.name) does not end though it was cancelled; the run ends here\n")
        exit(1)
      }
    }
  }

  private func report(_ test: Running) {
    var text = "error: \(test.name) has run for \(test.limit) and waits in:\n"
    for frame in TaskStack.frames(of: test.task) { text += "  \(frame)\n" }
    say(text + "It is cancelled now.\n")
  }

  private func note(_ line: String) { times?.write(Data(line.utf8)) }

  private func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
