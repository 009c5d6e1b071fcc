import CommandShell
import Reactor
import Synchronization

/// Whether everything was done that was asked for.
final class Record: Sendable {
  private let failures = Atomic(0)

  var isClean: Bool { failures.load(ordering: .relaxed) == 0 }

  func fail() { failures.add(1, ordering: .relaxed) }
}

/// What the screen on top knows, for Tab; asked by the console's own thread.
///
/// Holds: `current`, guarded by its own lock.
final class Completions: Sendable {
  private let current = Guarded(CommandCompletion(commands: []))

  func set(_ completion: CommandCompletion) { current.withLock { $0 = completion } }

  var now: CommandCompletion { current.withLock { $0 } }
}
