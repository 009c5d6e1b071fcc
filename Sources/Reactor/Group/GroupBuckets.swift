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
    /// Where a member stands under which keys, by its pipeline.
    @usableFromInline var places: [ObjectIdentifier: [Key: Int]] = [:]

    @inlinable
    init() {}

    /// The last takes the place of the one that goes.
    mutating func remove(_ place: Int, at key: Key) -> GroupEntry<Action>? {
      guard let last = buckets[key]?.popLast(), let count = buckets[key]?.count else { return nil }
      if count == 0 { buckets[key] = nil }
      guard place < count, let gone = buckets[key]?[place] else { return last }
      buckets[key]?[place] = last
      places[last.member.id]?[key] = place
      return gone
    }
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
    let keys = Set(keys)
    contents.withLock { contents in
      var places: [Key: Int] = [:]
      for key in keys {
        places[key] = contents.buckets[key]?.count ?? 0
        contents.buckets[key, default: []].append(entry)
      }
      contents.places[entry.member.id] = places
    }
  }

  @usableFromInline
  func takeOut(_ core: ObjectIdentifier) -> GroupEntry<Action>? {
    contents.withLock { contents in
      var taken: GroupEntry<Action>?
      for (key, place) in contents.places.removeValue(forKey: core) ?? [:] {
        taken = contents.remove(place, at: key)
      }
      return taken
    }
  }
}
