import Foundation
public import Reactor
public import ReactorJournal

/// A reactor of a cluster, on whichever host it is.
///
/// It is found, or made, when it is needed, and looked for again when its host is gone. What is
/// sent is done at most once in the journal, however often it had to be tried.
public struct ClusteredReactor<R: JournaledReactor>: ReactorHandle where R.Action: Codable {
  /// The reactor's actions.
  public typealias Action = R.Action
  /// The reactor's states.
  public typealias State = R.State
  /// The reactor's outputs.
  public typealias Output = R.Output

  /// Which of the reactors of its type.
  public let id: String
  let node: ClusterNode
  let kind: ClusterKind<R>

  private var caller: Caller<R> { Caller(node: node, kind: kind, id: id) }

  private func head(_ verb: CallRequest.Verb, within limit: Duration? = nil) -> CallRequest.Head {
    var head = CallRequest.Head(verb: verb, name: kind.name, id: id)
    head.command = node.options.makeID()
    head.within = limit.map { $0 / .seconds(1) }
    return head
  }

  // MARK: Sending

  /// Sends an action; returns when the reactor has accepted it.
  ///
  /// - Throws: ``ClusterError``; cancelled, it may have been sent or not.
  nonisolated(nonsending) public func send(_ action: R.Action) async throws {
    _ = try await command(head(.send)) { _ in
      action
    } there: {
      try encode(action)
    }
  }

  /// Sends an action, and waits until its work has ended and is kept.
  ///
  /// - Returns: How it ended; of one that failed elsewhere, a ``ClusterFailure`` says why.
  /// - Throws: ``ClusterError`` where that cannot be known. Cancelling the task cancels the action.
  nonisolated(nonsending) public func outcome(of action: R.Action) async throws -> ActionOutcome {
    do {
      _ = try await command(head(.outcome)) { _ in
        action
      } there: {
        try encode(action)
      }
      return .finished
    } catch ClusterError.failed(_, let failure) {
      return failure.outcome
    }
  }

  // MARK: Asking

