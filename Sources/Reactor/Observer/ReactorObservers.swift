import ReactorRuntime
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
/// Those of reactors that are observed cost what their observers need, see ``ObserverNeeds``. While
/// there is one that needs times, causes, or values from senders, every action of every reactor in
/// the process costs a little more.
public enum ReactorObservers {
  /// Adds an observer of all reactors.
  ///
  /// - Parameter observer: The observer; it is held until it is removed.
  /// - Returns: The way to remove it; it may be ignored.
  @discardableResult
  public static func add(_ observer: some ReactorObserver) -> Registration {
    add(observer, to: nil)
  }

  // MARK: Whom to tell

  private struct Board: Sendable {
    /// By the type of the reactors that they observe; under `nil` those of all.
    var entries: [ObjectIdentifier?: IdentityList<ObserverEntry>] = [:]
    /// Those for which something comes along with actions, those of one reactor too.
    var carriers = IdentityList<ObserverEntry>()
    /// How many there are with these needs, those of one reactor too.
    var needs: [ObserverNeeds.RawValue: Int] = [:]

    /// One more, or one fewer, with these needs.
    ///
    /// - Returns: What all of them need.
    mutating func count(_ difference: Int, with needs: ObserverNeeds) -> ObserverNeeds.RawValue {
      let count = self.needs[needs.rawValue, default: 0] + difference
      self.needs[needs.rawValue] = count == 0 ? nil : count
      return self.needs.keys.reduce(0, |)
    }
  }

  private static let board = Guarded(Board())

  /// Counts the changes, so that a reactor sees with one look that nothing has changed.
  @usableFromInline static let version = Atomic<UInt64>(0)

  /// What all of them need.
  @usableFromInline static let allNeeds = Atomic<ObserverNeeds.RawValue>(0)

  /// Whether there is an observer that is told anything, of whatever reactors.
  @inlinable static var isAny: Bool {
    allNeeds.load(ordering: .relaxed) & ~ObserverNeeds.carried.rawValue != 0
  }

  /// Of that, what only whoever sends an action can find out.
  static var needsOfSenders: ObserverNeeds {
    ObserverNeeds(rawValue: allNeeds.load(ordering: .acquiring)).intersection(.ofSenders)
  }

  static func add(
    _ observer: some ReactorObserver, to type: ObjectIdentifier?
  ) -> Registration {
    let entry = ObserverEntry(observer)
    board.withLock { $0.entries[type, default: IdentityList()].append(entry) }
    come(entry)
    return Registration {
      let isFirst = board.withLock { board in
        let removed = board.entries[type]?.remove(entry.id)
        if board.entries[type]?.isEmpty == true { board.entries[type] = nil }
        return removed != nil
      }
      if isFirst { go(entry) }
    }
  }

  /// An observer is there, for reactors that look from now on; not one that needs nothing.
  static func come(_ entry: ObserverEntry) {
    if entry.needs.isEmpty { return }
    note(1, with: entry.needs) { if !entry.carried.isEmpty { $0.carriers.append(entry) } }
    Company.come(asksSenders: entry.asksSenders)
  }

  static func go(_ entry: ObserverEntry) {
    entry.leave()
    if entry.needs.isEmpty { return }
    note(-1, with: entry.needs) { $0.carriers.remove(entry.id) }
    Company.go(asksSenders: entry.asksSenders)
  }

  private static func note(
    _ difference: Int, with needs: ObserverNeeds, _ change: (inout Board) -> Void
  ) {
    board.withLock { board in
      change(&board)
      allNeeds.store(board.count(difference, with: needs), ordering: .releasing)
    }
    version.add(1, ordering: .releasing)
  }

  // MARK: What comes along

  /// What observers want to know of the caller, which sends; `nil` where that is nothing.
  static func origin() -> ActionOrigin? {
    let needs = needsOfSenders.subtracting(.carried)
    return needs.isEmpty ? nil : ActionOrigin(needs)
  }

  /// What the caller has of the task-local values that observers carry.
  static func captured() -> [any BoundLocal] {
    guard needsOfSenders.contains(.carried) else { return [] }
    return board.withLock { $0.carriers.all }.flatMap { $0.carried.capture() }
  }

  /// Those of all reactors, and of those of one type, in the order in which they were added.
  static func entries(of type: any Any.Type) -> [ObserverEntry] {
    let (ofAll, ofType) = board.withLock { board in
      (
        board.entries[ObjectIdentifier?.none]?.all ?? [],
        board.entries[ObjectIdentifier(type)]?.all ?? []
      )
    }
    return ofAll.isEmpty ? ofType : (ofAll + ofType).sorted { $0.number < $1.number }
  }
}
