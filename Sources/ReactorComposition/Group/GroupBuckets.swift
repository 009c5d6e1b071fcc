import Reactor

/// An index as its group sees it.
///
/// The closures are created where the type of the key is known.
///
/// Guard of all but the computation of the key: the lock of the group's contents.
@usableFromInline
struct GroupLookup<Action: Sendable>: Sendable {
  @usableFromInline let members: @Sendable () -> [GroupEntry<Action>]
  /// Computes the key of an action, outside any lock.
  ///
  /// The closure that it returns finds the members, under the lock.
  @usableFromInline let find: @Sendable (Action) -> (() -> [GroupEntry<Action>])?
  @usableFromInline let removeMember: @Sendable (_ engine: ObjectIdentifier) -> GroupEntry<Action>?

  @inlinable
  init<Key>(_ buckets: GroupBuckets<Action, Key>, _ key: @escaping @Sendable (Action) -> Key?) {
    members = { buckets.members }
    find = { action in
      guard let found = key(action) else { return nil }
      return { buckets.buckets[found] ?? [] }
    }
    removeMember = { buckets.removeMember($0) }
  }
}

/// The members of an index by their keys.
///
/// `@unchecked`. Guard of every field: the lock of the group's contents. The user's `hash(into:)`
/// and `==` are therefore called under that lock: the two dictionaries need them. The key of an
/// action is computed before, outside the lock.
@usableFromInline
final class GroupBuckets<Action: Sendable, Key: Hashable & Sendable>: @unchecked Sendable {
  @usableFromInline var buckets: [Key: [GroupEntry<Action>]] = [:]
  /// The keys of each member, with its position in each bucket, by engine.
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
  func removeMember(_ engine: ObjectIdentifier) -> GroupEntry<Action>? {
    var taken: GroupEntry<Action>?
    for (key, place) in places.removeValue(forKey: engine) ?? [:] {
      taken = remove(place, at: key)
    }
    return taken
  }

  /// The last entry takes the position of the removed one.
  private func remove(_ place: Int, at key: Key) -> GroupEntry<Action>? {
    guard let last = buckets[key]?.popLast(), let count = buckets[key]?.count else { return nil }
    if count == 0 { buckets[key] = nil }
    guard place < count, let left = buckets[key]?[place] else { return last }
    buckets[key]?[place] = last
    places[last.member.engine.id]?[key] = place
    return left
  }
}
