extension MutationStream {
  /// What the effect as a whole is called.
  var name: String? { if case .decorated(let effect) = storage { effect.name } else { nil } }

  /// What the effect's task is to have; `nil` for what it has by itself.
  @inlinable var taskPriority: TaskPriority? {
    @inline(__always) get {
      if case .decorated(let effect) = storage { effect.priority } else { nil }
    }
  }

  /// The same as one effect, with a name or a priority of its own.
  func decorated(name: String?, priority: TaskPriority?) -> MutationStream {
    MutationStream(
      .decorated(
        DecoratedEffect(name: name, priority: priority, isIsolated: isIsolated) { emit, isolation in
          try await run(into: emit, isolation: isolation)
        }))
  }
}
