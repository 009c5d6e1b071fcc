import Reactor
import ReactorRuntime

/// The order in which actions sent to groups reach the members: one lock.
///
/// All groups of the process share it, since a reactor may be a member of any of them and come
/// after any other. It is held while actions are put into inboxes. No user code runs under it, and
/// no user value is released under it.
enum GroupOrder {
  private static let lock = Guarded(())

  /// Runs a closure under the lock, and its deferred work after the lock.
  static func withLock(_ body: (inout DeferredWork) -> Void) {
    var deferred = DeferredWork()
    withLock(&deferred, body)
    deferred.run()
  }

  /// Runs a closure under the lock, and leaves its deferred work to the caller.
  static func withLock(_ deferred: inout DeferredWork, _ body: (inout DeferredWork) -> Void) {
    lock.withLock { _ in body(&deferred) }
  }

  /// Returns after every holder of the lock at the time of the call has released it.
  static func pass() { lock.withLock { _ in } }
}

/// Work to run, and values to release, after a lock has been released.
struct DeferredWork {
  private var work: [() -> Void] = []

  mutating func add(_ work: @escaping () -> Void) { self.work.append(work) }

  func run() {
    for work in work { work() }
  }
}
