public import Synchronization

/// Lets a moment pass without giving up the thread.
@usableFromInline
enum Spinning {
  /// Nobody ever writes it: it is read so that the loop is not left out.
  @usableFromInline static let nothing = Atomic(0)

  /// A third of a nanosecond or so for each round.
  @inlinable @inline(never)
  static func spin(_ rounds: Int) {
    for _ in 0..<rounds where nothing.load(ordering: .relaxed) != 0 { return }
  }
}
