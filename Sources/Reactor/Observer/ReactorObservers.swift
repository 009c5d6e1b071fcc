import ReactorRuntime
public import Synchronization

/// Adds observers to all reactors of the process, or to those of one type.
///
/// ```swift
/// ReactorObservers.add(LoggingObserver(logger))                  // all reactors
/// ReactorObservers.add(Printer(), toAll: CounterReactor.self)    // those of one type
/// counter.addObserver(Printer())                                 // one
/// ```
///
/// An observer can be added and removed at any time, from any thread. A reactor notifies it from
/// its next turn on, beginning with ``ReactorStep/Kind/started(state:)``. It is notified of actions
/// that were sent before as well. An object that has been added more than once for the same reactor
/// receives each step once.
///
/// Observed reactors pay for what their observers need; see ``ObserverNeeds``. While an observer
/// needs times, causes, or values from senders, every action of every reactor in the process costs
/// a little more.
public enum ReactorObservers {
  /// Adds an observer to all reactors.
  ///
  /// - Parameter observer: The observer; it is retained until it is removed.
  /// - Returns: A registration that removes it; it can be ignored.
  @discardableResult
  public static func add(_ observer: some ReactorObserver) -> Registration {
    add(observer, to: nil)
  }

  // MARK: Registered observers

  private struct RegisteredObservers: Sendable {
    /// By the type of the reactors that they observe; under `nil` the observers of all reactors.
    var entries: [ObjectIdentifier?: IdentityList<ObserverEntry>] = [:]
    /// The observers for which actions carry values, including those of single reactors.
    var carriers = IdentityList<ObserverEntry>()
    /// The number of observers by their needs, including those of single reactors.
    var needs: [ObserverNeeds.RawValue: Int] = [:]

    /// Adds one observer with these needs, or removes one.
    ///
    /// - Returns: The union of all needs.
    mutating func count(_ difference: Int, with needs: ObserverNeeds) -> ObserverNeeds.RawValue {
      let count = self.needs[needs.rawValue, default: 0] + difference
      self.needs[needs.rawValue] = count == 0 ? nil : count
      return self.needs.keys.reduce(0, |)
    }
  }

  private static let registered = Guarded(RegisteredObservers())

  /// Counts the changes, so that a reactor can check with one read that nothing has changed.
  @usableFromInline static let version = Atomic<UInt64>(0)

  /// The union of all needs.
  @usableFromInline static let allNeeds = Atomic<ObserverNeeds.RawValue>(0)

  /// Whether there is an observer of any reactor that is notified of anything.
  @inlinable static var isAny: Bool {
    allNeeds.load(ordering: .relaxed) & ~ObserverNeeds.carried.rawValue != 0
  }

  /// The part of `allNeeds` that is available only when an action is sent.
  static var senderNeeds: ObserverNeeds {
    ObserverNeeds(rawValue: allNeeds.load(ordering: .acquiring)).intersection(.fromSender)
  }

  static func add(
    _ observer: some ReactorObserver, to type: ObjectIdentifier?
  ) -> Registration {
    let entry = ObserverEntry(observer)
    registered.withLock { $0.entries[type, default: IdentityList()].append(entry) }
    register(entry)
    return Registration {
      let isFirst = registered.withLock { registered in
        let removed = registered.entries[type]?.remove(entry.id)
        if registered.entries[type]?.isEmpty == true { registered.entries[type] = nil }
        return removed != nil
      }
      if isFirst { unregister(entry) }
    }
  }

  /// Registers an observer, for reactors that read the list from now on; not one that needs
  /// nothing.
  static func register(_ entry: ObserverEntry) {
    if entry.needs.isEmpty { return }
    changeCount(by: 1, with: entry.needs) {
      if !entry.carried.isEmpty { $0.carriers.append(entry) }
    }
    ContextDemand.register(needsSenderContext: entry.needsSenderContext)
  }

  static func unregister(_ entry: ObserverEntry) {
    entry.markRemoved()
    if entry.needs.isEmpty { return }
    changeCount(by: -1, with: entry.needs) { $0.carriers.remove(entry.id) }
    ContextDemand.unregister(needsSenderContext: entry.needsSenderContext)
  }

  private static func changeCount(
    by difference: Int, with needs: ObserverNeeds, _ change: (inout RegisteredObservers) -> Void
  ) {
    registered.withLock { registered in
      change(&registered)
      allNeeds.store(registered.count(difference, with: needs), ordering: .releasing)
    }
    version.add(1, ordering: .releasing)
  }

  // MARK: Carried values

  /// The data about the calling sender that observers need; `nil` if they need none.
  static func origin() -> ActionOrigin? {
    let needs = senderNeeds.subtracting(.carried)
    return needs.isEmpty ? nil : ActionOrigin(needs)
  }

  /// The caller's values of the task-locals that observers carry.
  static func captured() -> [any BoundLocal] {
    guard senderNeeds.contains(.carried) else { return [] }
    return registered.withLock { $0.carriers.all }.flatMap { $0.carried.capture() }
  }

  /// The observers of all reactors, and of those of one type, in the order in which they were
  /// added.
  static func entries(of type: any Any.Type) -> [ObserverEntry] {
    let (ofAll, ofType) = registered.withLock { registered in
      (
        registered.entries[ObjectIdentifier?.none]?.all ?? [],
        registered.entries[ObjectIdentifier(type)]?.all ?? []
      )
    }
    return ofAll.isEmpty ? ofType : (ofAll + ofType).sorted { $0.number < $1.number }
  }
}
