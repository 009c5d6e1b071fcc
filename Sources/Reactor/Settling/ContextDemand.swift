public import Synchronization

/// Counts what in the process needs the context of actions, or needs to know what they lead to:
/// tracked chains and observers.
///
/// Usually there are none, and then reading one counter is the only cost.
@usableFromInline
enum ContextDemand {
  @usableFromInline static let members = Atomic(0)

  @inlinable
  static var isAny: Bool { members.load(ordering: .relaxed) != 0 }

  /// How many of them need context that only the sender of an action has.
  @usableFromInline static let asking = Atomic(0)

  /// Whether a sender has to collect the context of its actions.
  @inlinable
  static var needsSenderContext: Bool { asking.load(ordering: .relaxed) != 0 }

  static func come(needsSenderContext: Bool = true) {
    members.add(1, ordering: .relaxed)
    if needsSenderContext { asking.add(1, ordering: .relaxed) }
  }

  static func go(needsSenderContext: Bool = true) {
    members.subtract(1, ordering: .relaxed)
    if needsSenderContext { asking.subtract(1, ordering: .relaxed) }
  }
}
