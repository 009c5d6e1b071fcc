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
  var stopping: [ObjectIdentifier: ChildEntry<Child>] = [:]
  /// Counts the changes of the keys.
  private(set) var round: UInt64 = 0
  private var lastNumber: UInt64 = 0
  private var keys: Keys?

  /// Compares the keys of a new state with the children that exist.
  ///
  /// - Returns: The children whose keys are removed, which are removed here, and the keys that are
  ///   new.
  mutating func change(to newKeys: Keys) -> (removed: [Pair], added: [ID]) {
    if keys == newKeys { return ([], []) }
    keys = newKeys
    round &+= 1
    var added: [ID] = []
    var isAdded: Set<ID> = []
    var staying = 0
    for id in newKeys {
      guard let place = entries.index(forKey: id) else {
        if isAdded.insert(id).inserted { added.append(id) }
        continue
      }
      if entries.values[place].round != round { staying += 1 }
      entries.values[place].round = round
    }
    guard staying < entries.count else { return ([], added) }
    let now = round
    let removed = Self.inOrder(entries.filter { $0.value.round != now })
    for (id, _) in removed { entries[id] = nil }
    if entries.isEmpty { entries = [:] }
    return (removed, added)
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
  var orderedStopping: [ChildEntry<Child>] { stopping.values.sorted { $0.number < $1.number } }

  /// Removes and returns a child that has ended and whose key was removed.
  mutating func removeStopped(_ key: ObjectIdentifier) -> ChildEntry<Child>? {
    defer { if stopping.isEmpty { stopping = [:] } }
    return stopping.removeValue(forKey: key)
  }
}
