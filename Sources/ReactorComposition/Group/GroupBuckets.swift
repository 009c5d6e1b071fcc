import Reactor

/// What a group knows of an index, made where the type of the key is known.
///
/// Guard of all but the look-up of the key: the lock of the group's contents.
@usableFromInline
struct GroupLookUp<Action: Sendable>: Sendable {
  @usableFromInline let members: @Sendable () -> [GroupEntry<Action>]
  /// Finds the key of an action, under no lock; what it returns looks up its members, under it.
  @usableFromInline let find: @Sendable (Action) -> (() -> [GroupEntry<Action>])?
  @usableFromInline let takeOut: @Sendable (_ engine: ObjectIdentifier) -> GroupEntry<Action>?

  @inlinable
  init<Key>(_ buckets: GroupBuckets<Action, Key>, _ key: @escaping @Sendable (Action) -> Key?) {
    members = { buckets.members }
    find = { action in
      guard let found = key(action) else { return nil }
      return { buckets.buckets[found] ?? [] }
    }
    takeOut = { buckets.takeOut($0) }
  }
}

/// The members of an index by their keys.
///
/// `@unchecked`. Guard of every field: the lock of the group's contents. So the user's
/// `hash(into:)` and `==` are called under it, which the two dictionaries cannot do without: what a
/// key is for an action is found out before, but not where that key is.
@usableFromInline
final class GroupBuckets<Action: Sendable, Key: Hashable & Sendable>: @unchecked Sendable {
  @usableFromInline var buckets: [Key: [GroupEntry<Action>]] = [:]
  /// At which place a member is under which keys, by its engine.
  private var places: [ObjectIdentifier: [Key: Int]] = [:]

  @usableFromInline
  init() {}

  @usableFromInline var members: [GroupEntry<Action>] { buckets.values.flatMap { $0 } }

  @usableFromInline
  func add(_ entry: GroupEntry<Action>, at keys: [Key]) {
    var places: [Key: Int] = [:]
    for key in Set(keys) {
      places[key] = buckets[key]?.count ?? 0
      buckets[key, default: []].append(entry)
    }
    self.places[entry.member.engine.id] = places
  }

  @usableFromInline
  func takeOut(_ engine: ObjectIdentifier) -> GroupEntry<Action>? {
    var taken: GroupEntry<Action>?
    for (key, place) in places.removeValue(forKey: engine) ?? [:] {
      taken = remove(place, at: key)
    }
    return taken
  }

  /// The last takes the place of the one that leaves.
  private func remove(_ place: Int, at key: Key) -> GroupEntry<Action>? {
    guard let last = buckets[key]?.popLast(), let count = buckets[key]?.count else { return nil }
    if count == 0 { buckets[key] = nil }
    guard place < count, let left = buckets[key]?[place] else { return last }
    buckets[key]?[place] = last
    places[last.member.engine.id]?[key] = place
    return left
  }
}
