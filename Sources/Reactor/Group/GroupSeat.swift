/// A reactor's place among the members of groups: what waits for it there, and whom it comes after.
///
/// Made when the reactor joins a group, or is looked at together with another, unless it has one.
/// Groups, those who look, and what waits hold it, and the reactor's pipeline does not: it goes
/// with the last of them.
///
/// `@unchecked`. Guard of every field that varies: the lock of the order that the seat is part of,
/// see ``GroupOrder/withLock(_:)``; of `leavings`, its own lock.
@usableFromInline
final class GroupSeat: PipelineSeat, @unchecked Sendable {
  @usableFromInline let order: GroupOrder
  let identity: ReactorIdentity
  private let core: any SeatedPipeline

  /// What is to reach the reactor and waits for others, in order.
  private var line = FIFO<any GroupLineItem>()
  /// The seats that this one comes after, by the group in which that was declared.
  var predecessors: [ObjectIdentifier: [GroupSeat]] = [:]
  /// How often others were declared to come after this one.
  var successors = 0
  /// Those who look at it together with others.
  var watchers = IdentityList<CombinedWatcher>()
  /// Whether an action can go straight into the inbox.
  @exclusivity(unchecked) @usableFromInline var isPlain = true

  /// How to leave the groups when the reactor is gone.
  private let leavings = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])

  init(in order: GroupOrder, identity: ReactorIdentity, of core: any SeatedPipeline) {
    self.order = order
    self.identity = identity
    self.core = core
  }

  deinit { core.forgetSeat() }

  /// Keeps `isPlain` true to the rest.
  func settle() {
    isPlain =
      line.isEmpty && predecessors.isEmpty && successors == 0 && watchers.isEmpty
  }

  var first: (any GroupLineItem)? { line.first }

  func append(_ item: any GroupLineItem) {
    line.append(item)
    isPlain = false
  }

  /// - Returns: What was first, to be let go outside the lock.
  func removeFirst() -> (any GroupLineItem)? {
    defer { settle() }
    return line.popFirst()
  }

  // MARK: Leaving

  func whenGone(leave group: ObjectIdentifier, _ leave: @escaping @Sendable () -> Void) {
    leavings.withLock { $0[group] = leave }
  }

  func forget(_ group: ObjectIdentifier) { leavings.withLock { _ = $0.removeValue(forKey: group) } }

  func reactorIsGone() {
    let leavings = leavings.withLock { leavings in
      defer { leavings = [:] }
      return leavings
    }
    for leave in leavings.values { leave() }
  }
}

/// The order between members.
extension GroupSeat {
  private var allPredecessors: [GroupSeat] { predecessors.values.flatMap { $0 } }

  /// Declares whom this one comes after, unless that would make a circle; what was declared in the
  /// group before is taken back.
  ///
  /// - Parameters:
  ///   - others: Whom it comes after.
  ///   - group: In which group.
  ///   - left: Receives seats to be let go outside the lock.
  /// - Returns: The circle, in the order in which each comes after the one behind it; then nothing
  ///   has changed.
  func come(
    after others: [GroupSeat], in group: ObjectIdentifier, _ left: inout [GroupSeat]
  ) -> [GroupSeat]? {
    // What was declared before does not count in this: a circle ends where it comes to this one.
    // Where nothing comes after this one, no path leads to it: a chain that grows at its end is not
    // searched at each step.
    if successors > 0 || others.contains(where: { $0 === self }),
      let path = shortestPath(from: others, to: self, \.allPredecessors)
    {
      return [self] + path
    }
    left = comeAfterNobody(in: group)
    var known: Set<ObjectIdentifier> = []
    let new = others.filter { known.insert(ObjectIdentifier($0)).inserted }
    if !new.isEmpty { predecessors[group] = new }
    for seat in new {
      seat.successors += 1
      seat.settle()
    }
    settle()
    return nil
  }

  /// Takes back what was declared in a group.
  ///
  /// - Returns: Seats to be let go outside the lock.
  func comeAfterNobody(in group: ObjectIdentifier) -> [GroupSeat] {
    let left = predecessors.removeValue(forKey: group) ?? []
    for seat in left {
      seat.successors -= 1
      seat.settle()
    }
    settle()
    return left
  }

  /// The nearest of some seats that this one comes after, with other seats in between or not.
  ///
  /// Seats that those come after in turn are left out.
  func ancestors<Item>(among wanted: [ObjectIdentifier: Item]) -> [Item] {
    guard !predecessors.isEmpty else { return [] }
    var seen: Set<ObjectIdentifier> = []
    var found: [Item] = []
    var open = allPredecessors
    while let seat = open.popLast() {
      guard seen.insert(ObjectIdentifier(seat)).inserted else { continue }
      if let item = wanted[ObjectIdentifier(seat)] {
        found.append(item)
      } else {
        open += seat.allPredecessors
      }
    }
    return found
  }
}

/// What waits for its turn to reach a reactor.
protocol GroupLineItem: AnyObject, Sendable {
  /// It is first in line at a seat: goes on from there, if it can, and out of the line; under the
  /// lock of the order.
  ///
  /// - Returns: Other seats at which something may go on; `nil` where it has to wait.
  func advance(from seat: GroupSeat, _ errands: inout GroupErrands) -> [GroupSeat]?
}

/// A pipeline to the seat of its reactor.
protocol SeatedPipeline: AnyObject, Sendable {
  /// Nobody holds the place any more.
  func forgetSeat()
}

extension GroupSeat {
  /// Lets go on what can at some seats, and wherever that leads; under the lock of the order.
  static func advance(at seats: [GroupSeat], _ errands: inout GroupErrands) {
    var open = seats
    while let seat = open.popLast() {
      while let others = seat.first?.advance(from: seat, &errands) { open += others }
    }
  }
}
