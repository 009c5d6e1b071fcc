import ReactorRuntime

extension ReactorObservers {
  /// Adds an observer to all reactors of one type.
  ///
  /// - Parameters:
  ///   - observer: The observer; it is retained until it is removed.
  ///   - type: The type of the reactors.
  /// - Returns: A registration that removes it; it can be ignored.
  @discardableResult
  public static func add<R: Reactor>(
    _ observer: some ReactorObserver, toAll type: R.Type
  ) -> Registration {
    add(observer, to: ObjectIdentifier(type))
  }
}

extension Reactor {
  /// Adds an observer to this reactor.
  ///
  /// **Runs on** any thread. It is notified from the next turn on; see ``ReactorObservers``.
  ///
  /// - Parameter observer: The observer; the reactor retains it until it is removed.
  /// - Returns: A registration that removes it; it can be ignored.
  @discardableResult
  public nonisolated func addObserver(
    _ observer: some ReactorObserver
  ) -> Registration {
    let entry = ObserverEntry(observer)
    // An observer that needs nothing must not cost anything.
    if entry.needs.isEmpty { return Registration {} }
    let core = pipeline.core
    core.connect(self)
    core.shared.withLock { $0.rare.observers.append(entry) }
    ReactorObservers.register(entry)
    // A weak reference to the reactor instead of its core: the core has no other weak reference,
    // and the first one would allocate 48 bytes that are kept.
    return Registration { [weak self] in self?.pipeline.core.remove(entry) }
  }
}
