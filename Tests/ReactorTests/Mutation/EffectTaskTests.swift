import Reactor
import Synchronization
import TestLimits
import TestSupport
import Testing

/// What the task of an effect inherits from the task that woke the reactor, and what it does not.
@Suite(.bounded) struct EffectTaskTests {
  @TaskLocal private static var word = "none"

  /// Passes on what it is given, to where it would have run without it.
  private final class Passing: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(job) }
  }

  /// What an effect finds before it suspends, and after.
  private final class Findings: Sendable {
    private let words = Mutex<[String]>([])
    private let preferences = Mutex<[Bool]>([])

    func look() {
      words.withLock { $0.append(EffectTaskTests.word) }
      let prefers = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
      preferences.withLock { $0.append(prefers) }
    }

    var all: (words: [String], preferences: [Bool]) {
      (words.withLock { $0 }, preferences.withLock { $0 })
    }
  }

  private func reactor(usingSelf: Bool, _ findings: Findings) -> ScriptedReactor {
    ScriptedReactor { reactor, _ in
      guard usingSelf else {
        return .run { _ in
          findings.look()
          await Task.yield()
          findings.look()
        }
      }
      return .run { _ in
        reactor.note("began")
        findings.look()
        await Task.yield()
        findings.look()
      }
    }
  }

  @Test(arguments: [false, true])
  func `an effect has no task-local values of the task that woke the reactor`(usingSelf: Bool) async
  {
    let findings = Findings()
    let reactor = reactor(usingSelf: usingSelf, findings)
    await Self.$word.withValue("set") { await reactor.send(1).settled }
    #expect(findings.all.words == ["none", "none"])
  }

  @Test(arguments: [false, true], [TaskPriority.background, .high])
  func `an effect has the priority of the task that woke the reactor`(
    usingSelf: Bool, priority: TaskPriority
  ) async {
    let found = Log<TaskPriority>()
    let reactor = ScriptedReactor { reactor, _ in
      guard usingSelf else { return .run { _ in found.append(Task.currentPriority) } }
      return .run { _ in
        reactor.note("began")
        found.append(Task.currentPriority)
      }
    }
    // The task is not awaited: a waiter would lend it a priority.
    Task.detached(priority: priority) { reactor.send(1) }
    #expect(await found.entries(upTo: 1) == [priority])
  }

  @Test(arguments: [false, true])
  func `an effect does not prefer the executor that its sender prefers`(usingSelf: Bool) async {
    let findings = Findings()
    let reactor = reactor(usingSelf: usingSelf, findings)
    await withTaskExecutorPreference(Passing()) { await reactor.send(1).settled }
    #expect(findings.all.preferences == [false, false])
  }
}
