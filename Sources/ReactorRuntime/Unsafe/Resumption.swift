/// A suspended caller, to be resumed exactly once: an unchecked continuation.
///
/// A checked one costs an allocation and an atomic for each mutation that passes a hook, which is a
/// tenth of the cost of passing it.
///
/// **Why it is sound**: a `Resumption` is stored in one place at a time, under a lock. The code
/// that takes it out of that place resumes it, outside the lock. Only `HookChannel` and
/// `HookTicket` store one.
///
/// **What would break it**: a path that takes one out and returns without resuming it (the caller
/// never continues, and leaks), or that copies one and resumes both (undefined behaviour).
@usableFromInline
package struct Resumption<Value: Sendable>: Sendable {
  @usableFromInline let continuation: UnsafeContinuation<Value, Never>

  @inlinable
  package init(_ continuation: UnsafeContinuation<Value, Never>) {
    self.continuation = continuation
  }

  @inlinable
  package func resume(returning value: Value) { continuation.resume(returning: value) }

  /// Suspends the caller until it is resumed.
  ///
  /// - Parameters:
  ///   - isolation: Where the caller runs.
  ///   - body: Stores the resumption where it will be found.
  /// - Returns: The value with which it was resumed.
  @inlinable @inline(__always)
  package static func suspend(
    isolation: isolated (any Actor)? = #isolation, _ body: (Resumption) -> Void
  ) async -> Value {
    await withUnsafeContinuation(isolation: isolation) { body(Resumption($0)) }
  }
}

extension Resumption where Value == Void {
  @inlinable
  package func resume() { continuation.resume() }
}
