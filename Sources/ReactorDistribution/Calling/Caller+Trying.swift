import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// One attempt.
extension Caller {
  nonisolated(nonsending) func tryHere<Result: Sendable>(
    _ here: @escaping Here<Result>, _ search: inout Search
  ) async throws -> Try<Result> {
    do {
      if let result = try await node.clock.limit(to: rest(search), here) { return .done(result) }
      // It ended in the middle.
      search.mayHaveBegun = true
      search.lastReason = "the reactor ended in the middle"
    } catch ClusterError.notMine(_, let owner) {
      search.hint = owner?.host
      search.lastReason = "it is being handed over"
    } catch let error as NotMade {
      throw error.cause
    } catch let error as ClusterError {
      switch error {
      case .fenced, .taken: search.lastReason = "\(error)"
      case .tooNew:
        if let host = kind.local?.life.id { search.avoided.insert(host) }
        try lookElsewhere(search, or: error)
      default: throw error
      }
    } catch let error as JournalError {
      search.lastReason = "\(error)"
    } catch let error as any StoreTrouble {
      if error.isPermanent { throw ClusterError.unusable("\(error)") }
      search.lastReason = "\(error)"
    }
    return .again
  }

  nonisolated(nonsending) func tryThere<Result: Sendable>(
    _ request: CallRequest, at host: ClusterHost, _ search: inout Search,
    there: (CallResponse) throws -> Result
  ) async throws -> Try<Result> {
    guard let response = try await answer(of: host, to: request, &search) else { return .again }
    if response.head.word != .working { search.working = nil }
    switch response.head.word {
    case .result, .last: return .done(try there(response))
    case .working:
      (search.mayHaveBegun, search.since) = (true, node.clock.now())
      (search.hint, search.hintsLeft, search.pause) = (host, 2, .milliseconds(1))
    case .notMine:
      search.hint = response.head.owner
      search.lastReason = "\(host) has not got it"
      // At once, but once: two that name each other are asked less and less often.
      if let hint = search.hint, search.hinted.insert(hint.id).inserted {
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
      // Another host may be of a newer make.
      search.avoided.insert(host.id)
      try lookElsewhere(
        search, or: ClusterError.tooNew(key, version: response.head.number ?? 0))
    case .unknownKind:
      search.avoided.insert(host.id)
      try lookElsewhere(search, or: ClusterError.unknownKind(kind.name))
    case .unfinished: throw ClusterError.unfinished(key, command: request.head.command)
    case .poisoned: throw ClusterError.poisoned(key, takings: response.head.number ?? 0)
    case .overloaded:
      // That nothing has been done is true of this attempt alone.
      guard search.mayHaveBegun else { throw ClusterError.overloaded(host.address) }
      search.lastReason = "\(host) has as many calls under way as it may"
    case .invalid: throw ClusterError.invalid(response.head.text ?? "the call was not understood")
    }
    return .again
  }

  private func lookElsewhere(_ search: Search, or error: ClusterError) throws {
    let place = kind.local?.life.place(kind.name, id, avoiding: search.avoided)
    if place == nil { throw error }
  }

  /// Calls a host, for as long as it has the reactor or might take it.
  ///
  /// - Returns: What it says; `nil` where it says nothing, and another attempt is due.
  private nonisolated(nonsending) func answer(
    of host: ClusterHost, to request: CallRequest, _ search: inout Search
  ) async throws -> CallResponse? {
    let message = try request.encoded()
    // A host that lives says something within a lease.
    let silence = node.options.lease * 2
    let limit = rest(search).map { max(.zero, min($0, silence)) } ?? silence
    search.working = host
    do {
      return try await call(host, message, limit)
    } catch ClusterError.invalid(let what) {
      search.working = nil
      throw ClusterError.invalid(what)
    } catch let error as NotReached {
      search.working = nil
      search.avoided.insert(host.id)
      search.lastReason = "\(host): \(error)"
      return nil
    } catch {
      search.mayHaveBegun = true
      search.lastReason = "\(host): \(ReportText.text(ofError: error))"
      try Task.checkCancellation()
      if let rest = rest(search), rest <= .zero { throw TimeIsUp() }
      // One that only says nothing is asked once more, if it still has the reactor.
      if error is TimeIsUp { return nil }
      search.vanished.insert(host.id)
      search.avoided.insert(host.id)
      return nil
    }
  }

  private nonisolated(nonsending) func call(
    _ host: ClusterHost, _ message: Data, _ limit: Duration
  ) async throws -> CallResponse {
    guard let secret = node.life?.secret else {
      throw NotReached("this host's lease has run out")
    }
    return try await withThrowingTaskGroup(of: CallResponse.self) { [node, key] group in
      group.addTask {
        let frame = try await node.transport.call(message, at: host.address, secret: secret)
        return try CallResponse(frame: frame)
      }
      group.addTask {
        try await node.clock.sleep(limit)
        throw TimeIsUp()
      }
      group.addTask { try await Self.watch(host, key, node) }
      defer { group.cancelAll() }
      guard let response = try await group.next() else { throw TimeIsUp() }
      return response
    }
  }

  /// The work is the asker's: it is cancelled with it, wherever it is done.
  func withdraw(_ head: CallRequest.Head, _ search: Search) {
    guard [.ask, .outcome].contains(head.verb), let host = search.working,
      let secret = node.life?.secret
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

  private struct Gone: Error, CustomStringConvertible {
    var description: String { "its lease has run out, or another host has the reactor" }
  }

  /// Looks, while a call takes long, whether the host is still there: one that was stopped in its
  /// tracks says nothing.
  ///
  /// The store is asked only about one that is not, or not yet, or no longer on this host's list.
  ///
  /// - Throws: When it has not got the reactor.
  private static func watch(
    _ host: ClusterHost, _ key: JournalKey, _ node: ClusterNode
  ) async throws -> CallResponse {
    let pause = min(node.options.lease / 5, .seconds(1))
    // At first it may still be taking it; and when it has handed it over, its answer may be on the
    // way.
    var isPatient = true
    var isGone = false
    while true {
      try await node.clock.sleep(pause)
      if node.life?.view.hosts.contains(host) == true {
        isPatient = false
        continue
      }
      do {
        let owner = try await node.store.owner(of: key)
        if owner?.host.id != host.id, !isPatient {
          if isGone { throw Gone() }
          isGone = true
        }
        isPatient = false
      } catch is any StoreTrouble {
        // It is not known.
      }
    }
  }
}
