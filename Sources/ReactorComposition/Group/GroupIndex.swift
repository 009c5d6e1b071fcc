public import Reactor
public import ReactorRuntime

/// Members of a group that are asked only about actions with their key.
///
/// ```swift
/// let byRoom = group.index { $0.room }
/// byRoom.add(lobby, at: "lobby") { .event($0) }   // never asked about other rooms' events
/// ```
///
/// Made by ``ReactorGroup/index(_:)``. It keeps the group.
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

  /// Adds a reactor to the group, to be asked about actions with this key.
  ///
  /// One that is a member already is added anew: what it was added with before is forgotten.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It leaves by itself when it goes.
  ///   - key: The key.
  ///   - isKept: Whether the group keeps it alive.
  ///   - action: What the group's action is to the reactor; `nil` if it does not want it.
  @inlinable
  public func add<R: Reactor>(
    _ reactor: R, at key: Key, keeping isKept: Bool = false,
    _ action: @escaping @Sendable (Action) -> R.Action?
  ) {
    add(reactor, at: [key], keeping: isKept, action)
  }

  /// Adds a reactor to the group, to be asked about actions with one of these keys.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It leaves by itself when it goes.
  ///   - keys: The keys.
  ///   - isKept: Whether the group keeps it alive.
  ///   - action: What the group's action is to the reactor; `nil` if it does not want it.
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

  /// Adds a reactor to the group that takes the actions with this key as they are.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It leaves by itself when it goes.
  ///   - key: The key.
  ///   - isKept: Whether the group keeps it alive.
  @inlinable
  public func add<R: Reactor>(_ reactor: R, at key: Key, keeping isKept: Bool = false)
  where R.Action == Action {
    add(reactor, at: [key], keeping: isKept) { $0 }
  }

  /// Adds a reactor to the group that takes the actions with one of these keys as they are.
  ///
  /// - Parameters:
  ///   - reactor: The reactor. It leaves by itself when it goes.
  ///   - keys: The keys.
  ///   - isKept: Whether the group keeps it alive.
  @inlinable
  public func add<R: Reactor>(_ reactor: R, at keys: [Key], keeping isKept: Bool = false)
  where R.Action == Action {
    add(reactor, at: keys, keeping: isKept) { $0 }
  }
}

extension ReactorGroup {
  /// A way to add members that are asked only about some actions: 3 of 1,000 then cost as 3 of 3.
  ///
  /// A group may have several; its other members are asked about every action.
  ///
  /// A key's `hash(into:)` and `==` are called under the group's lock: they must not use the group.
  ///
  /// - Parameter key: What is looked up; `nil` for an action that is for none in this index.
  ///   Called by the sender.
  /// - Returns: The index, to add members to.
  @inlinable
  public func index<Key: Hashable & Sendable>(
    _ key: @escaping @Sendable (Action) -> Key?
  ) -> GroupIndex<Action, Key> {
    let buckets = GroupBuckets<Action, Key>()
    contents.withLock { $0.indexes.append(GroupLookUp(buckets, key)) }
    return GroupIndex(buckets, in: self)
  }
}
