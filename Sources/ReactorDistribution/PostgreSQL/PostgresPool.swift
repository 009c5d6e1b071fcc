import Foundation
import Reactor
import ReactorRuntime

/// A few connections, each with a thread of its own.
///
/// A task that waits for the database therefore blocks no thread of Swift's concurrency pool. A
/// lost connection is opened again by the next statement that needs it.
///
/// Holds: `state`, guarded by `condition`.
final class PostgresPool: Sendable {
  typealias Job = @Sendable (Result<PostgresConnection, any Error>) -> Void

  private struct State {
    /// Jobs that have not begun.
    var waiting = FIFO<Job>()
    var isClosed = false
  }

  private let condition = NSCondition()
  /// Guard: `condition`.
  private nonisolated(unsafe) var state = State()
  private let info: String
  private let timeout: Duration
  private let prepare: @Sendable (PostgresConnection) throws -> Void

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - info: The connection string for libpq.
  ///   - count: The number of connections.
  ///   - timeout: How long a statement may take.
  ///   - prepare: Called with each new connection.
  init(
    _ info: String, count: Int, timeout: Duration,
    prepare: @escaping @Sendable (PostgresConnection) throws -> Void
  ) {
    (self.info, self.timeout, self.prepare) = (info, timeout, prepare)
    for number in 0..<count {
      let thread = Thread { [self] in serve() }
      thread.name = "PostgreSQL \(number)"
      thread.stackSize = 1 << 19
      thread.start()
    }
  }

  func close() {
    let jobs = condition.withLock { () -> [Job] in
      state.isClosed = true
      condition.broadcast()
      return state.waiting.removeAll()
    }
    for job in jobs { job(.failure(ClusterError.stopped)) }
  }

  /// Runs a closure with a connection, on the connection's thread.
  ///
  /// **Cancellation**: it returns at once. A closure that has begun continues; one that has not
  /// never begins.
  ///
  /// - Throws: What `body` throws, or the reason why there is no connection.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value {
    let place = Guarded<CheckedContinuation<Value, any Error>?>(nil)
    let cancelled = Guarded(false)
    let resume: @Sendable (Result<Value, any Error>) -> Void = { result in
      let waiter = place.withLock { place in
        defer { place = nil }
        return place
      }
      waiter?.resume(with: result)
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = cancelled.withLock { isCancelled in
          if !isCancelled { place.withLock { $0 = continuation } }
          return isCancelled
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        enqueue { connection in
          if cancelled.withLock({ $0 }) { return }
          resume(connection.flatMap { open in Result { try body(open) } })
        }
      }
    } onCancel: {
      cancelled.withLock { $0 = true }
      resume(.failure(CancellationError()))
    }
  }

  func enqueue(_ job: @escaping Job) {
    let isClosed = condition.withLock { () -> Bool in
      if state.isClosed { return true }
      state.waiting.append(job)
      condition.signal()
      return false
    }
    if isClosed { job(.failure(ClusterError.stopped)) }
  }

  /// Waits for the next job and takes it; `nil` once the pool is closed.
  func next() -> Job? {
    condition.withLock {
      while state.waiting.isEmpty, !state.isClosed { condition.wait() }
      return state.waiting.popFirst()
    }
  }

  private func serve() {
    var connection: PostgresConnection?
    while let job = next() {
      do {
        let open = try connection ?? connect()
        connection = open
        job(.success(open))
        if open.isBroken { connection = nil }
      } catch {
        connection = nil
        job(.failure(error))
      }
    }
  }

  private func connect() throws -> PostgresConnection {
    let connection = try PostgresConnection.open(info, timeout: timeout)
    try prepare(connection)
    return connection
  }
}
