public import Synchronization

/// Whether anybody in the process wants to know what actions bring along, or what they lead to: a
/// chain that is tracked, or an observer.
///
/// Nearly always nobody does, and then one look at this is all that it costs.
@usableFromInline
enum Company {
  @usableFromInline static let members = Atomic(0)

  @inlinable
  static var isAny: Bool { members.load(ordering: .relaxed) != 0 }

  /// How many of them want something to come along that only whoever sends an action has.
  @usableFromInline static let asking = Atomic(0)

  /// Whether whoever sends an action has to look what is to come along.
  @inlinable
  static var asksSenders: Bool { asking.load(ordering: .relaxed) != 0 }

  static func come(asksSenders: Bool = true) {
    members.add(1, ordering: .relaxed)
    if asksSenders { asking.add(1, ordering: .relaxed) }
  }

  static func go(asksSenders: Bool = true) {
    members.subtract(1, ordering: .relaxed)
    if asksSenders { asking.subtract(1, ordering: .relaxed) }
  }
}
