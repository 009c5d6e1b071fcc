/// Whether an actor runs on the main actor's executor.
///
/// The standard library does not compare executors, so they are compared as the two words of which
/// they consist: the identity of the executor, and how it is called. The second word of an actor of
/// the pool is zero; for such an actor, only that word is read.
///
/// **Why it is sound**: the words are only compared, never dereferenced. The compiler checks in the
/// cast that there are two.
///
/// **What would break it**: an executor of another size, which traps; flags in the second word,
/// which would make the result `false`, and a reactor on the main actor slower.
@usableFromInline
package enum MainExecutor {
  @inlinable @inline(__always)
  package static func runs(_ actor: some Actor) -> Bool {
    let executor = words(of: actor.unownedExecutor)
    return executor.1 != 0 && isMain(executor)
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
