/// The one order in which everything sent to some groups reaches their members: one lock.
///
/// Groups that share a member share the order: it is merged when a member comes to its second
/// group, and never parted again. Whoever sends holds the lock for as long as it takes to put the
/// actions into the inboxes; nothing of anybody else's runs under it, and nothing is let go.
///
/// Holds: `place`, guarded by its own lock. The lock of the order that has been merged into no
/// other guards the ``GroupSeat``s of all that were merged into it.
@usableFromInline
final class GroupOrder: Sendable {
  @usableFromInline
  struct Place: Sendable {
    /// The order into which this one has been merged.
    @usableFromInline var next: GroupOrder?
    /// How many steps it takes at most to come here from those that were merged into it.
    var depth = 0

    @usableFromInline
    init() {}
  }

  @usableFromInline let place = Guarded(Place())

  /// Held by whoever merges: the one time at which somebody holds the locks of two orders.
  private static let merging = Guarded(())

  @inlinable
  init() {}

  /// Does something under the lock.
  @inlinable
  func withLock(_ body: () -> Void) {
    var order = self
    while let next = order.enter(body) { order = next }
  }

  /// - Returns: Whose lock it is, unless it is this one's, and the body has run.
  @inlinable @inline(__always)
  func enter(_ body: () -> Void) -> GroupOrder? {
    place.withLock { place -> GroupOrder? in
      if let next = place.next { return next }
      body()
      return nil
    }
  }

  /// Makes one order of two.
  @usableFromInline
  func merge(_ other: GroupOrder) {
    guard other !== self else { return }
    Self.merging.withLock { _ in
      let (one, two) = (root, other.root)
      guard one !== two else { return }
      // The shallower one goes into the other, so that the way to a root stays short.
      let depths = (one.place.withLock(\.depth), two.place.withLock(\.depth))
      let (kept, merged) = depths.0 < depths.1 ? (two, one) : (one, two)
      kept.place.withLock { place in
        if depths.0 == depths.1 { place.depth += 1 }
        merged.place.withLock { $0.next = kept }
      }
    }
    shortenWay()
    other.shortenWay()
  }

  private var root: GroupOrder {
    var order = self
    while let next = order.place.withLock(\.next) { order = next }
    return order
  }

  private func shortenWay() {
    let root = root
    guard root !== self else { return }
    place.withLock { $0.next = root }
  }
}
