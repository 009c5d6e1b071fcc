public import Reactor
import ReactorRuntime

/// What groups store about one reactor: its queue, and the members that it comes after.
///
/// One member object is shared by all groups, and by the observers that combine the reactor with
/// others. These keep it alive; the engine does not.
///
/// `@unchecked`. Guard of every mutable field: the lock of the ``GroupOrder``; `releaseHandlers`
/// has its own lock.
@usableFromInline
final class GroupMember: @unchecked Sendable {
  let engine: any EngineAccess
  let identity: ReactorIdentity

  /// What waits to reach the reactor, in order.
  private var queue = FIFO<any GroupQueueItem>()
  /// The members that this one comes after, by the group in which that was declared.
  private var predecessors: [ObjectIdentifier: [GroupMember]] = [:]
  /// The number of declarations that put other members after this one.
  private var successors = 0
  /// The registrations of observers that combine this reactor with others.
  private(set) var registrations = IdentityList<ColumnRegistration>()

  /// How to leave each group when the reactor is released.
  private let releaseHandlers = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])

  private init(_ engine: any EngineAccess, _ identity: ReactorIdentity) {
    (self.engine, self.identity) = (engine, identity)
  }

  deinit { engine.unlink(ObjectIdentifier(self)) }

  /// Returns the member object of a reactor; all groups share it.
  @usableFromInline
  static func of<Engine: EngineAccess>(_ engine: Engine) -> GroupMember {
    let identity = engine.identity
    return engine.withFollowers { followers in
      if let member = existing(in: followers) { return member }
      let member = GroupMember(engine, identity)
      followers.append(MemberLink<Engine.Owner.State>(member))
      return member
    }
  }

  fileprivate static func existing<State: Sendable>(
    in followers: [any EngineFollower<State>]
  ) -> GroupMember? {
    for case let link as MemberLink<State> in followers {
      // Returned rather than dropped, so that it is not released under the engine's lock.
      if let member = link.member { return member }
    }
    return nil
  }

  var id: ObjectIdentifier { ObjectIdentifier(self) }

  /// Whether an action can be admitted to the inbox directly.
  var admitsDirectly: Bool {
    queue.isEmpty && predecessors.isEmpty && successors == 0 && registrations.isEmpty
  }

  // MARK: Queue

  var first: (any GroupQueueItem)? { queue.first }

  func append(_ item: any GroupQueueItem) { queue.append(item) }

  /// Removes the first item; the caller keeps it until the lock has been released.
  func removeFirst() { _ = queue.popFirst() }

  func add(_ registration: ColumnRegistration) { registrations.append(registration) }

  func remove(_ registration: ColumnRegistration) { registrations.remove(registration.id) }

  // MARK: Leaving

  func whenReleased(leave group: ObjectIdentifier, _ leave: @escaping @Sendable () -> Void) {
    releaseHandlers.withLock { $0[group] = leave }
  }

  func forget(_ group: ObjectIdentifier) {
    releaseHandlers.withLock { _ = $0.removeValue(forKey: group) }
  }

  fileprivate func reactorWasReleased() {
    let releaseHandlers = releaseHandlers.withLock { releaseHandlers in
      defer { releaseHandlers = [:] }
      return releaseHandlers
    }
    for leave in releaseHandlers.values { leave() }
  }

  // MARK: Order

  private var allPredecessors: [GroupMember] { predecessors.values.flatMap { $0 } }

  /// Declares which members this one comes after, unless that would be a cycle.
  ///
  /// The group's previous declaration for this member is replaced.
  ///
  /// - Returns: The cycle, each member coming after the next one in the array; then nothing has
  ///   changed.
  func setPredecessors(
    _ others: [GroupMember], in group: ObjectIdentifier, _ deferred: inout DeferredWork
  ) -> [GroupMember]? {
    // The previous declaration cannot affect the result: a path ends where it reaches this member.
    // If nothing comes after this member, no path leads to it, so a chain that grows at its end is
    // not searched at each step.
    if successors > 0 || others.contains(where: { $0 === self }),
      let path = shortestPath(from: others, to: self, \.allPredecessors)
    {
      return [self] + path
    }
    removePredecessors(in: group, &deferred)
    var known: Set<ObjectIdentifier> = []
    let new = others.filter { known.insert($0.id).inserted }
    if !new.isEmpty { predecessors[group] = new }
    for member in new { member.successors += 1 }
    return nil
  }

  /// Removes what was declared in a group.
  func removePredecessors(in group: ObjectIdentifier, _ deferred: inout DeferredWork) {
    guard let removed = predecessors.removeValue(forKey: group) else { return }
    for member in removed { member.successors -= 1 }
    deferred.add { withExtendedLifetime(removed) {} }
  }

  /// The nearest of some members that this one comes after, directly or through other members.
  ///
  /// Members that those come after in turn are left out.
  func predecessors<Item>(among wanted: [ObjectIdentifier: Item]) -> [Item] {
    guard !predecessors.isEmpty else { return [] }
    var seen: Set<ObjectIdentifier> = []
    var found: [Item] = []
    var open = allPredecessors
    while let member = open.popLast() {
      guard seen.insert(member.id).inserted else { continue }
      if let item = wanted[member.id] {
        found.append(item)
      } else {
        open += member.allPredecessors
      }
    }
    return found
  }

  /// The number of declarations that order this member after others, or others after it.
  fileprivate var orderCount: Int { predecessors.values.joined().count + successors }
}

/// Notifies a member that its reactor has been released; the engine keeps this object.
private final class MemberLink<State: Sendable>: EngineFollower {
  let id: ObjectIdentifier
  weak let member: GroupMember?

  init(_ member: GroupMember) {
    id = member.id
    self.member = member
  }

  var followsStates: Bool { false }

  func released() { member?.reactorWasReleased() }
}

extension EngineAccess {
  /// Removes the link of a member that is no longer needed.
  fileprivate func unlink(_ member: ObjectIdentifier) {
    withFollowers { followers in
      followers.removeAll { ($0 as? MemberLink<Owner.State>)?.id == member }
    }
  }
}

extension ReactorPipeline {
  /// For tests: how many observers combine this reactor with others, now.
  package var combinationCount: Int { memberCount(\.registrations.count) }

  /// For tests: the number of declarations that order the reactor after others, or others after it.
  package var orderCount: Int { memberCount(\.orderCount) }

  private func memberCount(_ count: (GroupMember) -> Int) -> Int {
    guard let member = engine.withFollowers({ GroupMember.existing(in: $0) }) else { return 0 }
    var counted = 0
    GroupOrder.withLock { _ in counted = count(member) }
    return counted
  }
}
