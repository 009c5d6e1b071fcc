import Foundation

/// A value that several threads share, accessed by one of them at a time.
///
/// It uses a lock of Foundation, which the thread sanitizer supports.
public final class Locked<Value: Sendable>: @unchecked Sendable {
  // Guard: `lock`, in the only function that accesses it.
  private var value: Value
  private let lock = NSLock()

  /// Creates a lock that owns a value.
  public init(_ value: Value) { self.value = value }

  /// Calls a closure with the value while the lock is held.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
