import Reactor
public import ReactorRuntime

/// Sends one action to several reactors of any types at once.
///
/// ```swift
/// let app = ReactorGroup<AppAction>()
/// app.add(login) { action in if case .logOut = action { .forget } else { nil } }
/// try app.add(list, after: login) { action in if case .logOut = action { .clear } else { nil } }
///
/// await app.send(.logOut).settled
/// ```
///
/// The closure passed with each member maps the group's action to an action of that member, or to
/// `nil` if the member does not take it.
///
/// **Runs on** any thread, without `await`. A member may send to its own group, also from `reduce`;
/// what it sends is ordered like everything else.
///
/// **Order**: there is one order for all threads. If one action was sent before another, every
/// member that takes both takes them in that order, also if they were sent to different groups that
/// share a member. A member that was added `after:` another receives an action that both take when
/// the turn of the other has ended. The action enters its inbox only then; meanwhile the member
/// takes the actions that are sent to it directly. Effects are not part of a turn, and an action
/// that waits in a lane has had its turn.
///
/// **Lifetime**: a group keeps no member alive unless it was added with `keeping: true`. A member
/// is removed when it is released.
///
/// **Failure**: a member that does not accept an action is named in the receipt, and the refusal is
/// reported.
///
/// Holds: `contents`, guarded by its own lock; what is removed there is released outside it.
public final class ReactorGroup<Action: Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    /// The members whose closures are called for every action.
    @usableFromInline var everyAction: [GroupEntry<Action>] = []
    /// The position of each of them, by engine.
    private var places: [ObjectIdentifier: Int] = [:]
    /// The indexes; their members are found by the key of an action.
    @usableFromInline var indexes: [GroupLookup<Action>] = []

    /// Adds a member, or replaces its entry.
    ///
    /// - Returns: The previous entry.
    mutating func insert(
      _ entry: GroupEntry<Action>, into index: (() -> Void)?
    ) -> GroupEntry<Action>? {
      let engine = entry.member.engine.id
      if index == nil, let place = places[engine] {
        defer { everyAction[place] = entry }
        return everyAction[place]
      }
      let before = removeMember(engine)
      if let index {
        index()
      } else {
        places[engine] = everyAction.count
        everyAction.append(entry)
      }
      return before
    }

    mutating func removeMember(_ engine: ObjectIdentifier) -> GroupEntry<Action>? {
      guard let place = places.removeValue(forKey: engine) else {
        for index in indexes {
          if let entry = index.removeMember(engine) { return entry }
        }
        return nil
      }
      // The last entry takes the position of the removed one.
      everyAction.swapAt(place, everyAction.count - 1)
      let entry = everyAction.removeLast()
      if place < everyAction.count { places[everyAction[place].member.engine.id] = place }
      return entry
    }
  }

  @usableFromInline let contents = Guarded(Contents())
  /// Held while the membership changes; sending does not wait for it.
  let changing = Guarded(())
  @usableFromInline let delivery: GroupDeliveryMode

  /// Creates a group without members.
  ///
  /// - Parameter delivery: What happens to an action that a member cannot accept.
  public init(delivering delivery: GroupDeliveryMode = .toEach) { self.delivery = delivery }

  deinit {
    // The group's declarations end with it; a later group may have the same address.
    var deferred = DeferredWork()
    for entry in entries { leave(entry.member, &deferred) }
    deferred.run()
  }

  /// Sends an action to every member that takes it; returns at once.
  ///
  /// **Order**: see ``ReactorGroup``. **Cost**: one closure call for each candidate, and one
  /// delivery for each member that takes the action. To call fewer closures, see ``index(_:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt for all members that take it.
  @inlinable
  @discardableResult
  public func send(_ action: Action) -> GroupReceipt { send(action, to: members(for: action)) }

  /// The members whose closures are called for an action.
  @inlinable
  func members(for action: Action) -> [GroupEntry<Action>] {
    let (everyAction, indexes) = contents.withLock { ($0.everyAction, $0.indexes) }
    if indexes.isEmpty { return everyAction }
    // The key is computed by user code, and therefore outside the lock.
    let lookups = indexes.compactMap { $0.find(action) }
    return contents.withLock { contents in
      if lookups.count == 1, contents.everyAction.isEmpty { return lookups[0]() }
      return lookups.reduce(into: contents.everyAction) { $0 += $1() }
    }
  }
}

/// What happens to an action sent to a group if a member that takes it cannot accept it, because it
/// is full or stopped.
public enum GroupDeliveryMode: Sendable {
  /// The other members receive it; the receipt names the members that do not.
  case toEach
  /// No member receives it; the receipt names the members that could not accept it.
  ///
  /// All inboxes are locked for a moment, so this is meant for tens of members, not for thousands.
  /// For a member that comes after others, only whether it has been stopped is checked: its inbox
  /// decides when its turn has come.
  case allOrNone
}
