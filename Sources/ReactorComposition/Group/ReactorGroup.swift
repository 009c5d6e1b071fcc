import Reactor
public import ReactorRuntime

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
/// **Nothing is lost in silence**: a member that does not accept an action is named in the receipt,
/// and reported.
///
/// Holds: `contents`, guarded by its own lock; what is taken out there is released outside it.
public final class ReactorGroup<Action: Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    /// Those that are asked about every action.
    @usableFromInline var everyAction: [GroupEntry<Action>] = []
    /// The place of each of them there, by its engine.
    private var places: [ObjectIdentifier: Int] = [:]
    /// Those that are asked about some, by what is looked up in an action.
    @usableFromInline var indexes: [GroupLookUp<Action>] = []

    /// Takes a member in, or anew.
    ///
    /// - Returns: What it was added with before.
    mutating func put(
      _ entry: GroupEntry<Action>, into index: (() -> Void)?
    ) -> GroupEntry<Action>? {
      let engine = entry.member.engine.id
      if index == nil, let place = places[engine] {
        defer { everyAction[place] = entry }
        return everyAction[place]
      }
      let before = takeOut(engine)
      if let index {
        index()
      } else {
        places[engine] = everyAction.count
        everyAction.append(entry)
      }
      return before
    }

    mutating func takeOut(_ engine: ObjectIdentifier) -> GroupEntry<Action>? {
      guard let place = places.removeValue(forKey: engine) else {
        for index in indexes {
          if let entry = index.takeOut(engine) { return entry }
        }
        return nil
      }
      // The last takes the place of the one that leaves.
      everyAction.swapAt(place, everyAction.count - 1)
      let entry = everyAction.removeLast()
      if place < everyAction.count { places[everyAction[place].member.engine.id] = place }
      return entry
    }
  }

  @usableFromInline let contents = Guarded(Contents())
  /// Held while it changes which reactors are members; what is sent does not wait for it.
  let changing = Guarded(())
  @usableFromInline let delivery: GroupDeliveryMode

  /// A group without members.
  ///
  /// - Parameter delivery: What becomes of an action that one of those that want it cannot accept.
  public init(delivering delivery: GroupDeliveryMode = .toEach) { self.delivery = delivery }

  deinit {
    // What was declared here counts no more, and another group may come to have this address.
    var deferred = DeferredWork()
    for entry in entries { leave(entry.member, &deferred) }
    deferred.run()
  }

  /// Sends an action to every member that wants it; returns at once.
  ///
  /// **Order**: see above. **Cost** is that of those that take it, and of asking those that may;
  /// see ``index(_:)`` for how to ask few.
  ///
  /// - Parameter action: The action.
  /// - Returns: A receipt for all of them.
  @inlinable
  @discardableResult
  public func send(_ action: Action) -> GroupReceipt { send(action, to: members(for: action)) }

  /// The members to be asked about an action.
  @inlinable
  func members(for action: Action) -> [GroupEntry<Action>] {
    let (everyAction, indexes) = contents.withLock { ($0.everyAction, $0.indexes) }
    if indexes.isEmpty { return everyAction }
    // What is looked up is found out by the user's code, and so outside the lock.
    let lookUps = indexes.compactMap { $0.find(action) }
    return contents.withLock { contents in
      if lookUps.count == 1, contents.everyAction.isEmpty { return lookUps[0]() }
      return lookUps.reduce(into: contents.everyAction) { $0 += $1() }
    }
  }
}

/// What becomes of an action that is sent to a group when a member that wants it cannot accept it,
/// being full or stopped.
public enum GroupDeliveryMode: Sendable {
  /// The others get it, and a member that does not is named in the receipt.
  case toEach
  /// None gets it, and a member that could not accept it is named in the receipt.
  ///
  /// All the inboxes are held for a moment, so it is meant for tens of members and not for
  /// thousands. Of a member that comes after others it is known only whether it had been stopped:
  /// its inbox is asked when its turn has come.
  case allOrNone
}
