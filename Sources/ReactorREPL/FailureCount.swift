import CommandShell
import Reactor
import ReactorRuntime
import Synchronization

/// Counts the requests that were not carried out.
final class FailureCount: Sendable {
  private let count = Atomic(0)

  /// The number of failures.
  var failures: Int { count.load(ordering: .relaxed) }

  var isClean: Bool { failures == 0 }

  func fail() { count.add(1, ordering: .relaxed) }
}

/// The completion of the top screen, for Tab; read by the console's own thread.
///
/// Holds: `contents`, guarded by its own lock.
final class CurrentCompletion: Sendable {
  private let contents = Guarded(CommandCompletion(commands: []))

  func set(_ completion: CommandCompletion) { contents.withLock { $0 = completion } }

  var value: CommandCompletion { contents.withLock { $0 } }
}
