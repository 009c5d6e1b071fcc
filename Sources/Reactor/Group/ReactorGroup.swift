public import Synchronization

/// Several reactors, of any types, to which one action is sent at once.
///
/// ```swift
/// let app = ReactorGroup<AppAction>()
/// app.add(login) { action in if case .logOut = action { .forget } else { nil } }
/// try app.add(list, after: login) { action in if case .logOut = action { .clear } else { nil } }
///
/// await app.send(.logOut).settled
/// ```
///
/// Each member says, as it is added, what the group's action is to it; `nil`, and it is left alone.
///
/// **Order**: one over all threads. If one action was sent before another, every member that takes
/// both takes them in that order, also where they were sent to different groups that share a
/// member. A member that was added `after:` another gets an action that both take when the turn of
/// the other is over. It is put into the inbox only then: meanwhile the member takes what else is
/// sent to it. Effects are no part of a turn; one that waits in a lane has had its turn.
///
/// **Runs on** any thread, without `await`; a member may send to its own group, also from
/// `reduce`, and what it sends waits its turn like anything else.
///
/// **Lifetime**: a group keeps no member alive unless asked to. A member that goes leaves by
/// itself.
///
/// **Nothing is lost in silence**: who does not accept an action is named in the receipt, and
/// reported.
///
/// Holds: `contents`, guarded by its own lock; what is put aside there is let go outside it.
public final class ReactorGroup<Action: Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    /// Those who are asked about every action.
    @usableFromInline var everyAction: [GroupEntry<Action>] = []
    /// Where each of them stands there, by its pipeline.
    @usableFromInline var places: [ObjectIdentifier: Int] = [:]
    /// Those who are asked about some, by what is looked up in an action.
    @usableFromInline var indexes: [GroupLookUp<Action>] = []

    @inlinable
    init() {}

    mutating func append(_ entry: GroupEntry<Action>) {
      places[entry.member.id] = everyAction.count
      everyAction.append(entry)
    }

    /// Puts a member that is there in the place that it has.
    ///
    /// - Returns: What it was added with before.
    mutating func replace(_ entry: GroupEntry<Action>) -> GroupEntry<Action>? {
      guard let place = places[entry.member.id] else { return nil }
      defer { everyAction[place] = entry }
      return everyAction[place]
    }

    /// The last takes the place of the one that goes.
    mutating func remove(_ core: ObjectIdentifier) -> GroupEntry<Action>? {
      guard let place = places.removeValue(forKey: core) else { return nil }
      everyAction.swapAt(place, everyAction.count - 1)
      let entry = everyAction.removeLast()
      if place < everyAction.count { places[everyAction[place].member.id] = place }
      return entry
    }
  }

  @usableFromInline let contents = Guarded(Contents())
  @usableFromInline let order = GroupOrder()
  /// How often a member has begun to go from one list to another, and has come there: odd while
  /// one is on its way.
  @usableFromInline let moves = Atomic(0)
  /// Held by whoever changes who is a member; what is sent does not wait for it, unless a member is
  /// on its way from one list to another.
  @usableFromInline let changing = Guarded(())
  @usableFromInline let delivery: GroupDeliveryMode

  /// A group without members.
  ///
  /// - Parameter delivery: What becomes of an action that one of those who want it cannot accept.
  public init(delivering delivery: GroupDeliveryMode = .toEach) { self.delivery = delivery }

  deinit {
    // What was declared here counts no more, and somebody else may come to stand at this address.
    for entry in entries { _ = leave(entry.seat) }
  }

  /// Sends an action to every member that wants it; returns at once.
  ///
  /// **Order**: see above. **Cost** is that of those who take it, and of asking those who may; see
  /// ``index(_:)`` for how to ask few.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt for all of them.
  @inlinable
  @discardableResult
  public func send(_ action: Action) -> GroupReceipt { send(action, to: members(for: action)) }

  /// Whom to ask about an action.
  @inlinable
  func members(for action: Action) -> [GroupEntry<Action>] {
    while true {
      let before = moves.load(ordering: .acquiring)
      let (everyAction, indexes) = contents.withLock { ($0.everyAction, $0.indexes) }
      if indexes.isEmpty { return everyAction }
      let members =
        indexes.count == 1 && everyAction.isEmpty
        ? indexes[0].find(action)
        : indexes.reduce(into: everyAction) { $0 += $1.find(action) }
      // Who goes from one list to another meanwhile would be in both of them, or in none.
      if before & 1 == 0, moves.load(ordering: .acquiring) == before { return members }
      changing.withLock { _ in }
    }
  }
}

/// What becomes of an action that is sent to a group when somebody who wants it cannot accept it,
/// being full or stopped.
public enum GroupDeliveryMode: Sendable {
  /// The others get it, and who does not is named in the receipt.
  case toEach
  /// Nobody gets it, and who could not is named in the receipt.
  ///
  /// All the inboxes are held for a moment, so it is meant for tens of members and not for
  /// thousands. Of a member that comes after others it is known only whether it had been stopped:
  /// its inbox is asked when its turn has come.
  case allOrNone
}
