import Foundation

/// Runs work that may block and cannot be interrupted, such as resolving a host name.
enum Blocking {
  /// Runs work on a thread of its own, and waits for a limited time.
  ///
  /// A later result is released, and the thread ends with it.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - body: The work that may block.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and ``PostgresError/lost(_:)`` at the time limit.
  static func run<Value>(
    within limit: Duration, _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let handover = Handover<Value>()
    let thread = Thread { handover.put(Result { try body() }) }
    thread.stackSize = 1 << 19
    thread.start()
    guard let result = handover.take(within: limit) else {
      throw PostgresError.lost("no connection within \(limit)")
    }
    return try result.get()
  }

  /// Passes a result from one thread to another, which then has the only reference.
  ///
  /// Guard of all that changes: `condition`.
  private final class Handover<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?
    private var isAwaited = true

    /// Stores the result, or releases it if nothing waits for it any more.
    func put(_ result: Result<Value, any Error>) {
      condition.withLock {
        if isAwaited { self.result = result }
        condition.signal()
      }
    }

    func take(within limit: Duration) -> Result<Value, any Error>? {
      let end = Date(timeIntervalSinceNow: min(limit / .seconds(1), 3_600))
      return condition.withLock {
        while result == nil, condition.wait(until: end) {}
        isAwaited = false
        defer { result = nil }
        return result
      }
    }
  }
}
