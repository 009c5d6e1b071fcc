import Reactor
import ReactorRuntime

/// The one order in which everything that is sent to groups reaches their members: one lock.
///
/// It is the same for all groups of the process, since a reactor may be a member of any of them,
/// and come after any other. It is held while actions are put into inboxes; no code of the user's
/// runs under it, and nothing of the user's is released.
enum GroupOrder {
  private static let lock = Guarded(())

  /// Does something under the lock, and what that has deferred after it.
  static func withLock(_ body: (inout DeferredWork) -> Void) {
    var deferred = DeferredWork()
    withLock(&deferred, body)
    deferred.run()
  }

  /// Does something under the lock, and leaves what that has deferred to the caller.
  static func withLock(_ deferred: inout DeferredWork, _ body: (inout DeferredWork) -> Void) {
    lock.withLock { _ in body(&deferred) }
  }

  /// Returns once nothing holds the lock that did when this was called.
  static func pass() { lock.withLock { _ in } }
}

/// What is to be done, and what is to be released, after a lock.
struct DeferredWork {
  private var work: [() -> Void] = []

  mutating func add(_ work: @escaping () -> Void) { self.work.append(work) }

  func run() {
    for work in work { work() }
  }
}
