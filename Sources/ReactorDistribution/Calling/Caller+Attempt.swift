import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// One attempt of a call.
extension Caller {
  nonisolated(nonsending) func attemptLocally<Result: Sendable>(
    _ here: @escaping LocalOperation<Result>, _ search: inout Search
  ) async throws -> AttemptResult<Result> {
    do {
      if let result = try await node.clock.limit(to: rest(search), here) { return .done(result) }
      // The reactor ended during the command.
      search.mayHaveBegun = true
      search.lastReason = "the reactor ended in the middle"
    } catch ClusterError.notOwner(_, let owner) {
      search.hint = owner?.host
      search.lastReason = "it is being handed over"
    } catch let error as CreationError {
      throw error.cause
    } catch let error as ClusterError {
      switch error {
      case .fenced, .taken: search.lastReason = "\(error)"
      case .tooNew:
        if let host = kind.local?.incarnation.id { search.avoided.insert(host) }
        try requireAnotherHost(search, or: error)
      default: throw error
      }
    } catch let error as JournalError {
      search.lastReason = "\(error)"
    } catch let error as any ClusterStoreError {
      if error.isPermanent { throw ClusterError.unusable("\(error)") }
      search.lastReason = "\(error)"
    }
    return .retry
  }

  nonisolated(nonsending) func attemptRemotely<Result: Sendable>(
    _ request: CallRequest, at host: ClusterHost, _ search: inout Search,
    there: (CallResponse) throws -> Result
  ) async throws -> AttemptResult<Result> {
    guard let response = try await answer(of: host, to: request, &search) else { return .retry }
    if response.head.word != .working { search.working = nil }
    switch response.head.word {
    case .result, .last: return .done(try there(response))
    case .working:
      (search.mayHaveBegun, search.since) = (true, node.clock.now())
      (search.hint, search.hintsLeft, search.pause) = (host, 2, .milliseconds(1))
    case .notOwner:
      search.hint = response.head.owner
      search.lastReason = "\(host) has not got it"
      // The hint is tried without a pause once. Two hosts that name each other are then tried at
      // growing intervals.
      if let hint = search.hint, search.hintedHosts.insert(hint.id).inserted {
        search.pause = .milliseconds(1)
      }
    case .ended:
      search.mayHaveBegun = true
      search.lastReason = "\(host): \(response.head.text ?? "it ended in the middle")"
    case .notBegun:
      search.lastReason = "\(host): \(response.head.text ?? "it was not begun")"
    case .notMade:
      let failure = ClusterFailure(.notMade, response.head.text ?? "it could not be made")
      throw ClusterError.failed(key, reason: failure)
    case .tooNew:
      // Another host may run a newer version of the program.
      search.avoided.insert(host.id)
      try requireAnotherHost(
        search, or: ClusterError.tooNew(key, version: response.head.number ?? 0))
    case .unknownKind:
      search.avoided.insert(host.id)
      try requireAnotherHost(search, or: ClusterError.unknownKind(kind.name))
    case .unfinished: throw ClusterError.unfinished(key, command: request.head.command)
    case .poisoned: throw ClusterError.poisoned(key, attempts: response.head.number ?? 0)
    case .overloaded:
      // Only of this attempt it is known that nothing has been done.
      guard search.mayHaveBegun else { throw ClusterError.overloaded(host.address) }
      search.lastReason = "\(host) has reached its limit of calls"
    case .invalid: throw ClusterError.invalid(response.head.text ?? "the call was not understood")
    }
    return .retry
  }

  private func requireAnotherHost(_ search: Search, or error: ClusterError) throws {
    let place = kind.local?.incarnation.place(kind.name, id, avoiding: search.avoided)
    if place == nil { throw error }
  }

  /// Calls a host, as long as it owns the reactor or may take it.
  ///
  /// - Returns: The response; `nil` if there is none, and another attempt is due.
  private nonisolated(nonsending) func answer(
    of host: ClusterHost, to request: CallRequest, _ search: inout Search
  ) async throws -> CallResponse? {
    let message = try request.encoded()
    // A host that is alive responds within a lease.
    let silence = node.options.lease * 2
    let limit = rest(search).map { max(.zero, min($0, silence)) } ?? silence
    search.working = host
    do {
      return try await call(host, message, limit)
    } catch ClusterError.invalid(let what) {
      search.working = nil
      throw ClusterError.invalid(what)
    } catch let error as HostUnreachable {
      search.working = nil
      search.avoided.insert(host.id)
      search.lastReason = "\(host): \(error)"
      return nil
    } catch {
      search.mayHaveBegun = true
      search.lastReason = "\(host): \(ReportText.text(ofError: error))"
      try Task.checkCancellation()
      if let rest = rest(search), rest <= .zero { throw TimeoutError() }
      // A host that did not respond in time is tried again, if it still owns the reactor.
      if error is TimeoutError { return nil }
      search.lostHosts.insert(host.id)
      search.avoided.insert(host.id)
      return nil
    }
  }

  private nonisolated(nonsending) func call(
    _ host: ClusterHost, _ message: Data, _ limit: Duration
  ) async throws -> CallResponse {
    guard let secret = node.incarnation?.secret else {
      throw HostUnreachable("this host's lease has run out")
    }
    return try await withThrowingTaskGroup(of: CallResponse.self) { [node, key] group in
      group.addTask {
        let frame = try await node.transport.call(message, at: host.address, secret: secret)
        return try CallResponse(frame: frame)
      }
      group.addTask {
        try await node.clock.sleep(limit)
        throw TimeoutError()
      }
      group.addTask { try await Self.monitorOwner(host, key, node) }
      defer { group.cancelAll() }
      guard let response = try await group.next() else { throw TimeoutError() }
      return response
    }
  }

  /// Cancels the command on the host that works on it, since the caller has given up.
  func cancelRemotely(_ head: CallRequest.Head, _ search: Search) {
    guard [.ask, .outcome].contains(head.verb), let host = search.working,
      let secret = node.incarnation?.secret
    else { return }
    PipelineTasks.inheriting { [node] in
      var cancel = head
      cancel.verb = .cancel
      guard let message = try? CallRequest(cancel).encoded() else { return }
      _ = try? await node.clock.limit(to: node.options.lease) {
        try await node.transport.call(message, at: host.address, secret: secret)
      }
    }
  }

  private struct OwnershipLost: Error, CustomStringConvertible {
    var description: String { "its lease has run out, or another host has the reactor" }
  }

  /// Checks, during a long call, whether the host is still alive; a suspended process closes no
  /// connection.
  ///
  /// It queries the store only if the host is not on this host's list, be it not yet or no longer.
  ///
  /// - Throws: An error if the host does not own the reactor.
  private static func monitorOwner(
    _ host: ClusterHost, _ key: JournalKey, _ node: ClusterNode
  ) async throws -> CallResponse {
    let pause = min(node.options.lease / 5, .seconds(1))
    // At first the host may still be taking the reactor. After it has handed the reactor over, its
    // answer may still arrive.
    var allowsAbsence = true
    var wasAbsent = false
    while true {
      try await node.clock.sleep(pause)
      if node.incarnation?.view.hosts.contains(host) == true {
        allowsAbsence = false
        continue
      }
      do {
        let owner = try await node.store.owner(of: key)
        if owner?.host.id != host.id, !allowsAbsence {
          if wasAbsent { throw OwnershipLost() }
          wasAbsent = true
        }
        allowsAbsence = false
      } catch is any ClusterStoreError {
        // The owner is unknown.
      }
    }
  }
}
