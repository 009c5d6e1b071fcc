/// A suspended caller, to be resumed exactly once: a continuation that is not checked.
///
/// A checked one is an allocation and an atomic for each mutation that passes a hook, which is a
/// tenth of what passing it costs.
///
/// **Why it is sound**: a `Resumption` stands in one place at a time, under a lock; whoever takes
/// it out of there resumes it, outside the lock. `HookChannel` and `HookTicket` are the only ones
/// to keep one.
///
/// **What would break it**: a path that takes one out and returns without resuming it (the caller
/// never goes on, and leaks), or that copies one and resumes both (undefined).
@usableFromInline
package struct Resumption<Value: Sendable>: Sendable {
  @usableFromInline let continuation: UnsafeContinuation<Value, Never>

  @inlinable
  package init(_ continuation: UnsafeContinuation<Value, Never>) {
    self.continuation = continuation
  }

  @inlinable
  package func resume(returning value: Value) { continuation.resume(returning: value) }

  /// Suspends the caller until it has been resumed.
  ///
  /// - Parameters:
  ///   - isolation: Where the caller runs.
  ///   - body: Puts it where it will be found.
  /// - Returns: What it has been resumed with.
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
