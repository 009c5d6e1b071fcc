public import Reactor
public import ReactorRuntime

/// Members of a group that receive only actions with their key.
///
/// ```swift
/// let byRoom = group.index { $0.room }
/// byRoom.add(lobby, at: "lobby") { .event($0) }   // not called for events with other keys
/// ```
///
/// Made by ``ReactorGroup/index(_:)``. It keeps the group alive.
///
/// Holds: `buckets`, which the lock of the group's contents guards.
public final class GroupIndex<Action: Sendable, Key: Hashable & Sendable>: Sendable {
  @usableFromInline let buckets: GroupBuckets<Action, Key>
  @usableFromInline let group: ReactorGroup<Action>

  @usableFromInline
  init(_ buckets: GroupBuckets<Action, Key>, in group: ReactorGroup<Action>) {
    self.buckets = buckets
    self.group = group
  }

  /// Adds a reactor to the group; its closure is called for actions with this key.
  ///
  /// A reactor that is already a member is added again: its previous entry is replaced.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It is removed when it is released.
  ///   - key: The key.
  ///   - isKept: Whether the group keeps the reactor alive.
  ///   - action: Maps the group's action to an action of the reactor; `nil` if there is none.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, at key: Key, keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) {
    add(reactor, at: [key], keeping: isKept, action)
  }

  /// Adds a reactor to the group; its closure is called for actions with one of these keys.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It is removed when it is released.
  ///   - keys: The keys.
  ///   - isKept: Whether the group keeps the reactor alive.
  ///   - action: Maps the group's action to an action of the reactor; `nil` if there is none.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, at keys: [Key], keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) {
    withExtendedLifetime(reactor) {
      let entry = group.entry(for: reactor, keeping: isKept, action)
      _ = group.admit(entry) { self.buckets.add(entry, at: keys) }
    }
  }

  /// Adds a reactor to the group that takes the actions with this key unchanged.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It is removed when it is released.
  ///   - key: The key.
  ///   - isKept: Whether the group keeps the reactor alive.
  @inlinable
  public func add<R: Reactor>(_ reactor: R, at key: Key, keeping isKept: Bool = false)
  where R.Action == Action {
    add(reactor, at: [key], keeping: isKept) { $0 }
  }

  /// Adds a reactor to the group that takes the actions with one of these keys unchanged.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It is removed when it is released.
  ///   - keys: The keys.
  ///   - isKept: Whether the group keeps the reactor alive.
  @inlinable
  public func add<R: Reactor>(_ reactor: R, at keys: [Key], keeping isKept: Bool = false)
  where R.Action == Action {
    add(reactor, at: keys, keeping: isKept) { $0 }
  }
}

extension ReactorGroup {
  /// Returns an index, to add members that take only actions with certain keys.
  ///
  /// Sending to 3 of 1,000 members then costs as much as sending to 3 of 3. A group may have
  /// several indexes; the closures of its other members are called for every action.
  ///
  /// A key's `hash(into:)` and `==` are called under the group's lock: they must not use the group.
  ///
  /// - Parameter key: Computes the key of an action; `nil` for an action for no member of this
  ///   index. Called by the sender.
  /// - Returns: The index, to add members to.
  @inlinable
  public func index<Key: Hashable & Sendable>(
    _ key: @escaping @Sendable (Action) -> Key?
  ) -> GroupIndex<Action, Key> {
    let buckets = GroupBuckets<Action, Key>()
    contents.withLock { $0.indexes.append(GroupLookup(buckets, key)) }
    return GroupIndex(buckets, in: self)
  }
}
