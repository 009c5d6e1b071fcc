import Foundation

/// Work that may block, and that nothing can interrupt: to find a name, say.
enum Blocking {
  /// Does something on a thread of its own, and waits for so long at most.
  ///
  /// What comes later is released, and the thread with it.
  ///
  /// - Parameters:
  ///   - limit: For how long.
  ///   - body: What may block.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and ``PostgresError/lost(_:)`` when the time is up.
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

  /// From one thread to the other, which from then on is the only one that has it.
  ///
  /// Guard of all that changes: `condition`.
  private final class Handover<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?
    private var isAwaited = true

    /// Releases it if it is not waited for any more.
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
