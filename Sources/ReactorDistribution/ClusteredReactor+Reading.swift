import Foundation
public import Reactor
public import ReactorComposition
import ReactorJournal

/// What others see of a reactor of a cluster: its states, as they are kept.
extension ClusteredReactor {
  /// How new a state that is read has to be.
  public enum Freshness: Sendable {
    /// As the reactor's owner says. A host that was paused, and does not know yet that another
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
    try await point(freshness).state
  }

  /// The state as it is kept, and after which entry.
  private nonisolated(nonsending) func point(
    _ freshness: Freshness
  ) async throws -> (state: R.State, sequence: Int) {
    var seen = -1
    while true {
      let last = try await last(freshness)
      do {
        return (try await reading { try await $0.state(at: last) }, last)
      } catch let error as JournalError where error.isOfDeletion && last > seen {
        // A snapshot has taken its place meanwhile; the reactor is further by now.
        seen = last
      }
    }
  }

  private nonisolated(nonsending) func last(_ freshness: Freshness) async throws -> Int {
    var head = head(.last)
    head.isFenced = freshness == .fenced
    return try await caller.call(head) { [isFenced = freshness == .fenced] _ in
      { [self] in try await kind.last(id, isFenced: isFenced) }
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
      { [self] in try await kind.follow(id, sequence) }
    } payload: {
      Data()
    } there: {
      $0.head.number ?? 0
    }
  }

  /// Reads what is kept of it, here.
  ///
  /// Reading changes nothing: where the store does not answer, or this host has no lease just now,
  /// it is read once more, for as long as a call looks for a host.
  private nonisolated(nonsending) func reading<Value>(
    _ read: nonisolated(nonsending) (JournalHistory<R>) async throws -> Value
  ) async throws -> Value {
    let start = node.clock.now()
    var pause = Duration.milliseconds(10)
    while true {
      let reason: String
      do {
        if let local = kind.local { return try await read(local.journal.history(id, of: R.self)) }
        reason = "this host's lease has run out"
      } catch let error as any StoreTrouble {
        if error.isPermanent { throw ClusterError.unusable("\(error)") }
        reason = "the store does not answer: \(error)"
      }
      if node.isGone { throw ClusterError.stopped }
      guard node.clock.now() - start < node.options.patience else {
        throw ClusterError.unreachable(kind.key(id), reason)
      }
      try await node.clock.sleep(pause)
      pause = min(pause * 2, .milliseconds(500))
    }
  }

  /// Its states: the current one, and then the one after each mutation that is kept, none left out
  /// and none twice, also when the reactor moves.
  ///
  /// They are made here, of the journal; transient mutations are not part of them. Where it is
  /// iterated so slowly that what comes next is deleted already
  /// (`JournalOptions.deletesBeforeSnapshot`), it goes on with the newest state. While it is
  /// iterated, the reactor is not idle. Iterating throws ``ClusterError`` when it cannot be found.
  public var state: HandleStream<R.State> {
    HandleStream { [self] in
      let first = try await point(.owner)
      let tail = Tail<R>(first.state, at: first.sequence)
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
          guard last > tail.sequence else { continue }
          do {
            try await reading { try await tail.read(from: $0) }
          } catch let error as JournalError where error.isOfDeletion {
            let newest = try await point(.owner)
            tail.goOn(newest.state, at: newest.sequence)
            return newest.state
          }
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

/// How far a journal has been followed, state by state.
private final class Tail<R: JournaledReactor> {
  private(set) var state: R.State
  private(set) var sequence: Int
  private var changes: ArraySlice<JournalHistory<R>.Change> = []

  init(_ state: R.State, at sequence: Int) { (self.state, self.sequence) = (state, sequence) }

  /// Goes on from somewhere else.
  func goOn(_ state: R.State, at sequence: Int) {
    (self.state, self.sequence, changes) = (state, sequence, [])
  }

  func next() -> R.State? {
    guard let change = changes.popFirst() else { return nil }
    for mutation in change.mutations { R.reduce(state: &state, mutation: mutation) }
    sequence = change.sequence
    return state
  }

  /// Reads what has come since, a page at most.
  ///
  /// - Throws: ``JournalError/missing(_:sequence:)`` where what comes next is not there any more.
  nonisolated(nonsending) func read(from history: JournalHistory<R>) async throws {
    var found: [JournalHistory<R>.Change] = []
    var iterator = history.changes(after: sequence).makeAsyncIterator()
    var next = sequence + 1
    while found.count < 256, let change = try await iterator.next() {
      guard change.sequence == next else { break }
      found.append(change)
      next += 1
    }
    if found.isEmpty { throw JournalError.missing(history.key, sequence: next) }
    changes = found[...]
  }
}

extension JournalError {
  /// Whether it may be that entries have been deleted, because a snapshot covers them.
  fileprivate var isOfDeletion: Bool {
    switch self {
    case .outside, .missing, .deleted: true
    default: false
    }
  }
}
