import Foundation

/// A value that several threads share, accessed by one of them at a time.
///
/// It uses a lock of Foundation, which the thread sanitizer supports.
final class Locked<Value: Sendable>: @unchecked Sendable {
  // Guard: `lock`, in the only function that accesses it.
  private var value: Value
  private let lock = NSLock()

  init(_ value: Value) { self.value = value }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
