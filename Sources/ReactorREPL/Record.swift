import CommandShell
import Reactor
import ReactorRuntime
import Synchronization

/// Counts the requests that were not carried out.
final class Record: Sendable {
  private let count = Atomic(0)

  /// The number of failures.
  var failures: Int { count.load(ordering: .relaxed) }

  var isClean: Bool { failures == 0 }

  func fail() { count.add(1, ordering: .relaxed) }
}

/// The completion of the top screen, for Tab; read by the console's own thread.
///
/// Holds: `current`, guarded by its own lock.
final class Completions: Sendable {
  private let current = Guarded(CommandCompletion(commands: []))

  func set(_ completion: CommandCompletion) { current.withLock { $0 = completion } }

  var now: CommandCompletion { current.withLock { $0 } }
}
