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

  static func come() { members.add(1, ordering: .relaxed) }

  static func go() { members.subtract(1, ordering: .relaxed) }
}
