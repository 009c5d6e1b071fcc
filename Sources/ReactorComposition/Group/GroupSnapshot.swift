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

  /// Whether the states of all members are present.
  ///
  /// It is false only if the waiting task was cancelled before all members had answered.
  public let isComplete: Bool

  /// The state of a member; `nil` if the reactor was no member, or had been released.
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
  /// Returns the states of all members that were valid together, in the order of what is sent to
  /// them.
  ///
  /// An action sent to the group, or to another group that shares its order, is included for every
  /// member or for none; one sent before the call is included. The same holds for what members send
  /// to each other: if the snapshot includes the receipt of an action, it includes what was reduced
  /// before that action was sent. Of effects, it includes what they had emitted by then. What one
  /// member read of another through `currentState` is not tracked.
  ///
  /// No member is stopped, and none waits: each answers between two turns. Actions sent to the
  /// group meanwhile are not delayed, except those behind actions that wait for members declared
  /// with `after:`.
  ///
  /// Behind a `transform(action:)`, a member answers when the hook has passed on what was sent
  /// before. States do not pass `transform(state:)`.
  ///
  /// **Runs on** the caller's executor. **If the task is cancelled**, it returns early, with the
  /// members that had answered by then.
  ///
  /// - Returns: The states.
  nonisolated(nonsending) public func snapshot() async -> GroupSnapshot {
    await GroupCut.states(of: uniqueMembers)
  }

  /// Returns the states of some members that were valid together; see ``snapshot()``.
  ///
  /// - Parameter reactors: The members.
  /// - Returns: Their states; `nil` for a reactor that was released or is no member.
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

/// One moment in the order, collected as each of some reactors reaches it.
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
            // No member continues from its mark before all members have received theirs.
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
    let isLast = self.state.withLock { contents in
      if let state { contents.states[member.engine.id] = (member.identity, state) }
      contents.missing -= 1
      return contents.missing == 0
    }
    if isLast { latch.open() }
  }
}
