import ReactorRuntime

/// The subscriptions of one binding, which end together.
///
/// Holds: `tasks`, guarded by its own lock; tasks are cancelled outside it.
public final class ReactorSubscriptions: Sendable {
  private struct Tasks: Sendable {
    /// The running subscriptions, each with its task as soon as it has one.
    var running: [Int: Task<Void, Never>?] = [:]
    var lastID = 0
    var isOver = false
  }

  private let tasks = Guarded(Tasks())

  /// Creates a value without subscriptions; a ``ReactorBinding`` creates its own.
  public init() {}

  deinit { cancel() }

  /// Whether the subscriptions have ended.
  public var isCancelled: Bool { tasks.withLock { $0.isOver } }

  /// Calls a closure with every element of a sequence, on the main actor.
  ///
  /// **Order**: the observation begins at once, and no element from then on is missed. After the
  /// binding has ended, the closure is not called any more, not even with an element that was
  /// already being delivered. For a view that is an actor, see ``observe(_:on:_:)``.
  ///
  /// - Parameters:
  ///   - sequence: States, selections, pulses, outputs, or any other sequence that does not fail.
  ///   - body: Called with each element.
  public func observe<S: AsyncSequence & Sendable>(
    _ sequence: S, _ body: @escaping @MainActor (S.Element) -> Void
  ) where S.Failure == Never, S.Element: Sendable {
    // Here, not in the task, so that elements before the task starts are not missed.
    let elements = sequence.makeAsyncIterator()
    task { @MainActor [weak self] in
      var elements = elements
      while let element = await elements.next(isolation: MainActor.shared) {
        guard let self, !isCancelled else { return }
        body(element)
      }
    }
  }

  /// Calls a closure with every element of a sequence, on a view that is an actor.
  ///
  /// As ``observe(_:_:)``; the view is not kept alive.
  ///
  /// - Parameters:
  ///   - sequence: States, selections, pulses, outputs, or any other sequence that does not fail.
  ///   - view: The actor on which the closure is called.
  ///   - body: Called with each element.
  public func observe<S: AsyncSequence & Sendable, View: Actor>(
    _ sequence: S, on view: View, _ body: @escaping @Sendable (isolated View, S.Element) -> Void
  ) where S.Failure == Never, S.Element: Sendable {
    let elements = sequence.makeAsyncIterator()
    task { [weak self, weak view] in
      var elements = elements
      while let element = await elements.next(isolation: nil) {
        guard let self, let view else { return }
        await self.deliver(element, to: view, body)
      }
    }
  }

  private func deliver<Element: Sendable, View: Actor>(
    _ element: Element, to view: isolated View, _ body: (isolated View, Element) -> Void
  ) {
    if !isCancelled { body(view, element) }
  }

  /// Runs an operation in a task that is cancelled when the binding ends.
  ///
  /// - Parameter operation: The operation; it keeps the isolation of its context.
  public func task(
    @_inheritActorContext @_implicitSelfCapture
    _ operation: sending @escaping @isolated(any) () async -> Void
  ) {
    start(operation)
  }

  private func start(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) {
    let id = tasks.withLock { tasks -> Int? in
      guard !tasks.isOver else { return nil }
      tasks.lastID += 1
      tasks.running.updateValue(nil, forKey: tasks.lastID)
      return tasks.lastID
    }
    guard let id else { return }
    let task = PipelineTasks.inheriting { [weak self] in
      await operation()
      self?.tasks.withLock { _ = $0.running.removeValue(forKey: id) }
    }
    let isOver = tasks.withLock { tasks in
      if tasks.running.keys.contains(id) { tasks.running.updateValue(task, forKey: id) }
      return tasks.isOver
    }
    if isOver { task.cancel() }
  }

  /// Ends all subscriptions, including those that are suspended.
  public func cancel() {
    let running = tasks.withLock { tasks in
      tasks.isOver = true
      defer { tasks.running = [:] }
      return tasks.running
    }
    for task in running.values { task?.cancel() }
  }
}
