import CommandShell
import Reactor
import ReactorRuntime
import Synchronization

/// Whether everything was done that was asked for.
final class Record: Sendable {
  private let count = Atomic(0)

  /// How many things were not.
  var failures: Int { count.load(ordering: .relaxed) }

  var isClean: Bool { failures == 0 }

  func fail() { count.add(1, ordering: .relaxed) }
}

/// What the screen on top knows, for Tab; asked by the console's own thread.
///
/// Holds: `current`, guarded by its own lock.
final class Completions: Sendable {
  private let current = Guarded(CommandCompletion(commands: []))

  func set(_ completion: CommandCompletion) { current.withLock { $0 = completion } }

  var now: CommandCompletion { current.withLock { $0 } }
}