  /// Asks: sends an action with a reply, and waits for the answer, until what it is made of is
  /// kept.
  ///
  /// Cancelling the task cancels the action, also on another host.
  ///
  /// - Parameter action: Makes the action from the reply that it is to carry; called once for each
  ///   attempt.
  /// - Returns: The answer.
  /// - Throws: ``ClusterError``: the answer, or the reason why there is none.
  nonisolated(nonsending) public func ask<Value: Sendable & Codable>(
    _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value { try await ask(head(.ask), action) }

  /// The same, but for so long at most: the work is cancelled then.
  ///
  /// - Parameters:
  ///   - limit: How long.
  ///   - action: Makes the action from the reply that it is to carry.
  /// - Returns: The answer.
  /// - Throws: ``ClusterError``.
  nonisolated(nonsending) public func ask<Value: Sendable & Codable>(
    within limit: Duration, _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value { try await ask(head(.ask, within: limit), action) }

  private nonisolated(nonsending) func ask<Value: Sendable & Codable>(
    _ head: CallRequest.Head, _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value {
    let performed = try await command(head) { command in
      action(Reply<Value> { answer in command.reply(answer.map { $0 }) })
    } there: {
      try encode(action(Reply<Value> { _ in }))
    }
    switch performed {
    case .live(.success(let value as Value)): return value
    case .kept(.done(let data?)): return try JSONDecoder().decode(Value.self, from: data)
    default:
      throw ClusterError.failed(
        kind.key(id), reason: ClusterFailure(.failed, "it was answered with something else"))
    }
  }

  private func encode(_ action: R.Action) throws -> Data { try JSONEncoder().encode(action) }

  /// Does a command, here or elsewhere.
  private nonisolated(nonsending) func command(
    _ head: CallRequest.Head, here: (RunningCommand) -> R.Action, there: () throws -> Data
  ) async throws -> Performed {
    let performed = try await caller.call(head) { head -> Performed? in
      let performed = try await kind.perform(id, head) { here($0) }
      return isWorthAnotherTry(performed) ? nil : performed
    } payload: {
      try there()
    } there: { response in
      .kept(try CommandResult(encoded: response.payload))
    }
    switch performed {
    case .live(.failure(let error)):
      if error is CancellationError { throw error }
      throw ClusterError.failed(kind.key(id), reason: ClusterFailure(error))
    case .kept(.failed(let failure)): throw ClusterError.failed(kind.key(id), reason: failure)
    default: return performed
    }
  }

  private func isWorthAnotherTry(_ performed: Performed) -> Bool {
    switch performed {
    case .live(.failure(let error)): ClusterFailure(error).isWorthAnotherTry
    case .kept(.failed(let failure)): failure.isWorthAnotherTry
    default: false
    }
  }

  // MARK: Reading

  /// How new a state that is read has to be.
  public enum Freshness: Sendable {
    /// As whoever has the reactor says. A host that was paused, and does not know yet that another
    /// one took over, may be old by as much.
    case owner
    /// As it is in this moment: the owner makes sure, by one more question to the store.
    case fenced
  }

  /// The state, as it is kept.
  ///
  /// - Parameter freshness: How new.
  /// - Returns: The state.
  /// - Throws: ``ClusterError``, or what reading the journal throws.
  nonisolated(nonsending) public func currentState(
    _ freshness: Freshness = .owner
  ) async throws -> R.State {
    let last = try await last(freshness)
    return try await history().state(at: last)
  }

  private nonisolated(nonsending) func last(_ freshness: Freshness) async throws -> Int {
    var head = head(.last)
    head.isFenced = freshness == .fenced
    return try await caller.call(head) { [isFenced = freshness == .fenced] _ in
      try await kind.last(id, isFenced: isFenced)
    } payload: {
      Data()
    } there: {
      $0.head.number ?? 0
    }
  }

  private nonisolated(nonsending) func follow(after sequence: Int) async throws -> Int {
    var head = head(.follow)
    head.after = sequence
    return try await caller.call(head) { _ in
      try await kind.follow(id, sequence)
    } payload: {
      Data()
    } there: {
      $0.head.number ?? 0
    }
  }

  /// What is kept of it, to be read here.
  private func history() throws -> JournalHistory<R> {
    guard let local = kind.local else {
      throw ClusterError.unreachable(kind.key(id), "this host's lease has run out")
    }
    return local.journal.history(of: R.self, id)
  }

  /// Its states: the current one, and then the one after each mutation that is kept, none left out
  /// and none twice, also when the reactor moves.
  ///
  /// They are made here, of the journal; transient mutations are not part of them. While somebody
  /// iterates, the reactor is not idle. Iterating throws ``ClusterError`` when it cannot be found.
  public var state: HandleStream<R.State> {
    HandleStream { [self] in
      let first = try await last(.owner)
      let tail = Tail<R>(try await history().state(at: first), at: first)
      var isFirst = true
      return {
        if isFirst {
          isFirst = false
          return tail.state
        }
        while true {
          if let state = tail.next() { return state }
          try Task.checkCancellation()
          let last = try await follow(after: tail.sequence)
          // A host that does not know of its successor yet may be behind what was read.
          if last > tail.sequence { try await tail.read(from: history()) }
        }
      }
    }
  }

  /// Its outputs, from when iterating begins.
  ///
  /// They are no part of the journal, and so reach those on the reactor's own host only: elsewhere
  /// the stream throws. Send what others need to know as a mutation.
  public var outputs: HandleStream<R.Output> {
    HandleStream { [self] in
      guard let local = kind.local, local.journals.held(kind.key(id)) != nil else {
        throw ClusterError.unreachable(
          kind.key(id), "outputs are heard on the reactor's own host only")
      }
      let outputs = try await local.registry.with(id) { $0.outputs() }
      return { await outputs.next() }
    }
  }
}

/// Where somebody is who follows a journal, state by state.
private final class Tail<R: JournaledReactor> {
  private(set) var state: R.State
  private(set) var sequence: Int
  private var changes: ArraySlice<JournalHistory<R>.Change> = []

  init(_ state: R.State, at sequence: Int) { (self.state, self.sequence) = (state, sequence) }

  func next() -> R.State? {
    guard let change = changes.popFirst() else { return nil }
    for mutation in change.mutations { R.reduce(state: &state, mutation: mutation) }
    sequence = change.sequence
    return state
  }

  /// Reads what has come since, a page at most.
  nonisolated(nonsending) func read(from history: JournalHistory<R>) async throws {
    var found: [JournalHistory<R>.Change] = []
    var iterator = history.changes(after: sequence).makeAsyncIterator()
    while found.count < 256, let change = try await iterator.next() { found.append(change) }
    changes = found[...]
  }
}

extension ClusterFailure {
  /// As the end of an action.
  fileprivate var outcome: ActionOutcome {
    switch kind {
    case .cancelled: .cancelled
    case .neverBegun: .neverBegun
    case .ended: .reactorEnded
    case .refused: .refused(.inboxFull)
    case .failed, .dropped, .late, .released: .failed(self)
    }
  }
}
