/// Whether an actor runs on the main actor's executor.
///
/// The standard library does not compare executors, so they are compared as the two words that
/// they are: which executor it is, and how it is called. An actor of the pool has nothing in the
/// second, which is all that is looked at then.
///
/// **Why it is sound**: the words are only compared, never followed. That there are two, the
/// compiler checks when it casts.
///
/// **What would break it**: an executor of another size, which traps; flags in the second word,
/// which would make the answer *no*, and a reactor on the main actor slower.
@usableFromInline
package enum MainExecutor {
  @inlinable @inline(__always)
  package static func runs(_ actor: some Actor) -> Bool {
    let own = words(of: actor.unownedExecutor)
    return own.1 != 0 && isMain(own)
  }

  @usableFromInline
  static func isMain(_ executor: (UInt, UInt)) -> Bool {
    executor == words(of: MainActor.sharedUnownedExecutor)
  }

  @inlinable @inline(__always)
  static func words(of executor: UnownedSerialExecutor) -> (UInt, UInt) {
    unsafeBitCast(executor, to: (UInt, UInt).self)
  }
}
