public import Synchronization

/// A value and the lock that guards it: the standard library's `Mutex`.
///
/// Under contention, the mutex takes its slow path inside the standard library, where the thread
/// sanitizer does not see it. The sanitizer would then report races although there is a lock. So in
/// debug builds the edge from one holder to the next is repeated by an atomic that the sanitizer
/// sees. Only the mutex locks.
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
