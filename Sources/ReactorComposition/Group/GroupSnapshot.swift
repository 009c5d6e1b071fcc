public import Reactor
import ReactorRuntime

/// The states of a group's members at one moment of their order; see ``ReactorGroup/snapshot()``.
///
/// ```swift
/// let now = await app.snapshot()
/// if let list = now[list], let login = now[login] { … }
/// ```
public struct GroupSnapshot: Sendable {
  let states: [ObjectIdentifier: (identity: ReactorIdentity, state: any Sendable)]

  /// Whether the states of all members are there; false only where the waiting task was cancelled
  /// before all had answered.
  public let isComplete: Bool

  /// The state of a member; `nil` if the reactor was none, or had gone.
  ///
  /// - Parameter reactor: The reactor.
  public subscript<R: Reactor>(_ reactor: R) -> R.State? {
    states[reactor.engineID]?.state as? R.State
  }

  /// The states of all members, by name.
  public var all: [ReactorIdentity: any Sendable] {
    Dictionary(uniqueKeysWithValues: states.values.map { ($0.identity, $0.state) })
  }
}

extension ReactorGroup {
  /// The states of all members that were true together, in the order of what is sent to them.
  ///
  /// In it is what has been sent to the group, or to another that shares its order, before: of
  /// every member, or of none. The same holds for what members send to each other: where the
  /// receipt of an action is in it, so is what was reduced before it was sent. Of effects, what
  /// they had emitted by then. What one member read of another by itself, with `currentState`, is
  /// not followed.
  ///
  /// No member is stopped, nor waits: each answers between two turns. What is sent to the group
  /// meanwhile is not held up, except behind what waits for members that others come after.
  ///
  /// Behind a `transform(action:)`, it is when the hook has passed on what was sent before.
  /// `transform(state:)` is not passed.
  ///
  /// **Runs on** the caller's executor. **If the task is cancelled** it returns early, with those
  /// that had answered by then.
  ///
  /// - Returns: The states.
  nonisolated(nonsending) public func snapshot() async -> GroupSnapshot {
    await GroupCut.states(of: uniqueMembers)
  }

  /// The states of some members that were true together; see ``snapshot()``.
  ///
  /// - Parameter reactors: The members.
  /// - Returns: Their states; `nil` for one that is gone or is no member.
  nonisolated(nonsending) public func snapshot<each R: Reactor>(
    of reactors: repeat each R
  ) async -> (repeat (each R).State?) {
    var wanted: Set<ObjectIdentifier> = []
    for reactor in repeat each reactors { wanted.insert(reactor.engineID) }
    let members = uniqueMembers.filter { wanted.contains($0.engine.id) }
    let snapshot = await GroupCut.states(of: members)
    return (repeat snapshot[each reactors])
  }
}

/// One moment in the order, as each of some reactors comes to it.
///
/// Holds: `state`, guarded by its own lock; the latch is opened outside it.
final class GroupCut: Sendable {
  private struct State: Sendable {
    var states: [ObjectIdentifier: (identity: ReactorIdentity, state: any Sendable)] = [:]
    var missing: Int
  }

  private let state: Guarded<State>
  private let latch = Latch()

  private init(of count: Int) { state = Guarded(State(missing: count)) }

  nonisolated(nonsending) static func states(of members: [GroupMember]) async -> GroupSnapshot {
    guard !members.isEmpty else { return GroupSnapshot(states: [:], isComplete: true) }
    let cut = GroupCut(of: members.count)
    GroupBarrier.pass(members) { deferred in
      for member in members {
        deferred.add(
          member.engine.mark { _, state in
            // None goes on from its mark before all have theirs.
            GroupOrder.pass()
            cut.add(state(), of: member)
          })
      }
    }
    await cut.latch.wait()
    let (states, isComplete) = cut.state.withLock { ($0.states, $0.missing == 0) }
    return GroupSnapshot(states: states, isComplete: isComplete)
  }

  private func add(_ state: (any Sendable)?, of member: GroupMember) {
    let isLast = self.state.withLock { own in
      if let state { own.states[member.engine.id] = (member.identity, state) }
      own.missing -= 1
      return own.missing == 0
    }
    if isLast { latch.open() }
  }
}
