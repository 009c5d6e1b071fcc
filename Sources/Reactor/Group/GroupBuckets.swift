/// What a group knows of an index, made where the type of the key is known.
@usableFromInline
struct GroupLookUp<Action: Sendable>: Sendable {
  let members: @Sendable () -> [GroupEntry<Action>]
  @usableFromInline let find: @Sendable (Action) -> [GroupEntry<Action>]
  let takeOut: @Sendable (ObjectIdentifier) -> GroupEntry<Action>?

  @usableFromInline
  init(
    members: @escaping @Sendable () -> [GroupEntry<Action>],
    find: @escaping @Sendable (Action) -> [GroupEntry<Action>],
    takeOut: @escaping @Sendable (ObjectIdentifier) -> GroupEntry<Action>?
  ) {
    self.members = members
    self.find = find
    self.takeOut = takeOut
  }
}

/// The members of an index by their keys.
@usableFromInline
final class GroupBuckets<Action: Sendable, Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var buckets: [Key: [GroupEntry<Action>]] = [:]
    /// Under which keys a member stands, by its pipeline.
    @usableFromInline var keys: [ObjectIdentifier: [Key]] = [:]

    @inlinable
    init() {}
  }

  @usableFromInline let contents = Guarded(Contents())
  @usableFromInline let key: @Sendable (Action) -> Key?

  @inlinable
  init(_ key: @escaping @Sendable (Action) -> Key?) { self.key = key }

  @inlinable
  func members(for action: Action) -> [GroupEntry<Action>] {
    guard let key = key(action) else { return [] }
    return contents.withLock { $0.buckets[key] ?? [] }
  }

  @usableFromInline
  var members: [GroupEntry<Action>] { contents.withLock { $0.buckets.values.flatMap { $0 } } }

  @inlinable
  func add(_ entry: GroupEntry<Action>, at keys: [Key]) {
    let keys = Array(Set(keys))
    contents.withLock { contents in
      for key in keys { contents.buckets[key, default: []].append(entry) }
      contents.keys[entry.member.id] = keys
    }
  }

  @usableFromInline
  func takeOut(_ core: ObjectIdentifier) -> GroupEntry<Action>? {
    contents.withLock { contents in
      var taken: GroupEntry<Action>?
      for key in contents.keys.removeValue(forKey: core) ?? [] {
        guard let place = contents.buckets[key]?.firstIndex(where: { $0.member.id == core })
        else { continue }
        taken = contents.buckets[key]?.remove(at: place)
        if contents.buckets[key]?.isEmpty == true { contents.buckets[key] = nil }
      }
      return taken
    }
  }
}
