import Foundation
import Reactor
import ReactorJournal

/// Finds whoever has a reactor, and does or asks for something there: here if it is here, else at
/// the other host, once more wherever it is by then if that fails.
///
/// Each attempt has the command's own identifier, so that all of them together are done once.
struct Caller<R: JournaledReactor>: Sendable where R.Action: Codable {
  let node: ClusterNode
  let kind: ClusterKind<R>
  let id: String

  var key: JournalKey { kind.key(id) }

  /// Where to go next.
  private enum Target {
    case here
    case there(ClusterHost, isForced: Bool)
  }

  /// What is known of the search so far.
  private struct Search {
    var attempt = 0
    var hint: ClusterHost?
    var hintsLeft = 2
    var avoided: Set<HostID> = []
    var pause = Duration.milliseconds(20)
    /// Whether an attempt may have been begun somewhere.
    var mayHaveBegun = false
    var lastReason = "no host could be asked"
  }

  /// What came of one attempt.
  private enum Try<Result> {
    case done(Result)
    case again
  }

  /// Does something with a reactor, wherever it is.
  ///
  /// - Parameters:
  ///   - head: The request, the same for each attempt.
  ///   - here: Does it here; the head says which attempt it is.
  ///   - payload: What is sent to another host.
  ///   - there: What the other host's answer means.
  /// - Returns: What it came to.
  /// - Throws: ``ClusterError``, or what `here` throws.
  nonisolated(nonsending) func call<Result>(
    _ head: CallRequest.Head,
    here: nonisolated(nonsending) (CallRequest.Head) async throws -> Result?,
    payload: () throws -> Data, there: (CallResponse) throws -> Result
  ) async throws -> Result {
    var search = Search()
    var head = head
    let start = node.clock.now()
    while true {
      search.attempt += 1
      head.attempt = search.mayHaveBegun ? search.attempt : 1
      let result =
        switch await target(&search) {
        case .here?: try await tryHere(head, &search, here)
        case .there(let host, let isForced)?:
          try await tryThere(
            head, at: host, isForced: isForced, &search, payload: payload, there: there)
        case nil: Try<Result>.again
        }
      if case .done(let result) = result { return result }
      try Task.checkCancellation()
      if node.isStopped { throw ClusterError.stopped }
      if node.clock.now() - start > node.options.patience { throw giveUp(head, search) }
      try await node.clock.sleep(search.pause)
      search.pause = min(search.pause * 2, .milliseconds(500))
    }
  }

  private func giveUp(_ head: CallRequest.Head, _ search: Search) -> ClusterError {
    if search.mayHaveBegun, [.send, .ask, .outcome].contains(head.verb) {
      return .unfinished(key, command: head.command)
    }
    return .unreachable(key, search.lastReason)
  }

  // MARK: Finding

  private func target(_ search: inout Search) async -> Target? {
    guard let local = kind.local else {
      search.lastReason = "this host's lease has run out"
      return nil
    }
    if local.journals.held(key) != nil, !kind.isLeaving(id) { return .here }
    if let hint = search.hint, search.hintsLeft > 0 {
      (search.hint, search.hintsLeft) = (nil, search.hintsLeft - 1)
      return target(hint, local, isForced: false)
    }
    do {
      // The table decides.
      if let owner = try await node.store.owner(of: key) {
        search.hintsLeft = 2
        return target(owner.host, local, isForced: true)
      }
    } catch {
      search.lastReason = "the store does not answer: \(error)"
      return nil
    }
    let isForced = !search.avoided.isEmpty
    guard let place = local.life.place(kind.name, id, avoiding: search.avoided) else {
      search.avoided = []
      return nil
    }
    search.hintsLeft = 2
    return target(place, local, isForced: isForced)
  }

  private func target(
    _ host: ClusterHost, _ local: ClusterKind<R>.Local, isForced: Bool
  ) -> Target? {
    if host.id == local.life.id { return kind.isLeaving(id) ? nil : .here }
    return .there(host, isForced: isForced)
  }

  // MARK: Trying

  private nonisolated(nonsending) func tryHere<Result>(
    _ head: CallRequest.Head, _ search: inout Search,
    _ here: nonisolated(nonsending) (CallRequest.Head) async throws -> Result?
  ) async throws -> Try<Result> {
    do {
      if let result = try await here(head) { return .done(result) }
      // It ended in the middle.
      search.mayHaveBegun = true
      search.lastReason = "the reactor ended in the middle"
      return .again
    } catch ClusterError.notMine(_, let owner) {
      search.hint = owner?.host
      search.lastReason = "it is being handed over"
      return .again
    } catch let error as ClusterError {
      switch error {
      case .fenced, .taken:
        search.lastReason = "\(error)"
        return .again
      default: throw error
      }
    } catch let error as JournalError {
      // What is kept cannot be read, here or anywhere; a store that failed may be there again.
      switch error {
      case .fenced, .storeFailed, .ended, .alreadyOpen:
        search.lastReason = "\(error)"
        return .again
      default: throw error
      }
    } catch let error as any StoreTrouble {
      search.lastReason = "\(error)"
      return .again
    }
  }

