import Hummingbird
import NIOCore
import Reactor

/// Reads the body of a request within a time limit.
struct RequestBodyReader {
  private enum Read: Sendable {
    case all(ByteBuffer)
    case timedOut
    /// The request was cancelled; the result of the read is still to come.
    case cancelled
  }

  private let request: Request
  private let limit: Int
  private let clock: any Clock<Duration>

  init(_ request: Request, _ options: ActionOptions) {
    self.request = request
    limit = options.bodyLimit
    clock = options.clock
  }

  /// Reads the body to its end.
  ///
  /// - Parameter time: How long the request may take in total; `nil` for no limit.
  /// - Returns: The body, and the time that is left.
  /// - Throws: ``ReactorHTTPError`` if the body is too long, or did not arrive in time.
  func read(within time: Duration?) async throws -> (ByteBuffer, Duration?) {
    do {
      guard let time else {
        let body = try await request.body.collect(upTo: limit)
        try checkWhole()
        return (body, nil)
      }
      let elapsed = clock.stopwatch()
      let body = try await collect(within: time)
      try checkWhole()
      let rest = time - elapsed()
      guard rest > .zero else { throw ReactorHTTPError.lateBody }
      return (body, rest)
    } catch is NIOTooManyBytesError {
      throw ReactorHTTPError(
        .contentTooLarge, reason: "bodyLimit", "the body has more than \(limit) bytes")
    } catch {
      try checkWhole()
      throw error
    }
  }

  /// A body that was truncated when the service ended may look complete.
  private func checkWhole() throws {
    if ServedConnection.current?.isTruncated == true { throw ReactorHTTPError.stopped }
  }

  private func collect(within time: Duration) async throws -> ByteBuffer {
    let (body, limit, clock) = (request.body, limit, clock)
    return try await withThrowingTaskGroup(of: Read.self) { group in
      group.addTask { .all(try await body.collect(upTo: limit)) }
      group.addTask { (try? await clock.sleep(for: time)) == nil ? .cancelled : .timedOut }
      defer { group.cancelAll() }
      while let read = try await group.next() {
        switch read {
        case .all(let body): return body
        case .timedOut: throw ReactorHTTPError.lateBody
        case .cancelled: continue
        }
      }
      throw CancellationError()
    }
  }
}

extension ReactorHTTPError {
  static let lateBody = Self(
    .gatewayTimeout, reason: "late", "the body was not there within the time; nothing was done",
    isWithoutEffect: true)
}
