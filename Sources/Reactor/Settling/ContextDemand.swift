public import Synchronization

/// Counts what in the process needs the context of actions, or needs to know what they lead to:
/// tracked chains and observers.
///
/// Usually there are none, and then reading one counter is the only cost.
@usableFromInline
enum ContextDemand {
  @usableFromInline static let count = Atomic(0)

  @inlinable
  static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

  /// How many of them need context that only the sender of an action has.
  @usableFromInline static let senderContextCount = Atomic(0)

  /// Whether a sender has to collect the context of its actions.
  @inlinable
  static var needsSenderContext: Bool { senderContextCount.load(ordering: .relaxed) != 0 }

  static func register(needsSenderContext: Bool = true) {
    count.add(1, ordering: .relaxed)
    if needsSenderContext { senderContextCount.add(1, ordering: .relaxed) }
  }

  static func unregister(needsSenderContext: Bool = true) {
    count.subtract(1, ordering: .relaxed)
    if needsSenderContext { senderContextCount.subtract(1, ordering: .relaxed) }
  }
}
