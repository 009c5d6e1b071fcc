import Reactor

/// A child, as its parent keeps it.
struct ChildEntry<Child: Reactor>: Sendable {
  let child: Child
  /// Reduces what the child puts out.
  let outputs: Task<Void, Never>?
  /// Counts the children that have begun: they end in this order, the same in each process.
  let number: UInt64
  var isDraining = false
  /// When its key was last seen.
  var round: UInt64

  func end(_ mode: StopMode) -> ChildEnd {
    // Asked first: a child that is stopped here may have ended once this returns.
    let hadEnded = child.pipeline.engine.activity == .ended
    return ChildEnd(
      child: child, identity: child.identity, hadEnded: hadEnded, stopped: child.stop(mode),
      outputs: outputs)
  }
}

/// The children of one kind, by their keys, and which keys there were last.
struct ChildTable<Keys: Sequence & Equatable & Sendable, Child: Reactor>: Sendable
where Keys.Element: Hashable & Sendable {
  typealias ID = Keys.Element
  typealias Pair = (id: ID, entry: ChildEntry<Child>)

  var entries: [ID: ChildEntry<Child>] = [:]
  /// Their keys have gone, and they have yet to end.
  var leaving: [ObjectIdentifier: ChildEntry<Child>] = [:]
  /// Counts the changes of the keys.
  private(set) var round: UInt64 = 0
  private var lastNumber: UInt64 = 0
  private var keys: Keys?

  /// Takes the keys of a new state.
  ///
  /// - Returns: The children whose keys have gone, now taken out, and the keys that have come.
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

  /// A child has begun.
  mutating func put(_ child: Child, at id: ID, outputs: Task<Void, Never>?) {
    lastNumber += 1
    entries[id] = ChildEntry(child: child, outputs: outputs, number: lastNumber, round: round)
  }

  /// All whose keys are there, in the order in which they began.
  var ordered: [Pair] { Self.inOrder(entries) }

  private static func inOrder(_ entries: [ID: ChildEntry<Child>]) -> [Pair] {
    entries.map { (id: $0, entry: $1) }.sorted { $0.entry.number < $1.entry.number }
  }

  /// Those whose keys have gone, in that order.
  var orderedLeaving: [ChildEntry<Child>] { leaving.values.sorted { $0.number < $1.number } }

  /// One has ended whose key had gone.
  mutating func hasEnded(_ key: ObjectIdentifier) -> ChildEntry<Child>? {
    defer { if leaving.isEmpty { leaving = [:] } }
    return leaving.removeValue(forKey: key)
  }
}
