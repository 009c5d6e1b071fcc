import ReactorRuntime

extension ReactorObservers {
  /// Adds an observer of all reactors of one type.
  ///
  /// - Parameters:
  ///   - observer: The observer; it is held until it is removed.
  ///   - type: Which reactors.
  /// - Returns: The way to remove it; it may be ignored.
  @discardableResult
  public static func add<R: Reactor>(
    _ observer: some ReactorObserver, toAll type: R.Type
  ) -> Registration {
    add(observer, to: ObjectIdentifier(type))
  }
}

extension Reactor {
  /// Adds an observer of this reactor.
  ///
  /// **Runs on** any thread. It is told from the next turn on, see ``ReactorObservers``.
  ///
  /// - Parameter observer: The observer; the reactor holds it until it is removed.
  /// - Returns: The way to remove it; it may be ignored.
  @discardableResult
  public nonisolated func addObserver(
    _ observer: some ReactorObserver
  ) -> Registration {
    let entry = ObserverEntry(observer)
    // Nobody is to pay for one that needs nothing.
    if entry.needs.isEmpty { return Registration {} }
    let core = pipeline.core
    core.connect(self)
    core.shared.withLock { $0.rare.observers.append(entry) }
    ReactorObservers.come(entry)
    // Weakly the reactor rather than its core, of which nobody else has a weak reference: that
    // would be 48 bytes that stay.
    return Registration { [weak self] in self?.pipeline.core.remove(entry) }
  }
}
