import Foundation

/// A value that several threads share: one of them at a time has it.
///
/// It has a lock of Foundation's, since the thread sanitizer knows those.
public final class Locked<Value: Sendable>: @unchecked Sendable {
  // Guard: `lock`, in the one function that touches it.
  private var value: Value
  private let lock = NSLock()

  /// A value to share.
  public init(_ value: Value) { self.value = value }

  /// Gives the value to a closure.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
