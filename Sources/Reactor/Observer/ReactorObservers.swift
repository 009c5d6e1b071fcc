public import Synchronization

/// Who observes the reactors of this process.
///
/// ```swift
/// ReactorObservers.add(LoggingObserver(logger))                  // all reactors
/// ReactorObservers.add(Printer(), toAll: CounterReactor.self)    // those of one type
/// counter.addObserver(Printer())                                 // one
/// ```
///
/// An observer may be added and removed at any time, from any thread. A reactor tells it from its
/// next turn on, of actions that were sent before as well, and begins with
/// ``ReactorStep/Kind/started(state:)``. An object that has been added more than once for the same
/// reactor is told each step once.
///
/// While there is any, every action of every reactor in the process costs a little more, and those
/// of reactors that are observed cost what the observers do.
public enum ReactorObservers {
  /// Adds an observer of all reactors.
  ///
  /// - Parameter observer: The observer; it is held until it is removed.
  /// - Returns: The way to remove it; it may be ignored.
  @discardableResult
  public static func add(_ observer: some ReactorObserver) -> ObserverRegistration {
    add(observer, to: nil)
  }

  // MARK: Whom to tell

  private struct Board: Sendable {
    var entries: [(of: ObjectIdentifier?, entry: ObserverEntry)] = []
    /// What comes along with actions, for those of one reactor too.
    var carried: [(by: ObserverEntry, keys: TaskLocals)] = []
  }

  private static let board = Guarded(Board())

  /// Counts the changes, so that a reactor sees with one look that nothing has changed.
  @usableFromInline static let version = Atomic<UInt64>(0)

  /// How many observers there are, of whatever reactors.
  @usableFromInline static let count = Atomic(0)

  @inlinable static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

  static func add(
    _ observer: some ReactorObserver, to type: ObjectIdentifier?
  ) -> ObserverRegistration {
    let entry = ObserverEntry(observer)
    board.withLock { $0.entries.append((type, entry)) }
    come(entry)
    return ObserverRegistration {
      let isFirst = board.withLock { board -> Bool in
        let index = board.entries.firstIndex { $0.entry === entry }
        if let index { board.entries.remove(at: index) }
        return index != nil
      }
      if isFirst { go(entry) }
    }
  }

  /// An observer is there, for reactors that look from now on.
  static func come(_ entry: ObserverEntry) {
    if !entry.carried.isEmpty {
      board.withLock { $0.carried.append((entry, entry.carried)) }
      carriers.add(1, ordering: .releasing)
    }
    version.add(1, ordering: .releasing)
    count.add(1, ordering: .relaxed)
    Company.come()
  }

  static func go(_ entry: ObserverEntry) {
    entry.leave()
    if !entry.carried.isEmpty {
      board.withLock { board in board.carried.removeAll { $0.by === entry } }
      carriers.subtract(1, ordering: .releasing)
    }
    version.add(1, ordering: .releasing)
    count.subtract(1, ordering: .relaxed)
    Company.go()
  }

  // MARK: What comes along

  private static let carriers = Atomic(0)

  /// What the caller has of the task-local values that observers want to come along, before others.
  static func captured(before rest: CarriedValue?) -> CarriedValue? {
    guard carriers.load(ordering: .acquiring) != 0 else { return rest }
    let keys = board.withLock { $0.carried.map(\.keys) }
    return keys.reduce(rest) { $1.capture(before: $0) }
  }

  /// Those of all reactors, and of those of one type, in the order in which they were added.
  static func entries(of type: any Any.Type) -> [ObserverEntry] {
    let type = ObjectIdentifier(type)
    return board.withLock { board in
      board.entries.compactMap { $0.of == nil || $0.of == type ? $0.entry : nil }
    }
  }
}

/// The way to remove an observer.
///
/// An observer stays until then, whether this is kept or not.
public struct ObserverRegistration: Sendable {
  private let removal: @Sendable () -> Void

  init(_ removal: @escaping @Sendable () -> Void) { self.removal = removal }

  /// Removes the observer: nothing that happens after this is told to it.
  ///
  /// Doing it again changes nothing.
  public func remove() { removal() }
}

/// An observer that has been added, and what it has said of itself then.
final class ObserverEntry: Sendable {
  let observer: any ReactorObserver
  let carried: TaskLocals
  /// Whether it never sends.
  let isQuiet: Bool
  /// Whether it is told of the state before a mutation.
  let comparesStates: Bool
  private let isRemoved = Atomic(false)

  /// Whether it is to be told: reactors that have not looked since it was removed still know it.
  var isThere: Bool { !isRemoved.load(ordering: .acquiring) }

  func leave() { isRemoved.store(true, ordering: .releasing) }

  init(_ observer: some ReactorObserver) {
    self.observer = observer
    carried = observer.carried
    isQuiet = observer is any QuietObserver
    comparesStates = observer.comparesStates
  }

  /// Those of several that are there, each object once.
  static func distinct(_ entries: [ObserverEntry]) -> [ObserverEntry] {
    guard entries.count > 1 else { return entries.filter(\.isThere) }
    var seen: Set<ObjectIdentifier> = []
    return entries.filter { entry in
      guard entry.isThere else { return false }
      guard type(of: entry.observer) is AnyObject.Type else { return true }
      return seen.insert(ObjectIdentifier(entry.observer as AnyObject)).inserted
    }
  }
}
