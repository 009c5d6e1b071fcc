import HTTPTypes
import Reactor
import ReactorRuntime

/// The result of a request, which can be sent again.
struct StoredResponse: Sendable {
  let result: Result<ActionResponse, any Error>
  /// Whether something may have been done, so that it must not be done again.
  let isFinal: Bool
}

/// The responses to requests with an `Idempotency-Key`, so that repeated requests are done once.
///
/// They are kept in memory, for a limited time and up to a limited number. For a journaled reactor,
/// they also survive the process; see ``CommandKey``.
///
/// Holds: `state`, guarded by its own lock.
final class ResponseCache: Sendable {
  struct Key: Hashable, Sendable {
    /// The sender of the request, as far as it is known, and the path.
    let scope: String
    let key: String
  }

  fileprivate struct Entry: Sendable {
    let fingerprint: Int
    let work: Task<StoredResponse, Never>
    /// The time when it was done; `nil` until then.
    var since: Duration?
  }

  fileprivate struct State: Sendable {
    var entries: [Key: Entry] = [:]
    /// The keys of finished requests, in order; entries at the front may have been removed already.
    var done: [Key] = []
    var firstDone = 0
  }

  private let state = Guarded(State())
  private let limit: Int
  private let time: Duration
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Duration

  init(_ options: ActionOptions) {
    limit = options.responseLimit
    time = options.responseRetention
    clock = options.clock
    now = options.clock.stopwatch()
  }

  /// Runs the work, unless it has been done or is running; then this returns its response.
  ///
  /// The work continues if the caller is cancelled or stops waiting, since the key is meant for
  /// that case.
  ///
  /// - Parameters:
  ///   - key: Identifies the request.
  ///   - fingerprint: A hash of the request.
  ///   - patience: How long the caller waits; `nil` for no limit.
  ///   - work: The work.
  /// - Returns: The response.
  /// - Throws: What the work threw; ``ReactorHTTPError`` if the key was used for another request,
  ///   or if the caller stops waiting.
  func response(
    to key: Key, _ fingerprint: Int, within patience: Duration?,
    _ work: @escaping @Sendable () async -> StoredResponse
  ) async throws -> ActionResponse {
    let task = try state.withLock { state throws(ReactorHTTPError) -> Task<StoredResponse, Never> in
      state.removeExpired(before: now() - time, keeping: limit)
      if let entry = state.entries[key] {
        guard entry.fingerprint == fingerprint else {
          throw ReactorHTTPError.otherRequest
        }
        return entry.work
      }
      let task = Task {
        let response = await work()
        self.complete(key, with: response)
        return response
      }
      state.entries[key] = Entry(fingerprint: fingerprint, work: task)
      return task
    }
    guard let patience else { return try await task.value.result.get() }
    return try await response(of: task, within: patience)
  }

  private func response(
    of work: Task<StoredResponse, Never>, within patience: Duration
  ) async throws -> ActionResponse {
    let (responses, continuation) = AsyncStream<StoredResponse>.makeStream()
    // Waiting for a task's value does not end on cancellation; waiting for a stream does.
    Task { continuation.yield(await work.value) }
    let response = try await clock.result(within: patience) { await responses.first { _ in true } }
    guard let response = response ?? nil else { throw ReactorHTTPError.stillRunning }
    return try response.result.get()
  }

  private func complete(_ key: Key, with response: StoredResponse) {
    let now = now()
    state.withLock { state in
      guard response.isFinal else {
        state.entries[key] = nil
        return
      }
      state.entries[key]?.since = now
      state.done.append(key)
    }
  }

  /// The number of entries, including those of running requests.
  var count: Int { state.withLock { $0.entries.count } }
}

extension ResponseCache.State {
  /// Removes entries that are too old or exceed the limit.
  fileprivate mutating func removeExpired(before time: Duration, keeping limit: Int) {
    while firstDone < done.count {
      let key = done[firstDone]
      guard let since = entries[key]?.since else {
        firstDone += 1
        continue
      }
      guard since < time || done.count - firstDone >= limit else { break }
      entries[key] = nil
      firstDone += 1
    }
    if firstDone > 64, firstDone * 2 > done.count {
      done.removeFirst(firstDone)
      firstDone = 0
    }
  }
}
