import Foundation
public import Reactor
public import ReactorComposition
import ReactorJournal

/// Reads the states of a reactor from its journal.
extension ClusteredReactor {
  /// How current a state has to be.
  public enum Freshness: Sendable {
    /// The state that the owner reports. If the owner was paused and has not detected its
    /// successor, the state may be as old as the pause.
    case owner
    /// The current state: the owner confirms with one more query to the store that it still owns
    /// the reactor.
    case fenced
  }

  /// Reads the stored state.
  ///
  /// Each call reads the journal from the last snapshot on.
  ///
  /// - Parameter freshness: How current the state has to be.
  /// - Returns: The state.
  /// - Throws: ``ClusterError``, or what reading the journal throws.
  nonisolated(nonsending) public func currentState(
    _ freshness: Freshness = .owner
  ) async throws -> R.State {
    try await point(freshness).state
  }

  /// Reads the stored state and the number of its last entry.
  private nonisolated(nonsending) func point(
    _ freshness: Freshness
  ) async throws -> (state: R.State, sequence: Int) {
    var seen = -1
    while true {
      let last = try await last(freshness)
      do {
        return (try await reading { try await $0.state(at: last) }, last)
      } catch let error as JournalError where error.isOfDeletion && last > seen {
        // The entries were replaced by a snapshot meanwhile; the reactor has newer ones by now.
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

  /// Reads the journal on this host.
  ///
  /// A read changes nothing, so it is repeated if the store does not answer or this host has no
  /// lease, for as long as a call searches for a host.
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
      } catch let error as any ClusterStoreError {
        if error.isPermanent { throw ClusterError.unusable("\(error)") }
        reason = "the store does not answer: \(error)"
      }
      if node.hasLeft { throw ClusterError.stopped }
      guard node.clock.now() - start < node.options.retryTimeout else {
        throw ClusterError.unreachable(kind.key(id), reason)
      }
      try await node.clock.sleep(pause)
      pause = min(pause * 2, .milliseconds(500))
    }
  }

  /// The reactor's states: the current one, and then the one after each stored mutation.
  ///
  /// **Order**: no state is skipped and none is repeated, also when the reactor moves. The states
  /// are computed on this host from the journal, so transient mutations are not included. If the
  /// iteration is so slow that the next entries have been deleted
  /// (`JournalOptions.deletesBeforeSnapshot`), it continues with the newest state. During the
  /// iteration the reactor is not idle.
  ///
  /// **Failure**: the iteration throws ``ClusterError`` if the reactor cannot be found.
  public var state: HandleStream<R.State> {
    HandleStream { [self] in
      let first = try await point(.owner)
      let tail = JournalTail<R>(first.state, at: first.sequence)
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
          // A host that has not detected its successor may be behind what was read.
          guard last > tail.sequence else { continue }
          do {
            try await reading { try await tail.read(from: $0) }
          } catch let error as JournalError where error.isOfDeletion {
            let newest = try await point(.owner)
            tail.reset(newest.state, at: newest.sequence)
            return newest.state
          }
        }
      }
    }
  }

  /// The reactor's outputs, from the start of the iteration.
  ///
  /// Outputs are not stored in the journal, so they are only available on the reactor's own host.
  /// On other hosts the iteration throws. Use a mutation for what other hosts need.
  public var outputs: HandleStream<R.Output> {
    HandleStream { [self] in
      guard let local = kind.local, local.journals.owned(kind.key(id)) != nil else {
        throw ClusterError.unreachable(
          kind.key(id), "outputs are delivered on the reactor's own host only")
      }
      let outputs = try await local.registry.with(id) { $0.outputs() }
      return { await outputs.next() }
    }
  }
}

/// A position in a journal that is followed state by state.
private final class JournalTail<R: JournaledReactor> {
  private(set) var state: R.State
  private(set) var sequence: Int
  private var changes: ArraySlice<JournalHistory<R>.Change> = []

  init(_ state: R.State, at sequence: Int) { (self.state, self.sequence) = (state, sequence) }

  /// Continues from another position.
  func reset(_ state: R.State, at sequence: Int) {
    (self.state, self.sequence, changes) = (state, sequence, [])
  }

  func next() -> R.State? {
    guard let change = changes.popFirst() else { return nil }
    for mutation in change.mutations { R.reduce(state: &state, mutation: mutation) }
    sequence = change.sequence
    return state
  }

  /// Reads the next entries, at most one page.
  ///
  /// - Throws: ``JournalError/missing(_:sequence:)`` if the next entry has been deleted.
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
  /// Whether the cause may be that entries were deleted because a snapshot covers them.
  fileprivate var isOfDeletion: Bool {
    switch self {
    case .outside, .missing, .deleted: true
    default: false
    }
  }
}