  private nonisolated(nonsending) func tryThere<Result>(
    _ head: CallRequest.Head, at host: ClusterHost, isForced: Bool, _ search: inout Search,
    payload: () throws -> Data, there: (CallResponse) throws -> Result
  ) async throws -> Try<Result> {
    var head = head
    head.isForced = isForced
    let message = try CallRequest(head, payload: payload()).encoded()
    let response: CallResponse
    do {
      response = try await answer(of: host, to: message, head)
    } catch is CancellationError {
      throw CancellationError()
    } catch ClusterError.invalid(let what) {
      throw ClusterError.invalid(what)
    } catch {
      search.mayHaveBegun = true
      search.avoided.insert(host.id)
      search.lastReason = "\(host): \(error)"
      return .again
    }
    switch response.head.word {
    case .result, .last: return .done(try there(response))
    case .notMine:
      search.hint = response.head.owner
      search.lastReason = "\(host) has not got it"
      if search.hint != nil { search.pause = .milliseconds(1) }
      return .again
    case .ended:
      search.mayHaveBegun = true
      search.lastReason = "\(host): \(response.head.text ?? "it ended in the middle")"
      return .again
    case .unfinished: throw ClusterError.unfinished(key, command: head.command)
    case .poisoned: throw ClusterError.poisoned(key, takings: response.head.number ?? 0)
    case .tooNew:
      // Another host may be of a newer make.
      search.avoided.insert(host.id)
      guard kind.local?.life.place(kind.name, id, avoiding: search.avoided) != nil else {
        throw ClusterError.tooNew(key, version: response.head.number ?? 0)
      }
      return .again
    case .unknownKind:
      search.avoided.insert(host.id)
      guard kind.local?.life.place(kind.name, id, avoiding: search.avoided) != nil else {
        throw ClusterError.unknownKind(kind.name)
      }
      return .again
    case .overloaded: throw ClusterError.overloaded(host.address)
    case .invalid: throw ClusterError.invalid(response.head.text ?? "the call was not understood")
    }
  }

  /// Calls a host, for as long as it has the reactor or might take it.
  private nonisolated(nonsending) func answer(
    of host: ClusterHost, to message: Data, _ head: CallRequest.Head
  ) async throws -> CallResponse {
    guard let secret = node.life?.secret else { throw ClusterError.fenced(key, epoch: 0) }
    return try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: CallResponse?.self) { [node, key] group in
        group.addTask {
          let frame = try await node.transport.call(message, at: host.address, secret: secret)
          return try CallResponse(frame: frame)
        }
        group.addTask {
          try await Self.watch(host, key, node)
          return nil
        }
        defer { group.cancelAll() }
        while let response = try await group.next() { if let response { return response } }
        throw CancellationError()
      }
    } onCancel: {
      guard [.ask, .outcome].contains(head.verb) else { return }
      // The work is the asker's: it is cancelled with it, wherever it is done.
      SimulatedExecutor.task { [node] in
        var cancel = head
        cancel.verb = .cancel
        guard let message = try? CallRequest(cancel).encoded() else { return }
        _ = try? await node.transport.call(message, at: host.address, secret: secret)
      }
    }
  }

  private struct Gone: Error, CustomStringConvertible {
    var description: String { "its lease has run out, or another host has the reactor" }
  }

  /// Looks, while a call takes long, whether the host still has the reactor: one that was stopped
  /// in its tracks, or whose answer gets lost, says nothing.
  ///
  /// - Throws: When it has not.
  private static func watch(
    _ host: ClusterHost, _ key: JournalKey, _ node: ClusterNode
  ) async throws {
    let pause = min(node.options.lease / 5, .seconds(1))
    // At first it may still be taking it.
    var others = 0
    while others < 2 {
      try await node.clock.sleep(pause)
      guard let owner = try? await node.store.owner(of: key) else {
        others += 1
        continue
      }
      others = owner.host.id == host.id ? 0 : others + 1
    }
    throw Gone()
  }
}

/// A store that does not answer: worth another try.
package protocol StoreTrouble: Error {}
