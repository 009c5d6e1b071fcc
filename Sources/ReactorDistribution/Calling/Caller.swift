import Foundation
import Reactor
import ReactorJournal

/// Finds the host that owns a reactor, and executes a call there, on this host or another one.
///
/// If an attempt fails, it searches again. Each attempt has the same command identifier, so the
/// command is done once.
///
/// **No call waits forever for a lost message.** A deadline is measured by this host's clock.
/// Without a deadline, a host that works on a command responds once in each lease. If no host
/// responds for ``ClusterOptions/retryTimeout``, the call fails.
struct Caller<R: JournaledReactor>: Sendable where R.Action: Codable {
  let node: ClusterNode
  let kind: ClusterKind<R>
  let id: String

  var key: JournalKey { kind.key(id) }

  /// The host for the next attempt.
  enum Target {
    case here
    case there(ClusterHost, isForced: Bool)
  }

  /// The state of the search.
  struct Search: Sendable {
    var attempt = 0
    /// The last time when a host responded that it works on the command.
    var since: Duration
    /// The deadline of the caller.
    var end: Duration?
    var hint: ClusterHost?
    var hintsLeft = 2
    var avoided: Set<HostID> = []
    /// Hosts that were lost while they had the command.
    var lostHosts: Set<HostID> = []
    var pause = Duration.milliseconds(10)
    /// Whether an attempt may have begun on some host.
    var mayHaveBegun = false
    /// The host that may be working on the command now.
    var working: ClusterHost?
    /// Hosts that another host has named as the owner.
    var hintedHosts: Set<HostID> = []
    var lastReason = "no host could be asked"
  }

  /// The outcome of one attempt.
  enum AttemptResult<Result: Sendable>: Sendable {
    case done(Result)
    case retry
  }

  /// The operation on this host, made anew for each attempt.
  typealias LocalOperation<Result> = @Sendable () async throws -> Result?

  /// Executes a call, on whichever host the reactor is.
  ///
  /// - Parameters:
  ///   - head: The request, the same for each attempt.
  ///   - here: Makes the operation for this host; the head has the number of the attempt.
  ///   - payload: Encodes what is sent to another host.
  ///   - there: Converts the response of another host.
  /// - Returns: The result.
  /// - Throws: ``ClusterError``, or what `here` throws.
  nonisolated(nonsending) func call<Result: Sendable>(
    _ head: CallRequest.Head, here: (CallRequest.Head) throws -> LocalOperation<Result>,
    payload: () throws -> Data, there: (CallResponse) throws -> Result
  ) async throws -> Result {
    try ClusterKey.check(id)
    let start = node.clock.now()
    var search = Search(since: start, end: head.within.map { start + .bounded(seconds: $0) })
    do {
      while true {
        let result = try await attempt(
          head, &search, here: here, payload: payload, there: there)
        if case .done(let result) = result { return result }
        try Task.checkCancellation()
        if isStopped(search) { throw stoppedError(head, search) }
        if isExhausted(head, search) { throw exhaustionError(head, search) }
        guard let rest = rest(search) else {
          try await node.clock.sleep(search.pause)
          continue
        }
        if rest <= .zero { throw TimeoutError() }
        try await node.clock.sleep(min(search.pause, rest))
      }
    } catch {
      let isLate = error is TimeoutError
      if isLate || Task.isCancelled { cancelRemotely(head, search) }
      throw isLate ? ClusterError.failed(key, reason: .late(head.within)) : error
    }
  }

  private nonisolated(nonsending) func attempt<Result: Sendable>(
    _ head: CallRequest.Head, _ search: inout Search,
    here: (CallRequest.Head) throws -> LocalOperation<Result>, payload: () throws -> Data,
    there: (CallResponse) throws -> Result
  ) async throws -> AttemptResult<Result> {
    search.attempt += 1
    search.pause = min(search.pause * 2, .milliseconds(500))
    var head = head
    head.attempt = search.mayHaveBegun ? search.attempt : 1
    let target = try await target(&search)
    head.within = rest(search).map { max($0, .zero) / .seconds(1) }
    switch target {
    case .here?: return try await attemptLocally(try here(head), &search)
    case .there(let host, let isForced)?:
      head.isForced = isForced
      let request = CallRequest(head, payload: try payload())
      return try await attemptRemotely(request, at: host, &search, there: there)
    case nil: return .retry
    }
  }

  /// The time that is left until the caller's deadline; `nil` without a deadline.
  func rest(_ search: Search) -> Duration? { search.end.map { $0 - node.clock.now() } }

  /// Whether this host calls no other host any more, or is leaving and no host remains.
  private func isStopped(_ search: Search) -> Bool {
    if node.hasLeft { return true }
    guard node.isStopped, search.working == nil else { return false }
    return kind.local?.incarnation.place(kind.name, id) == nil
  }

  private func stoppedError(_ head: CallRequest.Head, _ search: Search) -> ClusterError {
    let isBegun = search.mayHaveBegun || search.working != nil
    return isBegun && head.verb.isCommand ? .unfinished(key, command: head.command) : .stopped
  }

  private func isExhausted(_ head: CallRequest.Head, _ search: Search) -> Bool {
    // If two hosts were lost with the command, a third one is not tried.
    if search.lostHosts.count > 1, head.verb.isCommand { return true }
    return node.clock.now() - search.since > node.options.retryTimeout
  }

  private func exhaustionError(_ head: CallRequest.Head, _ search: Search) -> ClusterError {
    if search.mayHaveBegun, head.verb.isCommand {
      return .unfinished(key, command: head.command)
    }
    return .unreachable(key, search.lastReason)
  }

  // MARK: Finding

  private nonisolated(nonsending) func target(_ search: inout Search) async throws -> Target? {
    guard let local = kind.local else {
      search.lastReason = "this host's lease has run out"
      return nil
    }
    if local.journals.owned(key) != nil, !kind.isLeaving(id) { return .here }
    if let hint = search.hint, search.hintsLeft > 0 {
      (search.hint, search.hintsLeft) = (nil, search.hintsLeft - 1)
      return target(hint, local, isForced: false)
    }
    do {
      // The table of owners decides. The query may take at least a lease, since the search may have
      // used up its time while a host worked on the command.
      let remaining = search.since + node.options.retryTimeout - node.clock.now()
      let limit = rest(search) ?? max(remaining, node.options.lease)
      let owner = try await node.clock.limit(to: limit) { [store = node.store, key] in
        try await store.owner(of: key)
      }
      if let owner {
        search.hintsLeft = 2
        return target(owner.host, local, isForced: true)
      }
    } catch  where search.end == nil || !(error is TimeoutError) {
      search.lastReason = "the store does not answer: \(ReportText.text(ofError: error))"
      return nil
    }
    let isForced = !search.avoided.isEmpty
    guard let place = local.incarnation.place(kind.name, id, avoiding: search.avoided) else {
      search.avoided = []
      return nil
    }
    search.hintsLeft = 2
    return target(place, local, isForced: isForced)
  }

  private func target(
    _ host: ClusterHost, _ local: ClusterKind<R>.Local, isForced: Bool
  ) -> Target? {
    if host.id == local.incarnation.id { return kind.isLeaving(id) ? nil : .here }
    return .there(host, isForced: isForced)
  }
}

/// A store does not answer.
package protocol ClusterStoreError: Error {
  /// Whether another attempt would fail in the same way.
  var isPermanent: Bool { get }
}

extension ClusterStoreError {
  package var isPermanent: Bool { false }
}
