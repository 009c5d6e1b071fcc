public import Synchronization

/// A value and the lock that guards it: the standard library's `Mutex`.
///
/// The mutex takes its slow path, when threads meet, inside the standard library, which the thread
/// sanitizer does not see; it then reports races where there is a lock. In debug builds the edge
/// from one holder to the next is therefore drawn once more, where the sanitizer sees it. It is the
/// mutex alone that locks.
@usableFromInline
package struct Guarded<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>

  #if DEBUG
    @usableFromInline let edge = Atomic(false)
  #endif

  @inlinable
  package init(_ value: sending Value) { mutex = Mutex(value) }

  @inlinable
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      #if DEBUG
        _ = edge.load(ordering: .acquiring)
        defer { edge.store(true, ordering: .releasing) }
      #endif
      return try body(&value)
    }
  }
}
