import Reactor

/// A child, as its parent stores it.
struct ChildEntry<Child: Reactor>: Sendable {
  let child: Child
  /// The task that reduces the child's outputs.
  let outputs: Task<Void, Never>?
  /// The child's position in the order in which children began.
  ///
  /// Children end in this order, so that each process does the same.
  let number: UInt64
  var isDraining = false
  /// The round in which the child's key was last present.
  var round: UInt64

  func end(_ mode: StopMode) -> ChildEnd {
    // Read before `stop`: a child that is stopped here may have ended when `stop` returns.
    let hadEnded = child.pipeline.engine.activity == .ended
    return ChildEnd(
      child: child, identity: child.identity, hadEnded: hadEnded, stopped: child.stop(mode),
      outputs: outputs)
  }
}

/// The children of one kind, by key, and the keys of the last state.
struct ChildTable<Keys: Sequence & Equatable & Sendable, Child: Reactor>: Sendable
where Keys.Element: Hashable & Sendable {
  typealias ID = Keys.Element
  typealias Pair = (id: ID, entry: ChildEntry<Child>)

  var entries: [ID: ChildEntry<Child>] = [:]
  /// Children whose keys were removed and that have not ended yet.
  var leaving: [ObjectIdentifier: ChildEntry<Child>] = [:]
  /// Counts the changes of the keys.
  private(set) var round: UInt64 = 0
  private var lastNumber: UInt64 = 0
  private var keys: Keys?

  /// Compares the keys of a new state with the children that exist.
  ///
  /// - Returns: The children whose keys are gone, which are removed here, and the keys that are
  ///   new.
  mutating func change(to newKeys: Keys) -> (gone: [Pair], come: [ID]) {
    if keys == newKeys { return ([], []) }
    keys = newKeys
    round &+= 1
    var come: [ID] = []
    var isComing: Set<ID> = []
    var staying = 0
    for id in newKeys {
      guard let place = entries.index(forKey: id) else {
        if isComing.insert(id).inserted { come.append(id) }
        continue
      }
      if entries.values[place].round != round { staying += 1 }
      entries.values[place].round = round
    }
    guard staying < entries.count else { return ([], come) }
    let now = round
    let gone = Self.inOrder(entries.filter { $0.value.round != now })
    for (id, _) in gone { entries[id] = nil }
    if entries.isEmpty { entries = [:] }
    return (gone, come)
  }

  /// Stores a child that is about to start.
  mutating func put(_ child: Child, at id: ID, outputs: Task<Void, Never>?) {
    lastNumber += 1
    entries[id] = ChildEntry(child: child, outputs: outputs, number: lastNumber, round: round)
  }

  /// All children whose keys are present, in the order in which they began.
  var ordered: [Pair] { Self.inOrder(entries) }

  private static func inOrder(_ entries: [ID: ChildEntry<Child>]) -> [Pair] {
    entries.map { (id: $0, entry: $1) }.sorted { $0.entry.number < $1.entry.number }
  }

  /// The children whose keys were removed, in the same order.
  var orderedLeaving: [ChildEntry<Child>] { leaving.values.sorted { $0.number < $1.number } }

  /// Removes and returns a child that has ended and whose key was removed.
  mutating func hasEnded(_ key: ObjectIdentifier) -> ChildEntry<Child>? {
    defer { if leaving.isEmpty { leaving = [:] } }
    return leaving.removeValue(forKey: key)
  }
}
